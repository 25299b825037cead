"""Peers to which a connection leads: web servers, a mail server, a broker."""
import base64
import contextlib
import email
import http.server
import json
import socket
import struct
import threading
import time

import paho.mqtt.client as mqtt
from aiosmtpd.controller import Controller

from deliveries.peer import Peer
from running import free_port, wait_for


# MARK: Web servers

class Request(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.answer()

    def do_PUT(self):
        self.answer()

    def answer(self):
        peer = self.server.peer
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        fate = "reset" if peer.luck.is_away else peer.luck.draw(
            ("500", 5), ("503", 3), ("429", 1), ("reset", 5), ("hang", 2), ("deaf", 5))
        if fate in ("500", "503", "429"):
            self.send_response(int(fate))
            if fate != "500":
                self.send_header("Retry-After", "1")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if fate == "hang":
            time.sleep(3)
        if fate not in ("reset", "hang"):
            peer.take(self.headers, body)
        if fate in ("reset", "hang", "deaf"):
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.close()
            return
        self.send_response(204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass

    def finish(self):
        with contextlib.suppress(OSError, ValueError):
            super().finish()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, *_):
        pass


class Web(Peer):
    def __init__(self, programs, hour):
        super().__init__(programs, hour)
        server = Server(("127.0.0.1", 0), Request)
        server.peer = self
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_address[1]}/{self.name}"


class Webhook(Web):
    name = "webhook"

    def words(self):
        secret = self.programs.path("secret")
        with open(secret, "w") as file:
            file.write("whsec_" + base64.b64encode(b"a secret of many bytes").decode() + "\n")
        return [self.url, "--allow-local", "--timeout", "1s", "--secret-file", secret]

    def take(self, headers, body):
        event = json.loads(body)
        assert event["id"] == headers["webhook-id"], headers
        self.note(event["id"], event["data"]["run"], event["data"]["sequence"])


class Ntfy(Web):
    name = "ntfy"

    def words(self):
        return [self.url, "--allow-local", "--timeout", "1s", "--events", "crossings"]

    def take(self, headers, body):
        assert json.loads(body)["message"], body
        self.note(headers["Idempotency-Key"])


# MARK: A mail server

class Email(Peer):
    """Refuses, breaks off and is away."""

    name = "email"

    def __init__(self, programs, hour):
        super().__init__(programs, hour)
        self.port = free_port()
        Controller(self, hostname="127.0.0.1", port=self.port).start()

    def words(self):
        return [f"smtp://127.0.0.1:{self.port}", "--from", "fence@example.org", "--to", "me@example.org", "--digest", "1s",
                "--events", "crossings"]

    async def handle_DATA(self, server, session, envelope):
        fate = "451" if self.luck.is_away else self.luck.draw(("451", 10), ("deaf", 5), ("cut", 5))
        if fate == "cut":
            server.transport.abort()
            return "451 gone"
        if fate == "451":
            return "451 not now"
        for key in email.message_from_bytes(envelope.content).get_all("X-Fenceline-Key", []):
            self.note(key)
        if fate == "deaf":
            server.transport.abort()
        return "250 taken"


# MARK: A broker

class Gate(threading.Thread):
    """Between the service and a broker: breaks connections off, and lets nobody through while the peer is away."""

    def __init__(self, luck, port):
        super().__init__(daemon=True)
        self.luck, self.target = luck, port
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.start()

    def run(self):
        while True:
            client, _ = self.server.accept()
            if self.luck.is_away:
                client.close()
                continue
            try:
                peer = socket.create_connection(("127.0.0.1", self.target), 2)
            except OSError:
                client.close()
                continue
            for source, sink in ((client, peer), (peer, client)):
                threading.Thread(target=self.forward, args=(source, sink), daemon=True).start()

    def forward(self, source, sink):
        with contextlib.suppress(OSError):
            source.settimeout(0.2)
            while True:
                try:
                    data = source.recv(4096)
                except TimeoutError:
                    data = None
                if data == b"" or self.luck.is_away or (data and self.luck.draw(("cut", 1))):
                    break
                if data:
                    sink.sendall(data)
        for end in (source, sink):
            end.close()


class MQTT(Peer):
    """A broker with a gate before it, and somebody who notes what it is given."""

    name = "mqtt"

    def __init__(self, programs, hour):
        super().__init__(programs, hour)
        port = free_port()
        configuration = programs.path("mosquitto.conf")
        with open(configuration, "w") as file:
            file.write(f"listener {port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n")
        programs.start("/usr/sbin/mosquitto", "-c", configuration)
        client = mqtt.Client("observer", clean_session=False)
        listening = threading.Event()
        client.on_connect = lambda client, *_: client.subscribe("fenceline/+/event", 1)
        client.on_subscribe = lambda *_: listening.set()
        client.on_message = self.take

        def connects():
            with contextlib.suppress(OSError):
                client.connect("127.0.0.1", port)
                return True

        wait_for(connects, 10, "the broker does not start")
        client.loop_start()
        if not listening.wait(10):
            raise SystemExit("the broker does not answer")
        self.port = Gate(self.luck, port).port

    def words(self):
        return [f"mqtt://127.0.0.1:{self.port}"]

    def take(self, _, __, message):
        event = json.loads(message.payload)
        self.note(event["key"], event["run"], event["sequence"])
