"""The relay with which a federation runs inside of a Flower app, without Flower. scripts/test-flower is with it."""

from __future__ import annotations

import importlib.util
import random
import socket
import threading
import time
from pathlib import Path

import pytest
from federation import WAIT, Ridge, fingerprint, summary_fingerprint

import driftless
from driftless import _flower, _relay
from driftless._relay import Packet, RelayEnd
from driftless._relay_server import RelayServer
from driftless._relay_site import Mailbox, NoMailbox, ask

OWN = {"problem": {"kind": "own", "dim": 6}, "federation": {"clients": 3}, "stop": {"rounds": 6},
       "network": {"sites": ["north", "south"], "grace": 60},
       "method": [{"name": "gd", "step": 0.5}, {"name": "dane+-gd", "lambda": 0.2, "eta": 2.0, "local_steps": 5}]}
OPTIONS = {"gd": {"step": 0.5}, "dane+-gd": {"lambda_": 0.2, "eta": 2.0, "local_steps": 5}}


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """A burst is over soon, and a node that failed is asked again soon."""
    monkeypatch.setattr(_relay, "QUIET", 0.01)
    monkeypatch.setattr("driftless._relay_server.RETRY", 0.1)
    monkeypatch.setattr("driftless._relay_server.LOOK", 0.05)


