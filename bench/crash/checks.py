"""What must be there after a kill: everything that was acknowledged, and nothing in between."""

import hashlib
import json
import os

from daemon import APP, Client


class Checks:
    """The checks of a `Run`, which knows what was acknowledged."""

    def verify(self):
        client, web = Client(self.daemon, self.daemon.admin), Client(self.daemon, self.daemon.client)
        self.prepare(client)
        for version in self.versions:
            if version.id is None or version.done and self.random.random() < 0.8:
                continue
            found = client.call("GET", "/v1/backgroundAssetVersions/" + version.id)["data"]["attributes"]
            self.check(int(found["version"]) == version.number, "%s has another number" % version.id)
            if version.upload is None:
                continue
            upload = client.call("GET", "/v1/backgroundAssetUploadFiles/" + version.upload)["data"]["attributes"]
            if not upload["uploaded"]:
                self.check(not version.commit_done, "the commit of %s %d is lost" % (version.pack, version.number))
                tags = {o["partNumber"]: o["entityTag"] for o in upload["uploadOperations"]}
                for number, tag in version.parts.items():
                    self.check(tags.get(number) == tag, "part %d of %s %d is lost" % (number, version.pack, version.number))
            else:
                self.check(version.commit_asked, "%s %d was never committed" % (version.pack, version.number))
                version.commit_done = True
                self.wait(client, version)
        self.verify_numbers(client)
        self.verify_archive(client)
        self.verify_manifest(client, web)
        self.verify_urls(web)

    def verify_numbers(self, client):
        for pack in self.numbers:
            path = "/v1/backgroundAssets/%s/versions?limit=200" % self.pack_ids[pack]
            numbers = []
            while path:
                document = client.call("GET", path)
                for item in document["data"]:
                    found = item["attributes"]
                    numbers.append(int(found["version"]))
                    self.note(pack, found)
                path = document["links"].get("next")
            self.check(len(numbers) == len(set(numbers)), "%s has a number twice: %s" % (pack, numbers))
            missing = self.numbers[pack] - set(numbers)
            self.check(not missing, "versions %s of %s are gone" % (sorted(missing), pack))
            # Also those whose answer was lost: they may not come again.
            self.numbers[pack].update(numbers)

    def note(self, pack, found):
        """Remembers whose bytes are there, and that what was given up does not come back."""
        key = (pack, int(found["version"]))
        self.check(found["collected"] or key not in self.collected, "%s %d is not collected any more" % key)
        if found["collected"]:
            self.collected.add(key)
        elif found["state"] == "COMPLETE":
            self.kept[key] = found["sha256"]
        if found["collected"]:
            self.kept.pop(key, None)

    def verify_archive(self, client):
        for item in client.call("GET", "/v1/apps/%s/backgroundAssets?limit=200" % self.app)["data"]:
            pack, archived = item["attributes"]["assetPackIdentifier"], item["attributes"]["archived"]
            known = self.archived.get(pack, False)
            self.check(known is None or known == archived, "%s: archived is %s" % (pack, archived))
            self.archived[pack] = archived

    def verify_files(self):
        """After a collection that was answered: the files are those of the versions that have bytes, no more, no less."""
        there = {name for shard in os.listdir(self.daemon.state + "/blobs")
                 for name in os.listdir(self.daemon.state + "/blobs/" + shard)}
        needed = set(self.kept.values())
        self.check(needed <= there, "files are missing: %s" % sorted(needed - there))
        self.check(there <= needed | self.seed_hashes, "files are left: %s" % sorted(there - needed))

    def verify_manifest(self, client, web):
        path = "/apps/%s/production/manifest.json" % APP
        status, _, text = web.send("GET", path, token=False)
        self.check(status == 200, "the manifest: %d" % status)
        manifest = {p["id"]: p for p in json.loads(text)["assetPacks"]}
        _, _, override = web.send("GET", "/manifest", token=False)
        self.check(json.loads(override) == json.loads(text), "/manifest is another document")
        tracks = client.call("GET", "/v1/apps/%s/tracks" % self.app)["data"]
        production = [t for t in tracks if t["id"] == "production"][0]["attributes"]["packs"]
        told = {p["assetPackIdentifier"]: (int(p["version"]), p["url"], p["downloadSize"]) for p in production}
        listed = {i: (p["version"], p["url"], p["downloadSize"]) for i, p in manifest.items()}
        self.check(told == listed, "tracks and manifest differ: %s %s" % (told, listed))
        self.check("seed" in manifest, "the first pack is gone")
        for wanted in list(self.pending):
            there = [manifest.get(pack, {}).get("version") == version.number for pack, version in wanted.items()]
            self.check(all(there) or not any(there), "a release is there in part: %s" % sorted(wanted))
            if all(there):
                self.live.update(wanted)
            self.pending.remove(wanted)
        for pack, version in self.live.items():
            entry = manifest.get(pack)
            if self.archived.get(pack):
                self.check(entry is None, "%s is archived and in the manifest" % pack)
                continue
            self.check(entry is not None, "%s is gone from the manifest" % pack)
            if entry:
                self.check(entry["version"] == version.number, "%s: %s, not %d" % (pack, entry, version.number))
                self.check(entry["downloadSize"] == len(version.bytes), "%s has a wrong downloadSize" % pack)
                self.urls[entry["url"]] = version.sha256
        unknown = set(manifest) - set(self.live) - {"seed"}
        self.check(not unknown, "%s were never released" % sorted(unknown))

    def verify_urls(self, web):
        for url, sha256 in self.urls.items():
            path = url.split(web.authority)[1]
            status, _, body = web.send("GET", path, token=False)
            if (path.split("/")[-1], int(path.split("/")[-2])) in self.collected:
                self.check(status == 404, "%s is collected: %d" % (url, status))
                continue
            self.check(status == 200, "%s: %d" % (url, status))
            self.check(hashlib.sha256(body).hexdigest() == sha256, "%s has other bytes" % url)
