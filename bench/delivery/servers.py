"""The servers of the comparison: `packhouse serve` and others with the same files, certificate and cipher."""

import json
import os
import random
import shutil
import signal
import socket
import ssl
import subprocess
import time
import urllib.request

BIG_SIZE = 256 << 20
SMALL_PACKS = 12  # their manifest has about 4 KB

NGINX = """
user {user};
worker_processes 2;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
worker_rlimit_nofile 65536;
events {{ worker_connections 8192; }}
http {{
  # Debian's defaults for a file server: sendfile and tcp_nopush on; TLS buffers, tickets and session cache as built
  # in. Neither writes an access log.
  sendfile on;
  tcp_nopush on;
  access_log off;
  keepalive_timeout 75;
  keepalive_requests 100000000;
  default_type application/octet-stream;
  types {{ application/json json; }}
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{
    listen 127.0.0.1:{port} ssl reuseport;
    server_name localhost;
    root {folder}/root;
    ssl_certificate {certificate};
    ssl_certificate_key {key};
    ssl_protocols TLSv1.2 TLSv1.3;
    ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256;
    location ~ manifest\\.json$ {{ add_header Cache-Control no-cache; }}
    location / {{ add_header Cache-Control "public, max-age=31536000, immutable"; }}
  }}
}}
"""

LIGHTTPD = """
server.modules = ( "mod_openssl" )
server.document-root = "{folder}/root"
server.bind = "127.0.0.1"
server.port = {port}
server.max-worker = 2
server.max-keep-alive-requests = 100000000
server.max-connections = 8192
server.max-fds = 65536
server.errorlog = "{folder}/lighttpd.log"
etag.use-inode = "disable"
mimetype.assign = ( ".json" => "application/json", "" => "application/octet-stream" )
ssl.engine = "enable"
ssl.pemfile = "{certificate}"
ssl.privkey = "{key}"
ssl.openssl.ssl-conf-cmd = ( "MinProtocol" => "TLSv1.2", "Ciphersuites" => "TLS_AES_128_GCM_SHA256" )
"""

# Its TLS 1.3 picks the cipher by itself: with AES in hardware AES-128-GCM.
CADDY = """
{{
  admin off
  auto_https off
}}
https://localhost:{port} {{
  bind 127.0.0.1
  tls {certificate} {key}
  root * {folder}/root
  file_server
}}
"""

