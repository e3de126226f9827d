"""The daemon that the scripts of bench/faults trouble, with one pack in service, and what it says of itself."""

import http.client
import json
import os
import random
import re
import select
import socket
import ssl
import struct
import subprocess

APP = "com.example.faults"


class Daemon:
    """`packhouse dev` once, for certificates, an app, a token and a pack; then `serve` on what that left."""

    def __init__(self, program, folder, size=16 << 20):
        self.program, self.folder, self.state = program, folder, folder + "/state"
        self.config, self.notify_path = folder + "/packhouse.json", folder + "/notify"
        self.errors = folder + "/errors"
        self.log = open(self.errors, "ab")
        self.process = None
        with open(folder + "/content.bin", "wb") as file:
            file.write(random.Random(2).randbytes(size))
        with open(folder + "/Manifest.json", "w") as file:
            json.dump({
                "assetPackID": "sample", "downloadPolicy": {"onDemand": {}}, "sourceRoot": ".",
                "fileSelectors": [{"filePattern": "content.bin"}], "platforms": []}, file)
        self.bootstrap()
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(self.notify_path)
        self.notify.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)

    def bootstrap(self):
        process = subprocess.Popen([
            self.program, "dev", "--state", self.state, "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--app", APP,
            "--json", self.folder + "/Manifest.json"], stdout=subprocess.PIPE, stderr=self.log)
        ready = json.loads(process.stdout.readline())
        process.terminate()
        if process.wait(60) != 0:
            raise AssertionError("SIGTERM ended it with %d" % process.returncode)
        process.stdout.close()
        self.token = ready["adminToken"]
        self.admin = ready["adminURL"].split("//")[1]
        self.port = int(ready["overrideURL"].rsplit(":", 1)[1])
        self.base = ready["overrideURL"]
        self.manifest = "/" + ready["manifestURL"].split("/", 3)[3]
        self.authority = ready["caCertificate"]
        self.tls = ssl.create_default_context(cafile=self.authority)

    def start(self, limits=None, access_log="off"):
        with open(self.config, "w") as file:
            json.dump({
                "stateDirectory": self.state, "publicBaseURL": self.base,
                "listeners": {
                    "client": {
                        "addresses": ["127.0.0.1:%d" % self.port], "certificate": self.state + "/tls/leaf.pem",
                        "privateKey": self.state + "/tls/leaf.key"},
                    "admin": {"addresses": [self.admin]}},
                "limits": limits or {}, "accessLog": access_log, "metrics": {"open": True}}, file)
        self.process = subprocess.Popen(
            [self.program, "serve", "--config", self.config], stdout=subprocess.DEVNULL, stderr=self.log,
            env=dict(os.environ, NOTIFY_SOCKET=self.notify_path))
        while True:
            readable, _, _ = select.select([self.notify], [], [], 60)
            if not readable or self.process.poll() is not None:
                raise AssertionError("it is not ready: " + open(self.errors).read()[-2000:])
            text, ancillary, _, _ = self.notify.recvmsg(4096, 256)
            if b"READY=1" in text:
                self.pid = struct.unpack("3i", ancillary[0][2])[0]
                return

    def stop(self):
        if self.process is None:
            return
        self.process.terminate()
        try:
            code = self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("it does not end after SIGTERM")
        self.process = None
        if code != 0:
            raise AssertionError("SIGTERM ended it with %d" % code)

    def connection(self, authority=None, timeout=60):
        return http.client.HTTPSConnection(authority or "127.0.0.1:%d" % self.port, timeout=timeout, context=self.tls)

    def get(self, path, fields=None, authority=None):
        connection = self.connection(authority)
        try:
            connection.request("GET", path, headers=dict({"Host": "localhost"}, **(fields or {})))
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def pack(self):
        """The path of the pack and its bytes."""
        document = json.loads(self.get(self.manifest)[1])["assetPacks"][0]
        path = "/" + document["url"].split("/", 3)[3]
        return path, self.get(path)[1]

    def metrics(self):
        text = self.get("/metrics", authority=self.admin)[1].decode()
        return {name + (labels or ""): float(value)
                for name, labels, value in re.findall(r"^(\w+)(\{.*\})? (\S+)$", text, re.M)}

    def open_connections(self):
        return self.metrics()['packhouse_connections_open{listener="client"}']

    def memory(self):
        for line in open("/proc/%d/status" % self.pid):
            if line.startswith("VmRSS"):
                return int(line.split()[1]) * 1024
