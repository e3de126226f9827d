"""A client that behaves: it is to be served whatever others do. Runs as a process of its own and prints what it saw."""

import http.client
import json
import signal
import ssl
import sys
import time


def main():
    options = json.loads(sys.argv[1])
    context = ssl.create_default_context(cafile=options["authority"])
    running = True

    def stop(*_):
        nonlocal running
        running = False
    signal.signal(signal.SIGTERM, stop)
    connection = None
    times, handshakes, failures, count = [], [], [], 0
    print("ready", flush=True)
    while running:
        count += 1
        try:
            begin = time.perf_counter()
            isNew = connection is None or options["renews"] and count % options["renews"] == 0
            if isNew:
                if connection:
                    connection.close()
                connection = http.client.HTTPSConnection("127.0.0.1", options["port"], timeout=30, context=context)
            fields = {"Host": "localhost"}
            path = options["manifest"]
            if count % 3 == 0:
                path, fields["Range"] = options["pack"], "bytes=%d-%d" % (count % 1000 * 1000, count % 1000 * 1000 + 65535)
            connection.request("GET", path, headers=fields)
            answer = connection.getresponse()
            body = answer.read()
            if answer.status != (206 if "Range" in fields else 200) or "Range" in fields and len(body) != 65536:
                raise AssertionError("%s is answered %d with %d bytes" % (path, answer.status, len(body)))
            (handshakes if isNew else times).append(time.perf_counter() - begin)
        except Exception as error:
            failures.append("%s after %.2f s: %s" % (type(error).__name__, time.perf_counter() - begin, error))
            connection = None
        time.sleep(0.01)
    times.sort()
    handshakes.sort()

    def at(list, part):
        return list[min(len(list) - 1, int(len(list) * part))] * 1000 if list else 0
    print(json.dumps({
        "requests": len(times) + len(handshakes), "failures": failures, "p50": at(times, 0.5), "p99": at(times, 0.99),
        "max": at(times, 1), "new50": at(handshakes, 0.5), "new99": at(handshakes, 0.99)}), flush=True)


main()