class Ends:
    """Two ends of a relay, and a server at the far one whose connections the test plays."""

    def __init__(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.near = RelayEnd()
        self.far = RelayEnd(lambda: socket.create_connection(self.listening.getsockname()))

    def connection(self) -> tuple[socket.socket, socket.socket]:
        """The two outer ends of a new connection."""
        mine, relayed = socket.socketpair()
        self.near.attach(relayed)
        self.far.take(self.near.give())
        theirs, _ = self.listening.accept()
        for one in (mine, theirs):
            one.settimeout(WAIT)
        return mine, theirs

    def close(self) -> None:
        self.near.close()
        self.far.close()
        self.listening.close()


@pytest.fixture()
def ends():
    made = Ends()
    yield made
    made.close()


def given(end: RelayEnd, least: int = 1) -> Packet:
    """The packet that has so many bytes."""
    until = time.monotonic() + WAIT
    while len(end.give().data) < least and time.monotonic() < until:
        time.sleep(0.001)
    return end.give()


def read(connection: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        some = connection.recv(size - len(found))
        assert some
        found += some
    return found


def test_bytes_arrive_in_both_directions(ends):
    mine, theirs = ends.connection()
    mine.sendall(b"to the server")
    ends.far.take(given(ends.near, _relay.HEAD.size + 1))
    assert read(theirs, 13) == b"to the server"
    theirs.sendall(b"x" * 1000)
    ends.near.take(given(ends.far))
    assert read(mine, 1000) == b"x" * 1000


def test_a_packet_that_comes_twice_is_taken_once(ends):
    mine, theirs = ends.connection()
    mine.sendall(b"a" * 200)
    packet = given(ends.near, 200)
    assert ends.far.take(packet) and not ends.far.take(packet)
    mine.sendall(b"b")
    ends.far.take(given(ends.near, len(packet.data) + 1))
    assert read(theirs, 201) == b"a" * 200 + b"b"


def test_a_packet_that_is_lost_is_sent_again_with_what_follows(ends):
    mine, theirs = ends.connection()
    ends.near.take(ends.far.give())  # acknowledges that the connection is open
    mine.sendall(b"a" * 200)
    lost = given(ends.near, 200)
    mine.sendall(b"b" * 200)
    again = given(ends.near, 400)
    assert again.start == lost.start and again.data.startswith(lost.data) and len(again.data) > len(lost.data)
    assert ends.far.take(again)
    assert not ends.far.take(lost)  # it was late
    assert read(theirs, 400) == b"a" * 200 + b"b" * 200


def test_a_lost_packet_is_due_at_once_when_the_other_end_shows_that_it_is_missing(ends):
    mine, _ = ends.connection()
    mine.sendall(b"a" * 200)
    given(ends.near, 200)
    assert not ends.near.ready()
    ends.near.take(Packet(0, 0, b""))
    assert ends.near.ready()


def test_bytes_after_a_gap_wait_for_those_before(ends):
    mine, theirs = ends.connection()
    mine.sendall(b"a" * 200)
    first = given(ends.near, 200)
    ends.near.take(Packet(first.start + len(first.data), 0, b""))
    mine.sendall(b"b" * 200)
    second = given(ends.near, 200)
    assert not ends.far.take(second)
    assert ends.far.give().ack == first.start + len(first.data) - 200 - _relay.HEAD.size
    assert ends.far.take(first) and ends.far.take(second)
    assert read(theirs, 400) == b"a" * 200 + b"b" * 200


def test_what_is_acknowledged_is_not_sent_again(ends):
    mine, _ = ends.connection()
    mine.sendall(b"a" * 200)
    ends.far.take(given(ends.near))
    assert ends.near.give().data != b""
    ends.near.take(ends.far.give())
    assert ends.near.give().data == b""


def test_large_messages_of_several_connections_arrive_whole(ends):
    pairs = [ends.connection() for _ in range(3)]
    texts = [random.Random(k).randbytes(5_000_000) for k in range(3)]
    senders = [threading.Thread(target=mine.sendall, args=(text,))
               for (mine, _), text in zip(pairs, texts, strict=True)]
    found = [b""] * 3
    readers = [threading.Thread(target=lambda k=k: found.__setitem__(k, read(pairs[k][1], 5_000_000)))
               for k in range(3)]
    for thread in senders + readers:
        thread.start()
    while any(thread.is_alive() for thread in readers):
        ends.far.take(ends.near.give(1_000_000))
        ends.near.take(ends.far.give())
    assert found == texts


def test_a_connection_that_ends_at_one_side_ends_at_the_other_after_its_last_bytes(ends):
    mine, theirs = ends.connection()
    mine.sendall(b"last words")
    mine.close()
    until = time.monotonic() + WAIT
    while not (ends.near.idle() and ends.far.idle()) and time.monotonic() < until:
        ends.far.take(ends.near.give())
        ends.near.take(ends.far.give())
    assert theirs.recv(100) == b"last words" and theirs.recv(100) == b""
    assert ends.near.idle() and ends.far.idle()


def test_a_server_that_does_not_listen_closes_the_connection(ends):
    ends.listening.close()
    mine, relayed = socket.socketpair()
    mine.settimeout(WAIT)
    ends.near.attach(relayed)
    ends.far.take(ends.near.give())
    ends.near.take(ends.far.give())
    assert mine.recv(1) == b""


def test_a_small_burst_waits_for_one_that_somebody_waits_for_but_not_at_the_start(ends):
    mine, _ = ends.connection()
    for size, due in ((40, True), (_relay.START, True), (40, False), (_relay.SMALL, True)):
        packet = ends.near.give()
        ends.near.take(Packet(packet.start + len(packet.data), 0, b""))
        mine.sendall(b"p" * size)
        ends.near.wait(WAIT if due else 0.2)
        assert ends.near.ready() == due


@pytest.mark.parametrize("packet", [
    Packet(10**6, 0, b""),  # acknowledges what was never sent
    Packet(0, 0, _relay.HEAD.pack(9, 1, 0)), Packet(0, 0, _relay.HEAD.pack(_relay.DATA, 1, 1 << 40)),
    Packet(0, 0, _relay.HEAD.pack(_relay.OPEN, 1, 5)),
    Packet(0, 0, _relay.HEAD.pack(_relay.OPEN, 1, 0))])  # nothing listens at this end
def test_what_is_no_packet_of_this_relay_is_an_error(packet):
    with pytest.raises(driftless.TransportError, match="does not fit"):
        RelayEnd().take(packet)


class Carrier:
    """Carries messages to mailboxes by threads, and loses, repeats and delays some."""

    def __init__(self, folder: Path, sites: dict[int, str], faults: float = 0.0) -> None:
        self.folder, self.sites, self.faults = folder, sites, faults
        self.chance = random.Random(5)
        self.away: set[int] = set()
        self.answers: dict[str, object] = {}
        self.count = 0

    def nodes(self):
        return [number for number in self.sites if number not in self.away]

    def send(self, messages):
        sent = {}
        for number, message in messages.items():
            self.count += 1
            sent[f"m{self.count}"] = number
            if self.chance.random() >= self.faults:
                times = 2 if self.chance.random() < self.faults else 1
                for _ in range(times):
                    threading.Thread(target=self._carry, args=(f"m{self.count}", number, message), daemon=True).start()
        return sent

    def _carry(self, name, number, message):
        try:
            answer = ask(self.folder, self.sites[number], message)
        except (OSError, NoMailbox) as error:
            answer = f"{type(error).__name__}: {error}"
        if self.chance.random() >= self.faults and number not in self.away:
            self.answers[name] = answer

    def collect(self, messages):
        return {name: self.answers.pop(name) for name in list(messages) if name in self.answers}


class Relayed:
    """A server, relays, and sites, all in this process."""

    def __init__(self, folder: Path, faults: float = 0.0) -> None:
        self.folder, self.faults = folder, faults
        self.clients = {"north": [Ridge(0), Ridge(1)], "south": [Ridge(2)]}
        self.carrier = Carrier(folder / "relays", {7: "north", 8: "south"}, faults)
        self.reports: list[str] = []
        self.runs: dict[str, driftless.Run] = {}
        self.threads: list[threading.Thread] = []

    def start_site(self, site: str) -> None:
        def work(address: str, stop: threading.Event) -> None:
            self.runs[site] = driftless.join(address, clients=self.clients[site], plain=True, site=site, wait=WAIT,
                                             out=self.folder / site, threads=1, latency=5.0, stop_token=stop)
        mailbox = Mailbox(self.folder / "relays", site, work, idle=WAIT)
        self.threads.append(threading.Thread(target=mailbox.run))
        self.threads[-1].start()

    def serve(self, config=OWN, while_running=lambda relay: None) -> driftless.Run:
        server = _flower._Server(lambda told: driftless.serve(
            config, listen="127.0.0.1:0", plain=True, out=self.folder / "server", latency=5.0,
            on_listen=told.listening, stop_token=told.stop))
        hold, patience = (0.3, 0.5) if self.faults else (1.0, WAIT)
        relay = RelayServer(self.carrier, server.address(), hold=hold, patience=patience, report=self.reports.append)
        while server.runs():
            relay.step()
            if while_running(self) == "stop":
                server.stop.set()
            time.sleep(0.01)
        relay.finish(WAIT)
        return server.result()

    def check(self, run: driftless.Run) -> None:
        for thread in self.threads:
            thread.join(WAIT)
            assert not thread.is_alive()
        alone = [client for site in ("north", "south") for client in self.clients[site]]
        for label, options in OPTIONS.items():
            expected = summary_fingerprint(driftless.minimize(alone, label, rounds=6, **options))
            for found in (run, self.runs["north"], self.runs["south"]):
                assert fingerprint(found, label) == expected


@pytest.fixture()
def network():
    pytest.importorskip("driftless._net", reason="this build of the package has no network")


def test_a_relayed_federation_has_the_bits_of_one_process(network, tmp_path):
    federation = Relayed(tmp_path)
    for site in federation.clients:
        federation.start_site(site)
    federation.check(federation.serve())
    assert sorted(federation.reports) == ["site 'north' is at node 7", "site 'south' is at node 8"]


def test_messages_that_are_lost_repeated_and_late_change_no_bit(network, tmp_path):
    federation = Relayed(tmp_path, faults=0.05)
    for site in federation.clients:
        federation.start_site(site)
    federation.check(federation.serve())


def test_a_node_that_vanishes_is_replaced_by_another_one_of_the_same_site(network, tmp_path):
    federation = Relayed(tmp_path)
    for site in federation.clients:
        federation.start_site(site)

    def replace(now: Relayed) -> None:
        if now.carrier.count > 20 and 9 not in now.carrier.sites:
            now.carrier.away.add(7)
            now.carrier.sites[9] = "north"
    federation.check(federation.serve(while_running=replace))
    assert "site 'north' is at node 9 now" in federation.reports


def test_a_site_that_starts_later_takes_part(network, tmp_path):
    federation = Relayed(tmp_path)
    federation.start_site("north")

    def start(now: Relayed) -> None:
        if now.carrier.count > 10 and len(now.threads) == 1:
            now.start_site("south")
    federation.check(federation.serve(while_running=start))
    assert any(text.startswith("node 8: ") for text in federation.reports)  # nobody was there at first


def test_a_federation_that_was_stopped_continues_with_other_relays(network, tmp_path):
    first, second = Relayed(tmp_path), Relayed(tmp_path)
    metrics = tmp_path / "server" / "results" / "gd" / "metrics.csv"
    for site in first.clients:
        first.start_site(site)
    first.serve(while_running=lambda now: "stop" if metrics.exists() and metrics.read_text().count("\n") > 3 else "")
    for thread in first.threads:
        thread.join(WAIT)
    assert not (tmp_path / "server" / "results" / "dane+-gd" / "model.npy").exists()  # it did not finish
    for site in second.clients:
        second.start_site(site)
    second.check(second.serve())


def test_a_site_that_cannot_take_part_says_why_at_the_server(network, tmp_path):
    federation = Relayed(tmp_path)
    federation.clients["south"] = [Ridge(2, dim=7)]
    for site in federation.clients:
        federation.start_site(site)
    with pytest.raises(driftless.Error):
        federation.serve()
    assert any("another number of variables" in text for text in federation.reports)


MESSAGE = {"server": "s", "session": "", "finish": 0, "hold": 0.0, "ack": 0, "start": 0, "data": b""}


def wait_for_mailbox(folder: Path) -> None:
    until = time.monotonic() + WAIT
    while True:
        try:
            ask(folder, "north", MESSAGE)
            return
        except NoMailbox:
            assert time.monotonic() < until
            time.sleep(0.01)


def test_only_one_process_has_the_mailbox_of_a_site(tmp_path):
    first = Mailbox(tmp_path, "north", lambda address, stop: None, idle=WAIT)
    thread = threading.Thread(target=first.run)
    thread.start()
    wait_for_mailbox(tmp_path)
    Mailbox(tmp_path, "north", lambda address, stop: pytest.fail("it works"), idle=WAIT).run()
    message = {**MESSAGE, "finish": 1, "hold": WAIT}
    assert ask(tmp_path, "north", message)["ended"] == 1
    thread.join(WAIT)
    assert not thread.is_alive() and not (tmp_path / "north.sock").exists()
    assert ask(tmp_path, "north", message)["ended"] == 1  # nothing is left to tell
    with pytest.raises(NoMailbox):
        ask(tmp_path, "north", {**message, "finish": 0})


def test_a_mailbox_of_a_folder_with_a_long_name_can_be_reached(tmp_path):
    folder = tmp_path / ("long" * 30) / ("longer" * 30)
    thread = threading.Thread(target=Mailbox(folder, "north", lambda address, stop: None, idle=WAIT).run)
    thread.start()
    wait_for_mailbox(folder)
    message = {**MESSAGE, "finish": 1, "hold": WAIT}
    assert ask(folder, "north", message)["site"] == "north"
    thread.join(WAIT)


@pytest.mark.skipif(importlib.util.find_spec("flwr") is not None, reason="Flower is installed here")
def test_import_without_flower_says_what_to_install():
    with pytest.raises(ImportError, match="pip install flwr"):
        importlib.import_module("driftless.flower")


def test_functions_of_a_client_app_must_be_importable():
    assert _flower._reference("clients", summary_fingerprint) == ["federation", "summary_fingerprint"]
    def inner(context):
        return []

    for function in (lambda context: [], inner, 3):
        with pytest.raises(driftless.ConfigError, match="another process can import"):
            _flower._reference("clients", function)
