"""Uploads while the disk fails: the answer, that nothing is lost, and that it goes on by itself."""

import hashlib
import json
import os
import random
import shutil
import subprocess
import time

from daemon import APP


class Pipeline:
    """One connection to the admin API."""

    def __init__(self, daemon):
        self.daemon, self.connection = daemon, daemon.connection(daemon.admin)

    def send(self, method, path, body=None, token=True):
        fields = {"Authorization": "Bearer " + self.daemon.token} if token else {}
        if isinstance(body, dict):
            body = json.dumps(body)
            fields["Content-Type"] = "application/json"
        try:
            self.connection.request(method, path, body, fields)
            answer = self.connection.getresponse()
            return answer.status, json.loads(answer.read() or b"{}")
        finally:
            # An answer before the end of a body ends the connection.
            self.connection.close()

    def create(self, kind, attributes, name, target, identifier):
        data = {"type": kind, "attributes": attributes,
                "relationships": {name: {"data": {"type": target, "id": identifier}}}}
        status, document = self.send("POST", "/v1/" + kind, {"data": data})
        if status != 201:
            raise AssertionError("POST %s: %d %s" % (kind, status, document))
        return document["data"]

    def version(self, pack):
        app = self.send("GET", "/v1/apps?filter%5BbundleId%5D=" + APP)[1]["data"][0]["id"]
        found = self.send("GET", "/v1/apps/%s/backgroundAssets?filter%%5BassetPackIdentifier%%5D=%s" % (app, pack))
        data = found[1]["data"]
        asset = data[0] if data else self.create(
            "backgroundAssets", {"assetPackIdentifier": pack}, "app", "apps", app)
        return self.create("backgroundAssetVersions", {}, "backgroundAsset", "backgroundAssets", asset["id"])["id"]


def may_trace():
    if not shutil.which("strace"):
        return False
    return subprocess.run(
        ["strace", "-o", "/dev/null", "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


class Failing:
    """As long as it lasts, every pwrite of the daemon fails."""

    def __init__(self, daemon, error):
        self.process = subprocess.Popen(
            ["strace", "-f", "-p", str(daemon.pid), "-e", "trace=pwrite64", "-e", "inject=pwrite64:error=" + error],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while "attached" not in self.process.stderr.readline():
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # SIGINT lets strace go of the daemon.
        self.process.send_signal(2)
        self.process.communicate(timeout=30)


def full_disk(daemon, count, seconds):
    archive = "%s/other.aar" % daemon.folder
    folder = daemon.folder + "/other"
    os.makedirs(folder, exist_ok=True)
    with open(folder + "/content.bin", "wb") as file:
        file.write(random.Random(1).randbytes(200_000))
    with open(folder + "/Manifest.json", "w") as file:
        json.dump({"assetPackID": "other", "downloadPolicy": {"onDemand": {}}, "sourceRoot": ".",
                   "fileSelectors": [{"filePattern": "content.bin"}], "platforms": []}, file)
    subprocess.run([daemon.program, "pack", "package", folder + "/Manifest.json", "-o", archive], check=True,
                   stdout=subprocess.DEVNULL)
    data = open(archive, "rb").read()
    pipeline = Pipeline(daemon)
    version = pipeline.version("other")
    upload = pipeline.create(
        "backgroundAssetUploadFiles", {"assetType": "ASSET", "fileName": "a.aar", "fileSize": len(data)},
        "backgroundAssetVersion", "backgroundAssetVersions", version)
    parts = upload["attributes"]["uploadOperations"]

    def put(part):
        bytes_ = data[part["offset"]:part["offset"] + part["length"]]
        return pipeline.send("PUT", "/" + part["url"].split("/", 3)[3], bytes_, token=False)
    words = []
    for error, expected, code in [("ENOSPC", 507, "DISK_FULL"), ("EIO", 500, "INTERNAL_FAILURE")]:
        with Failing(daemon, error):
            status, document = put(parts[0])
            if status != expected or document["errors"][0]["code"] != code:
                raise AssertionError("a part is answered %d %s on %s" % (status, document, error))
        words.append("%s %d" % (error, status))
    for part in parts:
        status, document = put(part)
        if status != 200:
            raise AssertionError("a part is answered %d %s when there is room again" % (status, document))
    body = {"data": {"type": "backgroundAssetUploadFiles", "id": upload["id"], "attributes": {
        "uploaded": True,
        "sourceFileChecksums": {"file": {"hash": hashlib.sha256(data).hexdigest(), "algorithm": "SHA_256"}}}}}
    status, document = pipeline.send("PATCH", "/v1/backgroundAssetUploadFiles/" + upload["id"], body)
    if status != 200:
        raise AssertionError("the commit is answered %d %s" % (status, document))
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        state = pipeline.send("GET", "/v1/backgroundAssetVersions/" + version)[1]["data"]["attributes"]["state"]
        if state != "PROCESSING":
            break
        time.sleep(0.1)
    if state != "COMPLETE":
        raise AssertionError("the version is " + state)
    return ", ".join(words) + ", then COMPLETE"
