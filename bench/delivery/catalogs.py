"""Daemons with catalogs of any size, written straight into SQLite."""

import hashlib
import os
import signal
import socket
import sqlite3
import ssl
import subprocess
import time

APP = "com.example.game"
MANIFEST = f"/apps/{APP}/production/manifest.json"


def make(folder, packhouse, packs, versions):
    """Makes a state folder with that many packs and versions, of which half were live; returns the daemon's port."""
    port, admin = free_port(), free_port()
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-addext", "extendedKeyUsage=serverAuth", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/leaf.pem"],
        check=True, stderr=subprocess.DEVNULL)
    with open(f"{folder}/packhouse.json", "w") as file:
        file.write(f"""{{
          stateDirectory: "{folder}/state", publicBaseURL: "https://localhost:{port}",
          listeners: {{
            client: {{ addresses: ["127.0.0.1:{port}"], certificate: "{folder}/leaf.pem", privateKey: "{folder}/key.pem" }},
            admin: {{ addresses: ["127.0.0.1:{admin}"] }},
          }},
          accessLog: "off",
        }}""")
    # The first start makes the catalog, the second one the manifests.
    run(folder, packhouse, port, 421)
    fill(f"{folder}/state", packs, versions)
    run(folder, packhouse, port, 200)
    return port


def start(folder, packhouse, port):
    """Starts the daemon and waits for its first answer; the process, its status and the seconds until then."""
    context = ssl.create_default_context(cafile=f"{folder}/leaf.pem")
    with open(f"{folder}/log", "a") as log:
        start = time.monotonic()
        process = subprocess.Popen(
            [packhouse, "serve", "--config", f"{folder}/packhouse.json"], stdout=log, stderr=log)
    while True:
        if process.poll() is not None:
            raise SystemExit("packhouse serve ended:\n" + open(f"{folder}/log").read())
        try:
            with socket.create_connection(("127.0.0.1", port)) as plain:
                with context.wrap_socket(plain, server_hostname="localhost") as line:
                    line.sendall(f"GET {MANIFEST} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
                    status = int(line.recv(4096).split()[1])
            return process, status, time.monotonic() - start
        except (ConnectionError, IndexError):
            time.sleep(0.001)


def run(folder, packhouse, port, wanted):
    """Starts it, waits for an answer with that status, stops it. Returns the seconds until the answer."""
    process, status, elapsed = start(folder, packhouse, port)
    process.send_signal(signal.SIGTERM)
    process.wait(30)
    if status != wanted:
        raise SystemExit(f"expected {wanted}, got {status}:\n" + open(f"{folder}/log").read())
    return elapsed


def fill(state, packs, versions):
    """Writes an app with its packs into the catalog, and their bytes beside it; the next start makes the manifests."""
    database = sqlite3.connect(f"{state}/catalog.sqlite")
    database.execute("PRAGMA foreign_keys=ON")
    run = database.execute
    run("INSERT INTO apps (id, bundle_id, name, review_policy, created) VALUES ('app', ?, ?, 'none', 1)", (APP, APP))
    run("INSERT INTO app_domains VALUES ('app', 0, 'localhost')")
    run("INSERT INTO manifests VALUES ('app', 'production', 'all', 1, X'7b7d', 'none', 'none', 1)")
    live = (versions + 1) // 2
    for pack in range(packs):
        run("INSERT INTO packs (id, app_id, identifier, last_version, created) VALUES (?, 'app', ?, ?, 1)",
            (f"p{pack}", f"pack{pack}", versions))
        for number in range(1, versions + 1):
            content = f"pack {pack} version {number}".encode()
            digest = hashlib.sha256(content).hexdigest()
            os.makedirs(f"{state}/blobs/{digest[:2]}", exist_ok=True)
            with open(f"{state}/blobs/{digest[:2]}/{digest}", "wb") as file:
                file.write(content)
            version = f"p{pack}-{number}"
            run("INSERT INTO blobs (sha256, size, created) VALUES (?, ?, 1)", (digest, len(content)))
            run("INSERT INTO versions (id, pack_id, number, state, created, changed, sha256, size, install_size, platforms, "
                "policy) VALUES (?, ?, ?, 'COMPLETE', 1, 1, ?, ?, 1, 'iOS', ?)",
                (version, f"p{pack}", number, digest, len(content), '{"onDemand":{}}'))
            for track, states in [
                ("production", ("SUPERSEDED", "READY_FOR_DISTRIBUTION", "PREPARE_FOR_SUBMISSION")),
                ("internal", ("SUPERSEDED", "SUPERSEDED" if number < versions else "READY_FOR_TESTING",
                              "SUPERSEDED" if number < versions else "READY_FOR_TESTING")),
                ("beta", ("READY_FOR_BETA_SUBMISSION",) * 3),
            ]:
                went_live = track == "internal" or track == "production" and number <= live
                run("INSERT INTO releases VALUES (?, ?, ?, ?, ?, 1, 1, ?)",
                    (f"{version}-{track}", version, f"p{pack}", track, states[(number > live) - (number < live) + 1],
                     1 if went_live else None))
    database.commit()
    database.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
