"""An HTTP server that answers well and ill, by the path that is asked for.

    web_server.py FOLDER [--tls CERTIFICATE KEY] [--v6]

It writes its port to FOLDER/port as soon as it listens, and a JSON line for each request to FOLDER/log.
"""
import datetime, email.utils, json, os, socket, ssl, struct, sys, threading, time

folder = sys.argv[1]
lock = threading.Lock()


def log(**what):
    with lock, open(folder + "/log", "a") as file:
        file.write(json.dumps(what) + "\n")


def answer(connection, status, headers=(), body=b""):
    head = [f"HTTP/1.1 {status} Whatever", f"Content-Length: {len(body)}", *headers]
    connection.sendall("\r\n".join(head).encode() + b"\r\n\r\n" + body)


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def serve(raw, number):
    connection = context.wrap_socket(raw, server_side=True) if context else raw
    with connection, connection.makefile("rb") as stream:
        while line := stream.readline():
            method, path, _ = line.decode().split(" ", 2)
            headers = []
            while (line := stream.readline().rstrip(b"\r\n")):
                name, _, value = line.decode().partition(":")
                headers.append([name.lower(), value.strip()])
            size = int(dict(headers).get("content-length", 0))
            body = stream.read(size).decode()
            log(connection=number, method=method, path=path, headers=headers, body=body)
            word, _, rest = path.partition("?")[0].strip("/").partition("/")
            if word == "status":
                answer(connection, int(rest))
            elif word == "retry":
                answer(connection, 429, [f"Retry-After: {rest}"])
            elif word == "retry-date":
                moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=int(rest))
                answer(connection, 503, [f"Retry-After: {email.utils.format_datetime(moment, usegmt=True)}"])
            elif word == "redirect":
                answer(connection, 301, ["Location: https://elsewhere.example/new?token=hidden"])
            elif word == "hang":
                stream.read(1)
                log(hung=number)
                return
            elif word == "reset":
                return reset(connection)
            elif word == "half":
                return connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf of it")
            elif word == "huge":
                connection.sendall(f"HTTP/1.1 {rest or 200} OK\r\nContent-Length: {2 << 30}\r\n\r\n".encode())
                sent = 0
                try:
                    while sent < 2 << 30:
                        sent += connection.send(bytes(1 << 16))
                except OSError:
                    pass
                return log(huge=sent)
            elif word == "nonsense":
                return connection.sendall(b"220 mail.example ESMTP\r\n")
            elif word == "echo":
                answer(connection, 500, body=json.dumps([path, headers, body]).encode())
            else:
                answer(connection, 204)


def main():
    global context
    context = None
    if "--tls" in sys.argv:
        place = sys.argv.index("--tls")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[place + 1], sys.argv[place + 2])
    family, host = (socket.AF_INET6, "::1") if "--v6" in sys.argv else (socket.AF_INET, "127.0.0.1")
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.bind((host, 0))
    listener.listen(64)
    with open(folder + "/port.new", "w") as file:
        file.write(str(listener.getsockname()[1]))
    os.rename(folder + "/port.new", folder + "/port")
    number = 0
    while True:
        connection, _ = listener.accept()
        number += 1

        def run(connection=connection, number=number):
            try:
                serve(connection, number)
            except (OSError, ssl.SSLError, ValueError) as trouble:
                log(trouble=str(trouble))

        threading.Thread(target=run, daemon=True).start()


main()
