"""The peer of a desktop: a session bus, and a notification server on it."""
import contextlib
import os
import threading
import time

from gi.repository import Gio, GLib

from deliveries.peer import Peer
from running import wait_for

NAME = "org.freedesktop.Notifications"
INTERFACE = Gio.DBusNodeInfo.new_for_xml(f"""<node><interface name="{NAME}">
  <method name="GetServerInformation">
    <arg type="s" direction="out"/><arg type="s" direction="out"/><arg type="s" direction="out"/><arg type="s" direction="out"/>
  </method>
  <method name="GetCapabilities"><arg type="as" direction="out"/></method>
  <method name="Notify">
    <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="a{{sv}}" direction="in"/><arg type="i" direction="in"/>
    <arg type="u" direction="out"/>
  </method>
  <method name="CloseNotification"><arg type="u" direction="in"/></method>
  <signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
</interface></node>""").interfaces[0]


class Desktop(Peer):
    """A server that refuses, is slow, goes while it is asked, and comes back. It is away by turns: it has gone, the bus has gone too, it does
    not answer.

    There is no key: a notification is known by its texts, which tell device, circle, entry or exit, and the minute.
    """

    name = "desktop"

    # How many are on the screen; those before are over.
    ROOM = 5

    def __init__(self, programs, hour):
        super().__init__(programs, hour)
        self.path, self.words_of_bus = programs.session_bus()
        self.address = f"unix:path={self.path}"
        self.bus = self.connection = None
        # Title and body of what was shown, in that order.
        self.texts = []
        self.refused = set()
        self.screen, self.number = [], 0
        # Calls that are not answered yet.
        self.held = []
        self.not_before = 0
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        wait_for(lambda: self.connection, 10, "no notification server starts")

        # Readers have no other clock than that of the service.
        self.environment = ["TZ=UTC", "DBUS_SESSION_BUS_ADDRESS=" + self.address]

    def words(self):
        return ["--events", "crossings"]

    # MARK: Coming and going

    def run(self):
        context = GLib.MainContext.new()
        context.push_thread_default()
        clock = GLib.timeout_source_new(20)
        clock.set_callback(self.look)
        clock.attach(context)
        while not self.ended.is_set():
            context.iteration(True)
        self.leave()

    def look(self, *_):
        """Goes or comes as the plan says."""
        outage = self.luck.outage
        manner = None if outage is None else ("gone", "no bus", "silent")[outage % 3]
        if manner == "no bus" and self.bus:
            self.bus.kill()
            self.bus.wait()
            self.programs.running.remove(self.bus)
            self.bus = None
            self.leave()
        elif manner == "gone":
            self.leave()
        elif manner in (None, "silent") and time.monotonic() >= self.not_before:
            self.come()
        if manner is None:
            held, self.held = self.held, []
            for call in held:
                self.answer(*call)
        return True

    def come(self):
        if not self.bus:
            with contextlib.suppress(FileNotFoundError):
                os.remove(self.path)
            self.bus = self.programs.start(*self.words_of_bus)
        if self.connection and not self.connection.is_closed():
            return
        flags = Gio.DBusConnectionFlags
        # The bus may need a moment until it listens.
        with contextlib.suppress(GLib.Error):
            connection = Gio.DBusConnection.new_for_address_sync(
                self.address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None)
            connection.register_object("/org/freedesktop/Notifications", INTERFACE, self.called, None, None)
            bus = "org.freedesktop.DBus"
            connection.call_sync(bus, "/org/freedesktop/DBus", bus, "RequestName", GLib.Variant("(su)", (NAME, 4)), None, 0, 1000, None)
            self.connection = connection

    def leave(self, seconds=0):
        """Goes, whatever it was asked; the bus tells."""
        if self.connection:
            with contextlib.suppress(GLib.Error):
                self.connection.close_sync()
        self.connection = None
        self.screen, self.held = [], []
        self.not_before = time.monotonic() + seconds

    # MARK: Being asked

    def called(self, connection, sender, path, interface, method, values, invocation):
        if self.luck.is_away:
            # It is silent: whatever it is asked, it does afterwards.
            self.held.append((connection, method, values.unpack(), invocation))
        else:
            self.answer(connection, method, values.unpack(), invocation)

    def answer(self, connection, method, values, invocation):
        if connection is not self.connection:
            return
        if method == "GetServerInformation":
            invocation.return_value(GLib.Variant("(ssss)", ("check", "Fenceline", "1", "1.2")))
        elif method == "GetCapabilities":
            invocation.return_value(GLib.Variant("(as)", (["actions", "body"],)))
        elif method == "CloseNotification":
            invocation.return_value(None)
            self.close(*values)
        else:
            self.show(values[3:5], invocation)

    def show(self, text, invocation):
        fate = self.luck.draw(("refuse", 5), ("die", 3), ("deaf", 4), ("slow", 3), ("hang", 0.2))
        # Who refuses something time and again does not want it, and may be left alone.
        if fate == "refuse" and text not in self.refused:
            self.refused.add(text)
            invocation.return_dbus_error(NAME + ".Error.ExcessNotificationGeneration", "There are too many of them")
            return
        if fate == "die":
            return self.leave(0.2)
        self.texts.append(text)
        if fate == "deaf":
            return self.leave(0.2)
        if fate in ("slow", "hang"):
            # Longer than it is waited for, where it hangs.
            wait = GLib.timeout_source_new(300 if fate == "slow" else 6000)
            connection = self.connection
            wait.set_callback(lambda *_: self.tell(connection, invocation))
            wait.attach(GLib.MainContext.get_thread_default())
            return
        self.tell(self.connection, invocation)

    def tell(self, connection, invocation):
        """Answers that it was shown."""
        if connection is self.connection:
            self.number += 1
            invocation.return_value(GLib.Variant("(u)", (self.number,)))
            self.screen.append(self.number)
            if len(self.screen) > self.ROOM:
                self.close(self.screen[0], 1)
        return False

    def close(self, number, reason=3):
        if number in self.screen:
            self.screen.remove(number)
            self.connection.emit_signal(None, "/org/freedesktop/Notifications", NAME, "NotificationClosed",
                                        GLib.Variant("(uu)", (number, reason)))

    # MARK: The end

    def finish(self, crossings):
        known = {}
        for crossing in crossings:
            minute = time.strftime("%H:%M", time.gmtime(crossing.at / 1000))
            words = {"entry": "entered", "exit": "left"}[crossing.kind]
            known[crossing.region, f"{crossing.device}: {words} at {minute}."] = crossing
        if len(known) < len(crossings):
            raise SystemExit("two crossings read alike on the desktop")
        for text in self.texts:
            crossing = known.get(text)
            self.note(" ".join(text), crossing.run if crossing else 0, crossing.sequence if crossing else 0)
        return 0

    def stop(self):
        self.ended.set()
        self.thread.join(5)
