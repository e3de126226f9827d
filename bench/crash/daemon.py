"""The daemon that bench/crash/run kills, and a client for it."""

import http.client
import json
import os
import select
import signal
import socket
import ssl
import struct
import subprocess

APP = "com.example.crash"


class Gone(Exception):
    """The daemon did not answer: it was killed."""


class Daemon:
    """The program on one state folder: `dev` once, for certificates, an app, a token and a first pack; then `serve` on
    what that left, with parts of 64 KiB, so that uploads have several."""

    def __init__(self, program, folder, first_pack):
        self.program, self.state = program, folder + "/state"
        self.config, self.notify_path = folder + "/packhouse.json", folder + "/notify"
        self.log = open(folder + "/stderr", "ab")
        self.process = None
        self.bootstrap(first_pack)
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(self.notify_path)
        # The kernel tells who sent a datagram: below strace the daemon is not our child.
        self.notify.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)

    def bootstrap(self, first_pack):
        process = subprocess.Popen([
            self.program, "dev", "--state", self.state, "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--app", APP,
            "--json", first_pack], stdout=subprocess.PIPE, stderr=self.log)
        ready = json.loads(process.stdout.readline())
        process.terminate()
        if process.wait() != 0:
            raise AssertionError("SIGTERM ended it with %d" % process.returncode)
        self.token = ready["adminToken"]
        self.admin = ready["adminURL"].split("//")[1]
        self.client = ready["overrideURL"].split("//")[1]
        self.tls = ssl.create_default_context(cafile=ready["caCertificate"])
        with open(self.config, "w") as file:
            json.dump({
                "stateDirectory": self.state, "publicBaseURL": ready["overrideURL"],
                "listeners": {
                    "client": {
                        "addresses": [self.client], "certificate": self.state + "/tls/leaf.pem",
                        "privateKey": self.state + "/tls/leaf.key"},
                    "admin": {"addresses": [self.admin]}},
                "limits": {"partSize": "64 KiB"},
                # As little is kept as can be, so that every collection has something to do.
                "retention": {"supersededVersions": 1, "supersededTime": "0 s", "grace": "0 s", "archiveTime": "1 h"}, "developmentOverride": {"app": APP, "track": "production"},
                "accessLog": "off"}, file)

    def start(self, prefix=()):
        """Starts it; False when it ended before it was ready, which only an injected kill may cause."""
        self.process = subprocess.Popen(
            list(prefix) + [self.program, "serve", "--config", self.config], stdout=subprocess.PIPE, stderr=self.log,
            env=dict(os.environ, NOTIFY_SOCKET=self.notify_path))
        while True:
            readable, _, _ = select.select([self.notify, self.process.stdout], [], [], 60)
            if self.notify in readable:
                text, ancillary, _, _ = self.notify.recvmsg(4096, 256)
                if b"READY=1" in text:
                    self.pid = struct.unpack("3i", ancillary[0][2])[0]
                    return True
            elif readable:
                self.process.wait()
                return False
            else:
                raise AssertionError("it is not ready after 60 s")

    def kill(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def reap(self):
        self.process.wait()
        self.process.stdout.close()

    def connection(self, authority):
        return http.client.HTTPSConnection(authority, timeout=60, context=self.tls)


class Client:
    """One thread's connection to the admin API or to the client listener."""

    def __init__(self, daemon, authority):
        self.daemon, self.authority = daemon, authority
        self.connection = daemon.connection(authority)

    def send(self, method, path, body=None, token=True):
        fields = {"Authorization": "Bearer " + self.daemon.token} if token else {}
        if isinstance(body, dict):
            body = json.dumps(body)
            fields["Content-Type"] = "application/json"
        try:
            self.connection.request(method, path, body, fields)
            answer = self.connection.getresponse()
            return answer.status, dict((k.lower(), v) for k, v in answer.getheaders()), answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.connection.close()
            raise Gone(str(error))

    def call(self, method, path, body=None, expect=(200, 201)):
        status, _, text = self.send(method, path, body)
        document = json.loads(text)
        if status not in expect:
            raise AssertionError("%s %s: %d %s" % (method, path, status, text.decode()))
        return document

    def create(self, kind, attributes, relationship=None, expect=(201,)):
        data = {"type": kind, "attributes": attributes}
        if relationship:
            name, target, identifier = relationship
            data["relationships"] = {name: {"data": {"type": target, "id": identifier}}}
        return self.call("POST", "/v1/" + kind, {"data": data}, expect)["data"]
