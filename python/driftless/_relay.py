"""One end of a relay: TCP connections as one stream of bytes, cut into packets that may be lost, repeated or late.

A packet tells how many bytes of the other end's stream have arrived, and has everything of this end's stream that is not
acknowledged. So each byte is taken once and in order, whatever becomes of single packets.

The stream is a sequence of frames: kind, number of the connection, size, bytes. `open` announces a connection that was
accepted at this end, `data` are its bytes, `close` tells that it has ended.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from driftless._errors import TransportError

OPEN, DATA, CLOSE = 1, 2, 3
HEAD = struct.Struct(">BIQ")
CHUNK = 1 << 18  # bytes of one read and of one frame, at most
MOST_UNSENT = 64 << 20  # bytes that wait for the other end, at which connections are no longer read
MOST_UNWRITTEN = 1 << 30  # bytes that a connection has not taken, at which it is closed
MOST_CONNECTIONS = 64
# What HTTP/2 says by itself is shorter, or a small share of what has arrived; what a peer says is padded beyond that
# (link_limits.hpp). At the start of a connection also what is short is waited for.
SMALL = 150
SHARE = 200
START = 64
QUIET = 0.1  # seconds without new bytes after which a burst is over


@dataclass(frozen=True)
class Packet:
    """What one end tells the other."""

    ack: int  # bytes of the other end's stream that have arrived here
    start: int  # position in the stream of the first byte
    data: bytes


class RelayEnd:
    """One end. `connect` makes the connection for one that the other end has accepted; without it none is allowed."""

    def __init__(self, connect: Callable[[], socket.socket] | None = None) -> None:
        self._connect = connect
        self._changed = threading.Condition()
        self._out = bytearray()  # not acknowledged
        self._out_start = 0
        self._sent = 0
        self._fresh = 0  # bytes since the last packet
        self._taken = 0  # bytes that arrived since then
        self._asks = False  # whether among the fresh ones is something to which the other end will answer
        self._last_at = 0.0
        self._arrived = 0
        self._partial = bytearray()  # of a frame
        self._connections: dict[int, _Connection] = {}
        self._opened = 0
        self._closed = False

    def attach(self, connection: socket.socket) -> None:
        """Relays a connection that was accepted here."""
        with self._changed:
            if self._closed or len(self._connections) >= MOST_CONNECTIONS:
                connection.close()
                return
            self._opened += 1
            number = self._opened
            self._append(OPEN, number, b"", True)
            self._add(number, connection)

    def take(self, packet: Packet) -> bool:
        """Uses what the other end sent. Returns whether it was new.

        Raises:
            TransportError: It is not a packet of this stream.
        """
        with self._changed:
            self._take_ack(packet.ack)
            known = self._arrived - packet.start
            if known < 0 or known >= len(packet.data):  # a gap, after which the other end sends again; or nothing new
                return False
            new = memoryview(packet.data)[known:]
            self._arrived += len(new)
            self._taken += len(new)
            self._partial += new
            self._take_frames()
            return True

    def _take_ack(self, ack: int) -> None:
        if ack > self._sent:
            raise _misfit(f"{ack} bytes acknowledged of {self._sent}")
        if ack > self._out_start:
            del self._out[:ack - self._out_start]
            self._out_start = ack
            self._changed.notify_all()
        if ack < self._sent:  # a packet was lost: what it had is due again
            self._fresh, self._asks, self._last_at = len(self._out), True, 0.0

    def give(self, most: int = 1 << 30) -> Packet:
        """Everything that is not acknowledged, up to `most` bytes."""
        with self._changed:
            data = bytes(self._out[:most])
            self._sent = max(self._sent, self._out_start + len(data))
            self._fresh = len(self._out) - len(data)
            self._asks, self._taken = self._fresh > 0, 0
            return Packet(self._arrived, self._out_start, data)

    def asks(self) -> bool:
        """Whether bytes wait that have not been given yet and for which somebody waits at the other end."""
        with self._changed:
            return self._asks or self._fresh >= SMALL + self._taken // SHARE

    def ready(self) -> bool:
        """The same, and no more of them are coming."""
        with self._changed:
            return self._wait_of_burst(time.monotonic()) == 0.0

    def wait(self, seconds: float) -> None:
        """Blocks until then, or for so long."""
        until = time.monotonic() + seconds
        with self._changed:
            while not self._closed:
                now = time.monotonic()
                left = self._wait_of_burst(now)
                if left == 0.0 or now >= until:
                    return
                self._changed.wait(min(until - now, left))

    def idle(self) -> bool:
        """Whether no connection is open and the other end has everything."""
        with self._changed:
            return not self._connections and not self._out

    def close(self) -> None:
        """Closes all connections."""
        with self._changed:
            self._closed = True
            connections = list(self._connections.values())
            self._changed.notify_all()
        for connection in connections:
            connection.abort()

    def _wait_of_burst(self, now: float) -> float:
        """Seconds until the burst under way counts as over; 0: it is, infinite: nobody waits for it."""
        if not self.asks():
            return float("inf")
        return max(0.0, self._last_at + QUIET - now)

    def _append(self, kind: int, number: int, data: bytes, asks: bool) -> None:
        self._out += HEAD.pack(kind, number, len(data)) + data
        self._last_at = time.monotonic()
        self._fresh += len(data)
        self._asks = self._asks or asks
        self._changed.notify_all()

    def _take_frames(self) -> None:
        at = 0
        while len(self._partial) - at >= HEAD.size:
            kind, number, size = HEAD.unpack_from(self._partial, at)
            if kind not in (OPEN, DATA, CLOSE) or size > (CHUNK if kind == DATA else 0):
                raise _misfit(f"a frame of kind {kind} with {size} bytes")
            if len(self._partial) - at < HEAD.size + size:
                break
            at += HEAD.size
            self._take_frame(kind, number, bytes(self._partial[at:at + size]))
            at += size
        del self._partial[:at]

    def _take_frame(self, kind: int, number: int, data: bytes) -> None:
        if kind == OPEN:
            self._open(number)
        elif number in self._connections:  # others are closed here, which the other end does not know yet
            self._connections[number].write(data if kind == DATA else None)

    def _open(self, number: int) -> None:
        if self._connect is None or number in self._connections:
            raise _misfit(f"connection {number} opened")
        try:
            if self._closed or len(self._connections) >= MOST_CONNECTIONS:
                raise ConnectionError
            self._add(number, self._connect())
        except OSError:
            self._append(CLOSE, number, b"", True)

    def _add(self, number: int, connection: socket.socket) -> None:
        self._connections[number] = _Connection(self, number, connection)
        self._connections[number].start()

    def _read(self, number: int, data: bytes, starts: bool) -> bool:
        """From the thread of a connection. False where it is to end."""
        with self._changed:
            while len(self._out) > MOST_UNSENT and not self._closed:
                self._changed.wait()
            if not self._closed:
                self._append(DATA, number, data, starts)
            return not self._closed

    def _ended(self, number: int) -> None:
        with self._changed:
            del self._connections[number]
            if not self._closed:
                self._append(CLOSE, number, b"", False)
            self._changed.notify_all()


class _Connection:
    """A connection with a thread that reads it and one that writes."""

    def __init__(self, end: RelayEnd, number: int, connection: socket.socket) -> None:
        self._end, self._number, self._socket = end, number, connection
        self._changed = threading.Condition()
        self._unwritten: deque[bytes] = deque()
        self._bytes = 0
        self._complete = False  # nothing follows what is unwritten

    def start(self) -> None:
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._write, daemon=True).start()

    def write(self, data: bytes | None) -> None:
        """None: the other end has closed the connection."""
        with self._changed:
            if data is None:
                self._complete = True
            elif not self._complete:
                self._unwritten.append(data)
                self._bytes += len(data)
            too_many = self._bytes > MOST_UNWRITTEN
            self._changed.notify()
        if too_many:
            self.abort()

    def abort(self) -> None:
        with self._changed:
            self._complete = True
            self._unwritten.clear()
            self._changed.notify()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes both threads

    def _read(self) -> None:
        read = 0
        with contextlib.suppress(OSError):
            while (data := self._socket.recv(CHUNK)) and self._end._read(self._number, data, read < START):
                read += len(data)
        with self._changed:
            self._complete = True
            self._changed.notify()
        self._end._ended(self._number)

    def _write(self) -> None:
        with contextlib.suppress(OSError):
            while (data := self._next()) is not None:
                self._socket.sendall(data)
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _next(self) -> bytes | None:
        with self._changed:
            while not self._unwritten and not self._complete:
                self._changed.wait()
            if not self._unwritten:
                return None
            data = self._unwritten.popleft()
            self._bytes -= len(data)
            return data


def _misfit(seen: str) -> TransportError:
    return TransportError("the other end of the relay sent what does not fit", seen,
                          "use the same version of driftless at the server and at all sites")