# Debian's cannot be told its TLS 1.3 ciphers.
H2O = """
user: {user}
num-threads: 2
max-connections: 8192
listen:
  host: 127.0.0.1
  port: {port}
  ssl:
    certificate-file: {certificate}
    key-file: {key}
    minimum-version: TLSv1.2
hosts:
  default:
    paths:
      "/":
        file.dir: {folder}/root
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def make_inputs(folder, packhouse):
    """Packs that are new in every run: one of BIG_SIZE random bytes, and some small ones. Returns their paths."""
    noise = random.Random(1)
    paths = []
    for index in range(SMALL_PACKS + 1):
        name = "big" if index == 0 else f"small-{index}"
        source = f"{folder}/inputs/{name}"
        os.makedirs(source)
        with open(f"{source}/content.bin", "wb") as file:
            remaining = BIG_SIZE if index == 0 else 4096
            while remaining:
                count = min(remaining, 16 << 20)
                file.write(noise.randbytes(count))
                remaining -= count
        manifest = {
            "assetPackID": name, "downloadPolicy": {"onDemand": {}}, "sourceRoot": ".",
            "fileSelectors": [{"filePattern": "content.bin"}], "platforms": [],
        }
        path = f"{source}/Manifest.json"
        with open(path, "w") as file:
            json.dump(manifest, file)
        paths.append(path)
    return paths


class Site:
    """Paths that both servers serve."""

    def __init__(self, manifest, big):
        self.manifest = manifest
        self.big = big


class Server:
    """A running server: its name, port and processes."""

    def __init__(self, name, port, process, workers):
        self.name = name
        self.port = port
        self.process = process
        self.workers = workers

    def cpu(self):
        """CPU seconds, user and system, of all threads so far; to the nanosecond where the kernel tells it."""
        total = 0.0
        for pid in self.pids():
            for task in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{task}/schedstat") as file:
                    total += int(file.read().split()[0]) / 1e9
        return total

    def resident(self):
        """Resident bytes."""
        pages = 0
        for pid in self.pids():
            with open(f"/proc/{pid}/statm") as file:
                pages += int(file.read().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def pids(self):
        return self.workers or [self.process.pid]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


SERVE = """{{
  stateDirectory: "{folder}/state", publicBaseURL: "{base}",
  listeners: {{
    client: {{
      addresses: ["127.0.0.1:{port}"], certificate: "{folder}/state/tls/leaf.pem",
      privateKey: "{folder}/state/tls/leaf.key",
    }},
    admin: {{ addresses: ["{admin}"] }},
  }},
  accessLog: "off",
}}
"""


def prepare(folder, packhouse, inputs):
    """Has `packhouse dev` pack the inputs and fill a state folder, which `packhouse serve` then serves."""
    process = subprocess.Popen(
        [packhouse, "dev", *inputs, "--state", f"{folder}/state", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0",
         "--json"], stdout=subprocess.PIPE, stderr=open(f"{folder}/packhouse.log", "a"), cwd=folder, text=True)
    line = process.stdout.readline()
    process.terminate()
    process.wait(30)
    if not line:
        raise SystemExit("packhouse dev did not start:\n" + open(f"{folder}/packhouse.log").read())
    ready = json.loads(line)
    base = "/".join(ready["manifestURL"].split("/")[:3])
    with open(f"{folder}/packhouse.json", "w") as file:
        file.write(SERVE.format(
            folder=folder, base=base, port=base.split(":")[2], admin=ready["adminURL"].split("/")[2]))
    with open(f"{folder}/ready.json", "w") as file:
        json.dump(ready, file)


def start_packhouse(folder, packhouse, inputs, environment=None):
    """Starts `packhouse serve` on its state folder; packs are packed the first time only."""
    if not os.path.exists(f"{folder}/ready.json"):
        prepare(folder, packhouse, inputs)
    with open(f"{folder}/ready.json") as file:
        ready = json.load(file)
    port = int(ready["manifestURL"].split("/")[2].split(":")[1])
    with open(f"{folder}/packhouse.log", "a") as log:
        process = subprocess.Popen(
            [packhouse, "serve", "--config", f"{folder}/packhouse.json"], stdout=log, stderr=log, cwd=folder,
            env=dict(os.environ, **(environment or {})))
    deadline = time.monotonic() + 30
    while not answers(port):
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit("packhouse serve did not start:\n" + open(f"{folder}/packhouse.log").read())
        time.sleep(0.02)
    return Server("packhouse", port, process, []), ready


def mirror(folder, ready):
    """Puts what the manifest names into nginx's root, under the same paths. Packs are links to the very files that
    packhouse serves: how a file lies in the page cache makes a difference. Returns what both serve."""
    context = ssl.create_default_context(cafile=ready["caCertificate"])
    origin = "/".join(ready["manifestURL"].split("/")[:3])
    manifest_path = ready["manifestURL"][len(origin):]
    with urllib.request.urlopen(ready["manifestURL"], context=context) as answer:
        manifest = answer.read()
    paths = {manifest_path: manifest}
    big = None
    for pack in json.loads(manifest)["assetPacks"]:
        path = pack["url"][len(origin):]
        with urllib.request.urlopen(urllib.request.Request(pack["url"], method="HEAD"), context=context) as answer:
            digest = answer.headers["ETag"].strip('"')
        target = f"{folder}/root{path}"
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.link(f"{folder}/state/blobs/{digest[:2]}/{digest}", target)
        if pack["id"] == "big":
            big = path
    target = f"{folder}/root{manifest_path}"
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as file:
        file.write(manifest)
    return Site(manifest_path, big)


def start_other(name, folder):
    """Starts one of OTHERS on the mirrored files; it is ready when its port answers."""
    configuration, arguments, children = OTHERS[name]
    port = free_port()
    user = "root" if os.geteuid() == 0 else os.environ.get("USER", "nobody")
    path = f"{folder}/{name}.conf"
    tls = f"{folder}/state/tls"
    with open(path, "w") as file:
        file.write(configuration.format(
            folder=folder, port=port, certificate=f"{tls}/leaf.pem", key=f"{tls}/leaf.key", user=user))
    program = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")
    command = [program] + [argument.format(path=path, folder=folder) for argument in arguments]
    with open(f"{folder}/{name}.out", "w") as log:
        # A session of its own: lighttpd ends its whole process group.
        process = subprocess.Popen(
            command, stdout=log, stderr=log, env=dict(os.environ, HOME=folder, GOMAXPROCS="2"), start_new_session=True)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and process.poll() is None:
        with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
            workers = [int(pid) for pid in file.read().split()]
        if len(workers) >= children and answers(port):
            return Server(name, port, process, workers[:children])
        time.sleep(0.05)
    raise SystemExit(f"{name} did not start:\n" + open(f"{folder}/{name}.out").read())


def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


# What each is told, how it is started, and how many processes work for the first one.
OTHERS = {
    "nginx": (NGINX, ["-c", "{path}", "-g", "daemon off;", "-e", "{folder}/nginx.log"], 2),
    "lighttpd": (LIGHTTPD, ["-D", "-f", "{path}"], 2),
    "caddy": (CADDY, ["run", "--adapter", "caddyfile", "--config", "{path}"], 0),
    "h2o": (H2O, ["-m", "worker", "-c", "{path}"], 0),
}
PACKAGES = {"nginx": "nginx-light", "lighttpd": "lighttpd-mod-openssl", "caddy": "caddy", "h2o": "h2o"}
