"""What the servers are loaded with. Each function takes a Server and returns the cost per unit of work."""

import contextlib
import json
import os
import socket
import ssl
import subprocess
import time
from concurrent.futures import ProcessPoolExecutor

from servers import BIG_SIZE

HERE = os.path.dirname(os.path.abspath(__file__))


def wrk_command(server, path, connections, seconds, threads=2, headers=()):
    command = ["wrk", "-t", str(threads), "-c", str(connections), "-d", f"{seconds}s", "--timeout", "30s",
               "-s", f"{HERE}/report.lua"]
    for header in headers:
        command += ["-H", header]
    return command + [f"https://localhost:{server.port}{path}"]


def read_report(output):
    for line in output.splitlines():
        if line.startswith("JSON "):
            return json.loads(line[5:])
    raise SystemExit("wrk gave no report:\n" + output)


def wrk(server, path, connections, seconds, headers=(), ranges=False):
    """CPU seconds of the server, and wrk's report."""
    environment = dict(os.environ, RANGE_FILE_SIZE=str(BIG_SIZE if ranges else 0))
    before = server.cpu()
    output = subprocess.run(
        wrk_command(server, path, connections, seconds, headers=headers), env=environment, check=True, text=True,
        stdout=subprocess.PIPE).stdout
    cpu = server.cpu() - before
    report = read_report(output)
    if report["failed"]:
        raise SystemExit(f"{server.name}: {report['failed']} requests failed: {output}")
    return cpu, report


def bulk(server, site, seconds):
    """CPU seconds per GB; 16 connections that each read the big file."""
    cpu, report = wrk(server, site.big, 16, seconds)
    return cpu / report["bytes"] * 1e9


def bulk_curl(server, site, seconds):
    """The same with curl, which reads more at once than wrk: 16 downloads, each of the whole file."""
    urls = " ".join(f'url="https://localhost:{server.port}{site.big}"\noutput="/dev/null"\n' for _ in range(16))
    before = server.cpu()
    subprocess.run(
        ["curl", "-q", "-s", "-k", "--no-progress-meter", "-Z", "--parallel-max", "16", "--parallel-immediate", "-K", "-"], input=urls,
        text=True, check=True)
    return (server.cpu() - before) / (16 * BIG_SIZE) * 1e9


def ranges(server, site, seconds):
    """CPU seconds per GB; 16 connections that ask for random ranges of 1 MiB."""
    cpu, report = wrk(server, site.big, 16, seconds, ranges=True)
    return cpu / report["bytes"] * 1e9


def manifest(server, site, seconds):
    """CPU microseconds per request of the manifest; 64 connections."""
    cpu, report = wrk(server, site.manifest, 64, seconds)
    return cpu / report["requests"] * 1e6


def not_modified(server, site, seconds):
    """The same answered 304."""
    tag = entity_tag(server, site)
    cpu, report = wrk(server, site.manifest, 64, seconds, headers=[f"If-None-Match: {tag}"])
    if report["bytes"] / report["requests"] > 1000:
        raise SystemExit(f"{server.name} did not answer 304")
    return cpu / report["requests"] * 1e6


def tail_latency(server, site, seconds):
    """The manifest's p99 in milliseconds, asked for flat out on 4 connections, while 8 download the big file."""
    with downloads(server, site):
        output = subprocess.run(
            wrk_command(server, site.manifest, 4, seconds, threads=1), check=True, text=True,
            stdout=subprocess.PIPE).stdout
    return read_report(output)["p99"] / 1000


def paced_latency(server, site, seconds):
    """The same, asked for 200 times a second on 4 connections in turn, as devices do that are not in a hurry."""
    context = client_context()
    connections = [connect(server.port, context) for _ in range(4)]
    for connection in connections:
        ask(connection, site.manifest)
    times = []
    with downloads(server, site):
        next_time = time.monotonic()
        for index in range(200 * seconds):
            begin = time.monotonic()
            ask(connections[index % 4], site.manifest)
            times.append(time.monotonic() - begin)
            next_time = max(next_time + 0.005, time.monotonic())
            time.sleep(max(0, next_time - time.monotonic()))
    for connection in connections:
        connection.close()
    return sorted(times)[int(len(times) * 0.99)] * 1000


@contextlib.contextmanager
def downloads(server, site):
    """Eight downloads of the big file that go on meanwhile, by curl, which is faster than the servers."""
    url = f'url="https://localhost:{server.port}{site.big}"\noutput="/dev/null"\n'
    loads = [
        subprocess.Popen(
            ["curl", "-q", "-s", "-k", "--no-progress-meter", "--max-time", "60", "-K", "-"], stdin=subprocess.PIPE,
            text=True)
        for _ in range(8)]
    for load in loads:
        load.stdin.write(url * 40)
        load.stdin.close()
    time.sleep(0.7)  # all eight have begun
    try:
        yield
    finally:
        for load in loads:
            load.kill()
            load.wait()


def connect(port, context, source="127.0.0.1", session=None):
    raw = socket.create_connection(("127.0.0.1", port), timeout=30, source_address=(source, 0))
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return context.wrap_socket(raw, server_hostname="localhost", session=session)


def client_context():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def ask(connection, path):
    """One request with its answer, whole."""
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost:{connection.getpeername()[1]}\r\n\r\n".encode())
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
    while len(body) < length:
        body += connection.recv(65536)
    return head


def entity_tag(server, site):
    with connect(server.port, client_context()) as connection:
        head = ask(connection, site.manifest).decode()
    return next(line[5:].strip() for line in head.split("\r\n") if line.lower().startswith("etag:"))


def shake_hands(port, path, seconds, resumes):
    """Handshakes, one after the other, for some seconds; returns how many."""
    context = client_context()
    session = None
    if resumes:
        with connect(port, context) as connection:
            ask(connection, path)
            session = connection.session
    count = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with connect(port, context, session=session) as connection:
            if resumes and not connection.session_reused:
                raise RuntimeError("the server did not resume a session")
        count += 1
    return count


def handshakes(server, site, seconds, resumes):
    before = server.cpu()
    with ProcessPoolExecutor(2) as pool:
        counts = [pool.submit(shake_hands, server.port, site.manifest, seconds, resumes) for _ in range(2)]
        total = sum(count.result() for count in counts)
    return (server.cpu() - before) / total * 1e6


def full_handshakes(server, site, seconds):
    """CPU microseconds per full TLS 1.3 handshake."""
    return handshakes(server, site, seconds, False)


def resumed_handshakes(server, site, seconds):
    """CPU microseconds per resumed TLS 1.3 handshake."""
    return handshakes(server, site, seconds, True)


def idle_memory(server, site, count=5000):
    """Resident bytes per idle connection, each of which has got the manifest once."""
    context = client_context()
    with connect(server.port, context) as connection:
        ask(connection, site.manifest)
    before = server.resident()
    connections = []
    for index in range(count):
        # Several addresses, because the number of connections of one address is limited.
        connections.append(connect(server.port, context, source=f"127.0.1.{1 + index // 100}"))
        ask(connections[-1], site.manifest)
    result = (server.resident() - before) / count
    for connection in connections:
        connection.close()
    return result
