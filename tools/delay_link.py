#!/usr/bin/env python3
"""A latency between two network namespaces, for kernels without netem: carries the packets of two tun devices to one
another, each after the given time. Bandwidth is not its business; tc's tbf on the devices limits it.

    tools/delay_link.py NAMESPACE:DEVICE NAMESPACE:DEVICE SECONDS

The devices are there already ("ip tuntap add"). Runs until it is ended. Needs root and Python's standard library.
"""

import collections
import ctypes
import fcntl
import os
import select
import struct
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000
CLONE_NEWNET = 0x40000000


def open_device(name):
    """The tun device of a namespace; this process is left in that namespace."""
    namespace, device = name.split(":")
    libc = ctypes.CDLL(None, use_errno=True)
    with open(f"/run/netns/{namespace}", "rb") as handle:
        if libc.setns(handle.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), f"namespace {namespace}")
    tun = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH22x", device.encode(), IFF_TUN | IFF_NO_PI))
    return tun


def read_packets(tun, due, queue):
    try:
        while True:
            queue.append((due, os.read(tun, 65536)))
    except BlockingIOError:
        pass


def carry(one, other, latency):
    ways = ((one, other, collections.deque()), (other, one, collections.deque()))
    while True:
        dues = [queue[0][0] for _, _, queue in ways if queue]
        wait = max(0.0, min(dues) - time.monotonic()) if dues else None
        ready, _, _ = select.select((one, other), (), (), wait)
        now = time.monotonic()
        for source, target, queue in ways:
            if source in ready:
                read_packets(source, now + latency, queue)
            while queue and queue[0][0] <= now:
                os.write(target, queue.popleft()[1])


def main(arguments):
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    carry(open_device(arguments[0]), open_device(arguments[1]), float(arguments[2]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
