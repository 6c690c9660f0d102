#!/usr/bin/env python3
"""The traffic of synchronous exchanges without the work: the server sends every client its bytes, and each client that
has them all answers with its own; the next exchange begins when the last answer is complete.

    tools/exchange_transfer.py server ADDRESS PORT --clients N --exchanges E --down BYTES --up BYTES
    tools/exchange_transfer.py client ADDRESS PORT --exchanges E --down BYTES --up BYTES

The server prints the seconds of all exchanges; connections are made before the clock starts. Needs nothing but
Python's standard library.
"""

import argparse
import socket
import threading
import time


def receive(connection, count):
    left = count
    while left > 0:
        data = connection.recv(min(left, 1 << 18))
        if not data:
            raise SystemExit("exchange_transfer: the other side has gone")
        left -= len(data)


def serve(given):
    with socket.create_server((given.address, given.port)) as listener:
        listener.settimeout(30)
        connections = [listener.accept()[0] for _ in range(given.clients)]
    message = bytes(given.down)

    def exchange(connection):
        connection.sendall(message)
        receive(connection, given.up)

    for connection in connections:
        connection.settimeout(120)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    start = time.monotonic()
    for _ in range(given.exchanges):
        parts = [threading.Thread(target=exchange, args=(connection,)) for connection in connections]
        for part in parts:
            part.start()
        for part in parts:
            part.join()
    print(f"{time.monotonic() - start:.4f}")


def join(given):
    deadline = time.monotonic() + 20
    while True:
        try:
            connection = socket.create_connection((given.address, given.port), timeout=120)
            break
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    message = bytes(given.up)
    for _ in range(given.exchanges):
        receive(connection, given.down)
        connection.sendall(message)
    # Closed by the server once it has everything.
    connection.recv(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("side", choices=("server", "client"))
    parser.add_argument("address")
    parser.add_argument("port", type=int)
    parser.add_argument("--clients", type=int, default=1)
    for name in ("exchanges", "down", "up"):
        parser.add_argument("--" + name, type=int, required=True)
    given = parser.parse_args()
    (serve if given.side == "server" else join)(given)


if __name__ == "__main__":
    main()
