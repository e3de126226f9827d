"""What clients do that do harm. Each attack takes the daemon, a count and the seconds that it may take, and returns what
it did in words."""

import os
import random
import selectors
import socket
import ssl
import struct
import subprocess
import time

LINGER_RESET = struct.pack("ii", 1, 0)
# A ClientHello that announces 512 bytes and stops.
HALF_HELLO = bytes([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])


def source(index):
    """Addresses of the loopback network, 200 connections each."""
    return "127.0.1.%d" % (2 + index // 200 % 250)


def connect(daemon, index, receive_buffer=None):
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.bind((source(index), 0))
    connection.settimeout(20)
    connection.connect(("127.0.0.1", daemon.port))
    return connection


def secure(daemon, index, receive_buffer=None):
    return daemon.tls.wrap_socket(connect(daemon, index, receive_buffer), server_hostname="localhost")


def is_open(connection):
    connection.settimeout(0)
    try:
        return connection.recv(4096) != b""
    except (BlockingIOError, ssl.SSLWantReadError):
        return True
    except OSError:
        return False


def hold(daemon, count, seconds, make, trickle, pause):
    """Keeps `count` connections open and lets each send a little every `pause` seconds; those that the server ends are
    replaced. Returns how many were made and how many the server ended."""
    deadline = time.monotonic() + seconds
    crowd, made, ended, most = [], 0, 0, 0
    while time.monotonic() < deadline:
        while len(crowd) < count and time.monotonic() < deadline:
            try:
                crowd.append(make(daemon, made))
            except OSError:
                ended += 1
            made += 1
        most = max(most, len(crowd))
        begin = time.monotonic()
        alive = []
        for connection in crowd:
            try:
                if not is_open(connection):
                    raise OSError
                trickle(connection)
                alive.append(connection)
            except OSError:
                ended += 1
                connection.close()
        crowd = alive
        time.sleep(max(0, min(deadline - time.monotonic(), pause - (time.monotonic() - begin))))
    for connection in crowd:
        connection.close()
    return "%d held at once, %d made, %d ended by the server" % (most, made, ended)


def slowloris(daemon, count, seconds):
    def make(daemon, index):
        connection = secure(daemon, index)
        connection.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        return connection
    return hold(daemon, count, seconds, make, lambda connection: connection.send(b"X-a: b\r\n"), 3)


def half_handshakes(daemon, count, seconds):
    def make(daemon, index):
        connection = connect(daemon, index)
        connection.send(HALF_HELLO)
        return connection
    return hold(daemon, count, seconds, make, lambda connection: connection.send(b"\0"), 3)


def slow_readers(daemon, count, seconds):
    def make(daemon, index):
        connection = secure(daemon, index, 8192)
        connection.send(b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % daemon.pack_path.encode())
        return connection
    deadline = time.monotonic() + seconds
    crowd = [make(daemon, index) for index in range(count)]
    while time.monotonic() < deadline and daemon.open_connections() > count // 4:
        time.sleep(1)
    for connection in crowd:
        connection.close()
    return "%d readers that take nothing" % count


def vanish(daemon, count, seconds):
    deadline = time.monotonic() + seconds
    done = 0
    while done < count and time.monotonic() < deadline:
        connection = secure(daemon, done, 16384)
        connection.send(b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % daemon.pack_path.encode())
        connection.recv(4000)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_RESET)
        connection.close()
        done += 1
    return "%d downloads broken off" % done


def resets(daemon, count, seconds):
    deadline = time.monotonic() + seconds
    done = 0
    while done < count and time.monotonic() < deadline:
        connection = connect(daemon, done)
        if done % 2:
            connection.send(HALF_HELLO)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_RESET)
        connection.close()
        done += 1
    return "%d resets" % done


def garbage(daemon, count, seconds):
    deadline = time.monotonic() + seconds
    rng = random.Random(1)
    done = 0
    hello = HALF_HELLO[:5] + bytes([1, 0, 1, 0xfc, 3, 3])
    while done < count and time.monotonic() < deadline:
        connection = connect(daemon, done)
        kind = done % 5
        payload = [
            rng.randbytes(rng.randrange(1, 4000)), b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
            hello + rng.randbytes(600), b"\x80\x2e\x01\x00\x02" + rng.randbytes(46),
            b"\x16\x03\x01\xff\xff" + rng.randbytes(65535)][kind]
        try:
            connection.sendall(payload)
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(4096):
                pass
        except socket.timeout:
            raise AssertionError("the server does not end a connection with garbage of kind %d" % kind)
        except OSError:
            pass
        connection.close()
        done += 1
    return "%d connections with garbage" % done


def renegotiation(daemon, count, seconds):
    # R: again with TLS 1.2. K: new keys of both sides with TLS 1.3, as often as the pipe carries it.
    refused = 0
    for version, letter in [("-tls1_2", "R"), ("-tls1_3", "K")]:
        process = subprocess.Popen(
            ["openssl", "s_client", "-connect", "127.0.0.1:%d" % daemon.port, version], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        time.sleep(1)
        try:
            for _ in range(count):
                process.stdin.write(letter.encode() + b"\n")
                process.stdin.flush()
                time.sleep(0.002)
        except BrokenPipeError:
            pass
        try:
            output = process.communicate(timeout=10)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            output = process.communicate()[0]
        refused += b"no renegotiation" in output
    if not refused:
        raise AssertionError("a renegotiation is not refused")
    return "TLS 1.2 refuses, TLS 1.3 changes its keys"


def descriptors(daemon, count, seconds):
    metrics = daemon.metrics()
    limit = int(metrics["process_max_fds"])
    subprocess.run(
        ["prlimit", "--pid", str(daemon.pid), "--nofile=%d:%d" % (metrics["process_open_fds"] + 40, limit)], check=True)
    crowd = []
    try:
        for index in range(count):
            try:
                crowd.append(connect(daemon, index))
            except OSError:
                pass
        time.sleep(min(seconds, 8))
    finally:
        subprocess.run(["prlimit", "--pid", str(daemon.pid), "--nofile=%d:%d" % (limit, limit)], check=True)
    for connection in crowd:
        connection.close()
    # The metrics need a connection too: they are asked for when there is room again.
    deadline = time.monotonic() + 20
    while True:
        try:
            after = daemon.metrics()
            break
        except OSError:
            if time.monotonic() > deadline:
                raise
    hits = sum(value for name, value in after.items() if 'limit="open_files"' in name)
    if not hits:
        raise AssertionError("the daemon never ran out of descriptors")
    return "%d clients without a descriptor, noticed %d times" % (len(crowd), hits)
