"""What receivers say, for the checks and the bench."""
import time


def sentence(body):
    checksum = 0
    for character in body:
        checksum ^= ord(character)
    return f"${body}*{checksum:02X}\r\n"


def epoch(second, minutes):
    """GGA and RMC of a fix at a second since 1970, so many minutes of arc north of 47° N, 8° E."""
    now = time.gmtime(second)
    clock, day = time.strftime("%H%M%S.00", now), time.strftime("%d%m%y", now)
    return "".join(sentence(body) for body in (
        f"GPGGA,{clock},47{minutes:08.5f},N,00800.00000,E,1,10,0.8,400.0,M,48.0,M,,",
        f"GPRMC,{clock},A,47{minutes:08.5f},N,00800.00000,E,60.0,0.0,{day},,,A"))
