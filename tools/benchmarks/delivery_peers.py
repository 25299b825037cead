"""Whom deliveries go to, and programs that send the same without a journal.

    delivery_peers.py http | smtp           serves; asked by lines: `port`, `reset`, `tell`
    delivery_peers.py post URL COUNT        sends by HTTP, on one connection
    delivery_peers.py mail PORT COUNT       sends mails, on one connection
    delivery_peers.py append FILE COUNT     appends lines, each synchronised with the disk

What is sent comes from standard input: one text, of which each has a copy with a key of its own.
"""
import asyncio
import http.client
import json
import os
import smtplib
import sys
import time
import urllib.parse


class Counter:
    """What has arrived since it was reset."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.keys, self.count, self.first, self.last = set(), 0, 0, 0

    def add(self, key):
        self.last = time.monotonic()
        if not self.count:
            self.first, self.used = self.last, time.process_time()
        self.count += 1
        self.keys.add(key)
        self.busy = time.process_time() - self.used

    def tell(self):
        seconds = self.last - self.first
        return {"count": self.count, "different": len(self.keys), "seconds": seconds,
                "busy": self.busy / seconds if seconds else 0}


counter = Counter()


class Peer(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport, self.waiting = transport, b""


class Web(Peer):
    """Answers 200 to every request, and knows it by its key."""

    ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    def data_received(self, data):
        self.waiting += data
        while (end := self.waiting.find(b"\r\n\r\n")) >= 0:
            fields = dict(line.lower().split(b": ", 1) for line in self.waiting[:end].split(b"\r\n")[1:] if b": " in line)
            end += 4 + int(fields.get(b"content-length", 0))
            if len(self.waiting) < end:
                return
            self.waiting = self.waiting[end:]
            counter.add(fields.get(b"webhook-id") or fields.get(b"idempotency-key"))
            self.transport.write(self.ANSWER)


class Mail(Peer):
    """Takes every mail, and knows it by its key."""

    def connection_made(self, transport):
        super().connection_made(transport)
        self.is_text = False
        transport.write(b"220 bench\r\n")

    def data_received(self, data):
        self.waiting += data
        while (end := self.waiting.find(b"\r\n.\r\n" if self.is_text else b"\r\n")) >= 0:
            text, self.waiting = self.waiting[:end], self.waiting[end + (5 if self.is_text else 2):]
            if self.is_text:
                self.is_text = False
                self.take(text)
                self.transport.write(b"250 taken\r\n")
                continue
            word = text[:4].upper()
            self.is_text = word == b"DATA"
            self.transport.write(b"354 go on\r\n" if self.is_text else b"221 bye\r\n" if word == b"QUIT" else b"250 bench\r\n")
            if word == b"QUIT":
                self.transport.close()

    @staticmethod
    def take(text):
        for line in text.partition(b"\r\n\r\n")[0].split(b"\r\n"):
            if line.lower().startswith(b"x-fenceline-key: "):
                counter.add(line.partition(b": ")[2])


async def serve(kind):
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    server = await loop.create_server(kind, "127.0.0.1", 0)

    def answer():
        line = sys.stdin.readline()
        if not line:
            return ended.set()
        if line == "reset\n":
            counter.reset()
        told = {"port": server.sockets[0].getsockname()[1]} if line == "port\n" else counter.tell() if line == "tell\n" else {}
        print(json.dumps(told), flush=True)

    loop.add_reader(0, answer)
    await ended.wait()


def post(url, count):
    parts, body = urllib.parse.urlsplit(url), sys.stdin.buffer.read()
    connection = http.client.HTTPConnection(parts.hostname, parts.port)
    for number in range(count):
        connection.request("POST", parts.path, body,
                           {"Content-Type": "application/cloudevents+json", "webhook-id": str(number)})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            sys.exit(f"the peer has answered {answer.status}")


def mail(port, count):
    text = sys.stdin.read()
    with smtplib.SMTP("127.0.0.1", port) as server:
        for number in range(count):
            server.sendmail("fence@example.org", ["me@example.org"], f"X-Fenceline-Key: {number}\r\nSubject: bench\r\n\r\n{text}")


def append(path, count):
    text = sys.stdin.read()
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for number in range(count):
        os.write(file, (json.dumps({"key": number, "data": text}) + "\n").encode())
        os.fdatasync(file)


if __name__ == "__main__":
    what, *words = sys.argv[1:]
    if what in ("http", "smtp"):
        asyncio.run(serve(Web if what == "http" else Mail))
    else:
        target, count = words
        {"post": post, "mail": lambda port, count: mail(int(port), count), "append": append}[what](target, int(count))
