"""What ntfy's documentation says of its server: publishing as JSON and with headers, and subscribing to a JSON stream. It is no ntfy.

    ntfy_server.py FOLDER [--token TOKEN] [--keepalive SECONDS] [--no-attachments]

It writes its port to FOLDER/port as soon as it listens, and a JSON line for each request to FOLDER/log. A file FOLDER/cut ends every stream, and is
then removed.
"""
import email.header, hashlib, http.server, json, os, sys, threading, time, urllib.parse

folder = sys.argv[1]


def after(name, default=None):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


lock = threading.Condition()
messages = []  # of every topic


def log(**what):
    with open(folder + "/log", "a") as file:
        file.write(json.dumps(what) + "\n")


def decoded(text):
    return "".join(part.decode(code or "latin-1") if isinstance(part, bytes) else part
                   for part, code in email.header.decode_header(text))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def is_let_in(self):
        wanted = after("--token")
        if wanted is None or self.headers.get("Authorization") == "Bearer " + wanted:
            return True
        self.answer(403, {"code": 40301, "http": 403, "error": "forbidden"})
        return False

    def publish(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        log(method=self.command, path=self.path, headers=[[k.lower(), v] for k, v in self.headers.items()],
            body=body.decode(errors="replace"), digest=hashlib.sha256(body).hexdigest())
        if not self.is_let_in():
            return
        topic = self.path.strip("/")
        if not topic:
            message = json.loads(body)
            topic = message["topic"]
        elif "Filename" in self.headers:
            if "--no-attachments" in sys.argv:
                return self.answer(400, {"code": 40014, "http": 400, "error": "attachments not allowed"})
            message = {name: decoded(self.headers[name]) for name in ("title", "message", "filename") if self.headers[name]}
        else:
            message = {"message": body.decode()}
        with lock:
            message.update(id=f"m{len(messages):09}", time=int(time.time()), event="message", topic=topic)
            messages.append(message)
            lock.notify_all()
        log(published=message)
        self.answer(200, message)

    do_POST = do_PUT = publish

    def do_GET(self):
        url = urllib.parse.urlparse(self.path)
        topic, _, form = url.path.strip("/").partition("/")
        since = urllib.parse.parse_qs(url.query)["since"][0]
        log(subscribed=topic, since=since, authorization=self.headers.get("Authorization"), form=form)
        if not self.is_let_in():
            return
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

        def send(value):
            line = json.dumps(value).encode() + b"\n"
            # In two pieces, as networks do it.
            for piece in (line[:7], line[7:]):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))

        send({"id": "open", "time": int(time.time()), "event": "open", "topic": topic})
        own = [m["id"] for m in messages]
        place = own.index(since) + 1 if since in own else 0
        if since.isdigit():
            place = next((i for i, m in enumerate(messages) if m["time"] >= int(since)), len(messages))
        last = time.monotonic()
        while True:
            with lock:
                new, place = messages[place:], len(messages)
                if not new:
                    lock.wait(0.02)
            for message in new:
                if message["topic"] == topic:
                    send(message)
            if time.monotonic() - last > float(after("--keepalive", "1")):
                send({"id": "alive", "time": int(time.time()), "event": "keepalive", "topic": topic})
                last = time.monotonic()
            if os.path.exists(folder + "/cut"):
                os.remove(folder + "/cut")
                self.close_connection = True
                return


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


server = Server(("127.0.0.1", 0), Handler)
with open(folder + "/port.new", "w") as file:
    file.write(str(server.server_address[1]))
os.rename(folder + "/port.new", folder + "/port")
server.serve_forever()
