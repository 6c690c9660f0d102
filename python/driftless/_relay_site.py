"""The site's end of a relay: a process beside the site's peer, which keeps the connections between messages."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import secrets
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from driftless._errors import Error, TransportError
from driftless._relay import Packet, RelayEnd

Fields = dict[str, Any]
Work = Callable[[str, threading.Event], object]  # takes part in a run at this address until the event is set

SIZES = struct.Struct(">IQ")
MOST_HEAD = 1 << 20
MOST_DATA = 1 << 30
RETRY = 2.0  # seconds before a peer that lost its server joins again


class NoMailbox(Exception):
    """No process answers for the site."""


class Mailbox:
    """Answers the messages of one site's relay.

    `work` is the site's peer. It is called again where it lost its server, and when another server asks.

    Args:
        folder: Where the socket is, `SITE.sock`. One process at a time has the mailbox.
        site: The name of the site.
        idle: Seconds without a message after which `run` ends.
    """

    def __init__(self, folder: Path, site: str, work: Work, *, idle: float = 900.0) -> None:
        self._folder, self._site, self._work, self._idle = folder, site, work, idle
        self._changed = threading.Condition()
        self._session = self._server = ""
        self._end = RelayEnd()
        self._failed = ""
        self._begun = 0  # servers that asked
        self._working = False
        self._finishing = False
        self._stop = threading.Event()
        self._told = False  # that this site has ended
        self._heard = time.monotonic()

    def run(self) -> None:
        """Works until the server says that nothing follows, or nothing has come for long. Returns at once where another
        process has the mailbox."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with contextlib.ExitStack() as stack:
            lock = stack.enter_context(open(self._folder / f"{self._site}.lock", "w", encoding="utf-8"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
            connections = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            messages = stack.enter_context(_socket_in(self._folder, self._site, _listen))
            stack.callback(lambda: (self._folder / f"{self._site}.sock").unlink(missing_ok=True))
            self._serve(connections, self._relay)
            self._serve(messages, self._answer)
            self._work_until_told(f"127.0.0.1:{connections.getsockname()[1]}")

    def _serve(self, listening: socket.socket, handle: Callable[[socket.socket], None]) -> None:
        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    threading.Thread(target=handle, args=(connection,), daemon=True).start()
        threading.Thread(target=accept, daemon=True).start()

    def _relay(self, connection: socket.socket) -> None:
        with self._changed:
            self._end.attach(connection)

    def _work_until_told(self, address: str) -> None:
        with self._changed:
            while not self._told and time.monotonic() - self._heard < self._idle:
                self._changed.wait_for(lambda: self._working or self._told, timeout=1.0)
                if not self._working:
                    continue
                begun = self._begun
                self._changed.release()
                try:
                    failed, again = self._work_once(address)
                finally:
                    self._changed.acquire()
                self._failed = failed
                self._working = (again or self._begun != begun) and not self._finishing
                self._changed.notify_all()

    def _work_once(self, address: str) -> tuple[str, bool]:
        """Why it failed, and whether the same may work later."""
        try:
            self._work(address, self._stop)
            return "", False
        except TransportError as error:
            self._stop.wait(RETRY)
            return str(error), True
        except Exception as error:
            return str(error) if isinstance(error, Error) else f"{type(error).__name__}: {error}", False

    def _answer(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            _send(connection, self.answer(_receive(connection)))
            with self._changed:
                self._told = self._told or (self._finishing and not self._working)
                self._changed.notify_all()

    def answer(self, message: Fields) -> Fields:
        """The answer to a message of the server."""
        with self._changed:
            self._heard = time.monotonic()
            if message["server"] != self._server:
                self._begin(str(message["server"]))
            end, session = self._end, self._session
            # A message to a mailbox that is gone was written by another stream.
            mine = message["session"] == session
            self._finishing = bool(message["finish"])
        if mine:
            try:
                end.take(Packet(int(message["ack"]), int(message["start"]), bytes(message["data"])))
            except TransportError:
                with self._changed:
                    self._begin(self._server)
                    end, session = self._end, self._session
        self._wait(end, float(message["hold"]))
        with self._changed:
            asks, packet = end.asks(), end.give()
            return {"site": self._site, "session": session, "failed": self._failed, "asks": int(asks),
                    "ack": packet.ack, "start": packet.start, "data": packet.data,
                    "ended": int(self._finishing and not self._working)}

    def _wait(self, end: RelayEnd, seconds: float) -> None:
        if not self._finishing:
            return end.wait(seconds)
        with self._changed:
            if not self._changed.wait_for(lambda: not self._working, timeout=seconds):
                self._stop.set()  # the server has ended, so nothing is left to do

    def _begin(self, server: str) -> None:
        """Another server, or the same one started again: the connections to the last one are lost."""
        self._end.close()
        self._server, self._session, self._end = server, secrets.token_hex(8), RelayEnd()
        self._begun += 1
        self._working = True
        self._changed.notify_all()


def ask(folder: Path, site: str, message: Fields) -> Fields:
    """Hands a message to the mailbox of a site.

    Raises:
        NoMailbox: There is none.
    """
    try:
        with _socket_in(folder, site, _connect) as connection:
            _send(connection, message)
            return _receive(connection)
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ECONNREFUSED):
            raise
        if not message["finish"]:
            raise NoMailbox from error
    return {"site": site, "session": message["session"], "failed": "", "asks": 0, "ack": 0, "start": 0, "data": b"",
            "ended": 1}


def _listen(connection: socket.socket, path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    connection.bind(path)
    connection.listen()


def _connect(connection: socket.socket, path: str) -> None:
    connection.connect(path)


@contextlib.contextmanager
def _socket_in(folder: Path, site: str, use: Callable[[socket.socket, str], None]) -> Iterator[socket.socket]:
    """The path of such a socket has at most 107 bytes, that of a folder may be longer."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            use(connection, f"/proc/self/fd/{opened}/{site}.sock")
            yield connection
    finally:
        os.close(opened)


def _send(connection: socket.socket, fields: Fields) -> None:
    head = json.dumps({key: value for key, value in fields.items() if key != "data"}).encode()
    connection.sendall(SIZES.pack(len(head), len(fields["data"])) + head + fields["data"])


def _receive(connection: socket.socket) -> Fields:
    head, data = SIZES.unpack(_read(connection, SIZES.size))
    if head > MOST_HEAD or data > MOST_DATA:
        raise OSError("a message of another program")
    fields: Fields = json.loads(_read(connection, head))
    fields["data"] = _read(connection, data)
    return fields


def _read(connection: socket.socket, size: int) -> bytes:
    read = bytearray()
    while len(read) < size:
        some = connection.recv(min(size - len(read), 1 << 20))
        if not some:
            raise ConnectionResetError("the other end closed the connection")
        read += some
    return bytes(read)
