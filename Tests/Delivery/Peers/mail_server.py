"""A mail server (aiosmtpd), which takes mails or behaves ill.

    mail_server.py FOLDER [--tls CERTIFICATE KEY] [--wrapped] [--login USER PASSWORD] [--ill HOW]

It writes its port to FOLDER/port as soon as it listens, and a JSON line for each mail to FOLDER/log. Recipients whose address begins with `no` are
refused, those that begin with `later` put off; such senders too. HOW is content-CODE, sender-CODE, greeting-CODE, or hang and reset, after the
content.
"""
import asyncio, email, email.policy, json, os, socket, ssl, struct, sys
from aiosmtpd.smtp import SMTP, AuthResult

folder = sys.argv[1]


def after(name, count):
    return sys.argv[sys.argv.index(name) + 1:][:count] if name in sys.argv else None


ill = (after("--ill", 1) or [""])[0]


def log(**what):
    with open(folder + "/log", "a") as file:
        file.write(json.dumps(what) + "\n")


class Handler:
    async def handle_MAIL(self, server, session, envelope, address, options):
        if ill.startswith("sender-"):
            return ill[7:] + " 5.1.0 not from you"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("no"):
            return "550 5.1.1 nobody of that name"
        if address.startswith("later") and not os.path.exists(folder + "/open"):
            return "451 4.7.1 come again"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        log(sender=envelope.mail_from, to=envelope.rcpt_tos, encrypted=session.ssl is not None or server.transport.get_extra_info("sslcontext") is not None,
            login=getattr(session, "who", None),
            headers=[[name.lower(), str(value)] for name, value in mail.items()], body=mail.get_content().replace("\r\n", "\n"),
            defects=len(mail.defects))
        if ill.startswith("content-"):
            return ill[8:] + " 5.6.0 not like this"
        if ill == "hang":
            await asyncio.sleep(3600)
        if ill == "reset":
            connection = server.transport.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            server.transport.abort()
            await asyncio.sleep(3600)
        return "250 2.0.0 taken"


def authenticate(server, session, envelope, mechanism, data):
    session.who = data.login.decode()
    right = after("--login", 2)
    return AuthResult(success=right == [data.login.decode(), data.password.decode()],
                      handled=False)


def make():
    options = {"enable_SMTPUTF8": False, "timeout": 600}
    if "--login" in sys.argv:
        options.update(authenticator=authenticate, auth_required=True,
                       auth_require_tls="--tls" in sys.argv and "--wrapped" not in sys.argv)
    if context and "--wrapped" not in sys.argv:
        options.update(tls_context=context, require_starttls=True)
    server = SMTP(Handler(), **options)
    if ill.startswith("greeting-"):
        async def refuse():
            await server.push(ill[9:] + " 4.3.2 not now")
            server.transport.close()
        server._handle_client = refuse
    return server


context = None
if files := after("--tls", 2):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files)


async def main():
    wrapped = context if "--wrapped" in sys.argv else None
    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0, ssl=wrapped)
    with open(folder + "/port.new", "w") as file:
        file.write(str(server.sockets[0].getsockname()[1]))
    os.rename(folder + "/port.new", folder + "/port")
    await server.serve_forever()


asyncio.run(main())
