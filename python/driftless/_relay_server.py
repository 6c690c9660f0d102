"""The server's end of relays to many sites: which node gets a message, and when."""

from __future__ import annotations

import re
import secrets
import socket
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from driftless._errors import TransportError
from driftless._relay import Packet, RelayEnd

Fields = dict[str, Any]  # of a message: text, whole numbers, bytes

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
MOST_BYTES = 256 << 20  # of one message
RETRY = 5.0  # seconds after which a node that failed is asked again
FINISH = 2.0  # seconds that a site has, at the end, for what it still does
LOOK = 1.0  # seconds between two looks at the nodes


class Carrier(Protocol):
    """What carries messages to nodes and answers back; each of them may be lost or come late."""

    def nodes(self) -> Iterable[int]:
        """The nodes that are there now."""

    def send(self, messages: Mapping[int, Fields]) -> dict[str, int]:
        """Sends a message to each of these nodes. Returns which node each of those that are under way went to."""

    def collect(self, messages: Iterable[str]) -> dict[str, Fields | str]:
        """The answers that have come: their fields, or a reason why there is none."""


@dataclass
class _Site:
    session: str
    node: int
    end: RelayEnd
    turn: bool = True  # whether it is the site that everyone waits for
    since: float = field(default_factory=time.monotonic)
    ended: bool = False


@dataclass
class _Node:
    message: str = ""  # under way
    sent: float = 0.0
    site: str = ""
    rest_until: float = 0.0


class RelayServer:
    """Relays the connections of all sites to `address`, the server of the federation, until `finish`.

    Args:
        address: Host and port.
        hold: Seconds that a site keeps a message for which it has no answer, and the server an answer that is due.
        patience: Seconds after which a message counts as lost.
        report: Is told what happens.
        told: Further fields of every message.
    """

    def __init__(self, carrier: Carrier, address: tuple[str, int], *, hold: float, patience: float,
                 report: Callable[[str], object], told: Fields | None = None) -> None:
        self._carrier, self._address, self._told = carrier, address, told or {}
        self._hold, self._patience, self._report = hold, patience, report
        self._server = secrets.token_hex(8)
        self._sites: dict[str, _Site] = {}
        self._nodes: dict[int, _Node] = {}
        self._present: set[int] = set()
        self._looked = float("-inf")
        self._finishing = False
        self._reasons: dict[int, str] = {}

    def step(self) -> None:
        """Sends what is due and takes the answers that have come."""
        now = time.monotonic()
        self._look(now)
        due = {number: self._message(number) for number in self._due(now)}
        if due:
            under_way = self._carrier.send(due)
            for message, number in under_way.items():
                self._nodes[number].message, self._nodes[number].sent = message, now
            for number in due.keys() - under_way.values():
                self._fail(number, "the message could not be sent")
        waiting = {node.message: number for number, node in self._nodes.items() if node.message}
        if waiting:
            for message, answer in self._carrier.collect(waiting).items():
                self._take(waiting[message], answer)

    def finish(self, seconds: float) -> None:
        """Delivers what is left, and tells the sites that nothing follows; takes at most so long."""
        self._finishing = True
        until = time.monotonic() + seconds
        while time.monotonic() < until and not all(site.ended for site in self._sites.values()):
            self.step()
            time.sleep(0.1)
        self.close()

    def close(self) -> None:
        for site in self._sites.values():
            site.end.close()

    def _look(self, now: float) -> None:
        if now - self._looked < LOOK:
            return
        self._looked = now
        self._present = set(self._carrier.nodes())
        for number in self._present - self._nodes.keys():
            self._nodes[number] = _Node()
        for node in self._nodes.values():
            if node.message and now - node.sent > self._patience:
                node.message = ""

    def _due(self, now: float) -> list[int]:
        return [number for number in self._present
                if not self._nodes[number].message and now >= self._nodes[number].rest_until
                and self._is_due(number, now)]

    def _is_due(self, number: int, now: float) -> bool:
        name = self._nodes[number].site
        if not name:
            return not self._finishing or self._nodes[number].sent > 0.0
        site = self._sites[name]
        if site.node != number:  # another node speaks for the site, unless it is gone
            return site.node not in self._present and not site.ended
        if site.ended:
            return False
        return site.turn or site.end.ready() or now - site.since > self._hold or self._finishing

    def _message(self, number: int) -> Fields:
        site = self._sites.get(self._nodes[number].site)
        packet, session, hold = Packet(0, 0, b""), "", self._hold
        if self._finishing:
            hold = min(hold, FINISH)
        if site is not None:
            session = site.session
            asks = site.end.asks()
            packet = site.end.give(MOST_BYTES)
            # While the server is due, a site is only asked whether it has anything to say.
            hold = hold if asks or site.turn or self._finishing else 0.0
            site.turn, site.since = site.turn or asks, time.monotonic()
        return {**self._told, "server": self._server, "session": session, "finish": int(self._finishing),
                "hold": float(hold), "ack": packet.ack, "start": packet.start, "data": packet.data}

    def _take(self, number: int, answer: Fields | str) -> None:
        node = self._nodes[number]
        node.message = ""
        if isinstance(answer, str):
            return self._fail(number, answer)
        try:
            self._take_fields(number, answer)
        except (TransportError, KeyError, TypeError, ValueError) as error:
            self._drop_site(node.site)
            self._fail(number, str(error))

    def _take_fields(self, number: int, answer: Fields) -> None:
        name, session = str(answer["site"]), str(answer["session"])
        if not NAME.fullmatch(name):
            raise TransportError("a node has no valid name of a site", repr(name)[:80],
                                 "give names of letters, digits, '.', '_' and '-'")
        if answer["failed"]:
            self._fail(number, f"site '{name}': {answer['failed']}")
        else:
            self._reasons.pop(number, None)
        site = self._sites.get(name)
        if site is None or site.session != session:
            self._drop_site(name)
            self._report(f"site '{name}' is at node {number}")
            site = self._sites[name] = _Site(session, number, RelayEnd(self._to_server))
        elif site.node != number:
            self._report(f"site '{name}' is at node {number} now")
        site.node, self._nodes[number].site = number, name
        new = site.end.take(Packet(int(answer["ack"]), int(answer["start"]), bytes(answer["data"])))
        if new and answer["asks"]:
            site.turn, site.since = False, time.monotonic()
        site.ended = bool(answer["ended"])

    def _to_server(self) -> socket.socket:
        return socket.create_connection(self._address, timeout=None)

    def _drop_site(self, name: str) -> None:
        if name in self._sites:
            self._sites.pop(name).end.close()
        for node in self._nodes.values():
            if node.site == name:
                node.site = ""

    def _fail(self, number: int, reason: str) -> None:
        self._nodes[number].rest_until = time.monotonic() + RETRY
        if self._reasons.get(number) != reason:
            self._report(f"node {number}: {reason}")
        self._reasons[number] = reason
