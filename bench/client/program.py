"""What bench/client/run and bench/client/life share: packs, a daemon, and the client as a program."""

import json
import os
import random
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
APP = "com.example.life"
ESSENTIAL = {"essential": {"installationEventTypes": ["firstInstallation", "subsequentUpdate"]}}
PREFETCH = {"prefetch": {"installationEventTypes": ["firstInstallation"]}}
ON_DEMAND = {"onDemand": {}}


def seconds_of(usage):
    return usage.ru_utime + usage.ru_stime


def measured(command, **options):
    """Runs a command; its exit code, CPU seconds, wall seconds and largest memory in MB."""
    start = time.monotonic()
    process = subprocess.Popen(command, **options)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, seconds_of(usage), time.monotonic() - start, usage.ru_maxrss / 1024


class Service:
    """`packhouse dev` on a folder, and the client against it."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.cache = folder + "/cache"
        self.process = None
        self.noise = random.Random(1)

    def pack(self, name, files, policy, user_info=None):
        """An archive with these files, as bytes or as MiB of noise; its path."""
        source = f"{self.folder}/source/{name}"
        subprocess.run(["rm", "-rf", source], check=True)
        for path, content in files.items():
            os.makedirs(os.path.dirname(f"{source}/{name}/{path}"), exist_ok=True)
            with open(f"{source}/{name}/{path}", "wb") as file:
                if isinstance(content, int):
                    # Piece by piece: what a child needs at most begins with what its parent needs.
                    for _ in range(content):
                        file.write(self.noise.randbytes(1 << 20))
                else:
                    file.write(content)
        manifest = {
            "assetPackID": name, "downloadPolicy": policy, "fileSelectors": [{"directory": name}], "platforms": ["iOS"],
            "sourceRoot": "."}
        if user_info:
            manifest["userInfo"] = user_info
        with open(f"{source}/Manifest.json", "w") as file:
            json.dump(manifest, file)
        archive = f"{self.folder}/{name}.aar"
        subprocess.run(
            [self.program, "pack", "package", f"{source}/Manifest.json", "-o", archive, "--force", "--quiet"],
            check=True, cwd=source)
        return archive

    def start(self, archives):
        with open(self.folder + "/daemon-errors", "ab") as errors:
            self.process = subprocess.Popen(
                [self.program, "dev", "--state", self.folder + "/state", "--listen", "127.0.0.1:0", "--admin",
                 "127.0.0.1:0", "--app", APP, "--json", *archives], stdout=subprocess.PIPE, stderr=errors)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("the daemon did not start: " + open(self.folder + "/daemon-errors").read())
        self.ready = json.loads(line)
        self.environment = dict(
            os.environ, PACKHOUSE_SERVER=self.ready["adminURL"], PACKHOUSE_TOKEN=self.ready["adminToken"],
            PACKHOUSE_CA=self.ready["caCertificate"])

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait()

    def admin(self, *words):
        done = subprocess.run(
            [self.program, *words], env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(words)}: {done.returncode}: {done.stdout}")
        return done.stdout

    def release(self, *archives):
        for archive in archives:
            self.admin("push", archive, "--app", APP, "--wait", "--quiet")
        names = [os.path.basename(archive)[:-4] for archive in archives]
        self.admin("release", "--app", APP, "--track", "production", *names)

    def words(self, *words):
        return [
            self.program, "fetch", *words, "--manifest", self.ready["manifestURL"], "--cache", self.cache, "--ca",
            self.ready["caCertificate"]]

    def fetch(self, *words, code=0):
        """The client's answer, as JSON when it is one."""
        done = subprocess.run(self.words(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode != code:
            raise AssertionError(f"fetch {' '.join(words)}: {done.returncode} instead of {code}: {done.stderr.decode()}")
        return json.loads(done.stdout) if "--json" in words and done.stdout else done.stdout
