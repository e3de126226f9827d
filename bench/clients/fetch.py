"""Python's requests: downloads URL to FILE, resuming as often as it is cut, then asks conditionally. Prints statuses."""

import os
import sys

import requests

url, file, authority = sys.argv[1:]
session = requests.Session()
session.trust_env = False  # a bundle named in the environment would win over the next line
session.verify = authority
session.headers["Accept-Encoding"] = "gzip"
statuses = []
tag = ""
total = None
open(file, "wb").close()
for _ in range(8):
    have = os.path.getsize(file)
    if have == total:
        break
    headers = {"Range": f"bytes={have}-", "If-Range": tag} if have else {}
    with session.get(url, headers=headers, stream=True, timeout=20) as response:
        statuses.append(response.status_code)
        tag = response.headers["ETag"]
        if have == 0:
            total = int(response.headers["Content-Length"])
        try:
            with open(file, "ab") as target:
                for chunk in response.iter_content(65536):
                    target.write(chunk)
        except (requests.exceptions.ChunkedEncodingError, requests.exceptions.ConnectionError):
            pass  # cut: the next round asks for the rest


def ask(headers):
    return session.get(url, headers=headers, timeout=20).status_code


statuses.append(ask({"If-None-Match": tag}))
statuses.append(ask({"Range": "bytes=0-9", "If-Range": '"other"'}))
statuses.append(ask({"Range": f"bytes={total}-"}))
print(*statuses)
