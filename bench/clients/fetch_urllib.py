"""Python's urllib: downloads URL to FILE, resuming as often as it is cut, then asks conditionally. Prints statuses."""

import http.client
import os
import ssl
import sys
import urllib.error
import urllib.request

url, file, authority = sys.argv[1:]
opener = urllib.request.build_opener(
    urllib.request.ProxyHandler({}),
    urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=authority)))
statuses = []
tag = ""
total = None
open(file, "wb").close()
for _ in range(8):
    have = os.path.getsize(file)
    if have == total:
        break
    headers = {"Range": f"bytes={have}-", "If-Range": tag} if have else {}
    with opener.open(urllib.request.Request(url, headers=headers), timeout=20) as response:
        statuses.append(response.status)
        tag = response.headers["ETag"]
        if have == 0:
            total = int(response.headers["Content-Length"])
        with open(file, "ab") as target:
            try:
                while chunk := response.read(65536):
                    target.write(chunk)
            except (OSError, http.client.IncompleteRead) as error:
                # Cut: what came is kept, and the next round asks for the rest.
                target.write(getattr(error, "partial", b""))


def ask(headers):
    try:
        with opener.open(urllib.request.Request(url, headers=headers), timeout=20) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


statuses.append(ask({"If-None-Match": tag}))
statuses.append(ask({"Range": "bytes=0-9", "If-Range": '"other"'}))
statuses.append(ask({"Range": f"bytes={total}-"}))
print(*statuses)
