"""Circles for the peers that Python feeds: the boxes that hold them."""
import array
import math

# Metres: the smallest radius of curvature of WGS 84. A disc lies in the spherical one of angle r / SMALLEST.
SMALLEST = 6335439
MARGIN = 1e-9


def doubles(path):
    values = array.array("d")
    with open(path, "rb") as file:
        values.frombytes(file.read())
    return values


def boxes(path):
    """The number of each circle of a file and (west, south, east, north): two where it crosses the antimeridian."""
    values = doubles(path)
    for number in range(len(values) // 3):
        latitude, longitude, radius = values[3 * number:3 * number + 3]
        angle = radius / SMALLEST
        height = math.degrees(angle) + MARGIN
        south, north = latitude - height, latitude + height
        if south <= -90 or north >= 90:
            yield number, -180, max(south, -90), 180, min(north, 90)
            continue
        width = math.degrees(math.asin(min(1, math.sin(angle) / math.cos(math.radians(latitude))))) + MARGIN
        west, east = longitude - width, longitude + width
        if west >= -180 and east <= 180:
            yield number, west, south, east, north
        else:
            yield number, west + 360 if west < -180 else west, south, 180, north
            yield number, -180, south, east - 360 if east > 180 else east, north
