#!/usr/bin/env python3
"""500 round trips both ways against the reference, without a difference, or exit status 1.

    bench/archive/roundtrip.py [COUNT] [--seed N]

Each trip makes random data (words, records, runs, noise and mixtures of up to 300 KB; every 50th up to 3 MB): our
payload decoded by the reference (pyliblzfse), the reference's decoded by ours. Every 10th trip also packs random files
with `packhouse pack package` and reads the archive with the independent reader of aar.py and the reference's decoder.
"""
import argparse, hashlib, json, random, subprocess, sys, tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import aar
from reference import ROOT, Reference, Tool


def piece(r, size):
    kind = r.randrange(5)
    if kind == 0:
        words = [r.randbytes(r.randint(1, 9)) for _ in range(r.choice((20, 300, 3000)))]
        return b" ".join(r.choices(words, [1 / (i + 1) for i in range(len(words))], k=size // 5 + 1))[:size]
    if kind == 1:
        return b"".join((i * 7 + r.randrange(9)).to_bytes(4, "little") + b"\0\1\0\xff" for i in range(size // 8 + 1))[:size]
    if kind == 2:
        return b"".join(bytes([r.randrange(3)]) * r.randint(1, 4000) for _ in range(size // 2000 + 1))[:size]
    if kind == 3:
        return r.randbytes(size)
    return bytes(r.choices(range(r.randint(1, 255)), k=size))


def data(r, most):
    size = r.randint(0, 1 << r.randint(0, most.bit_length() - 1))
    result = b""
    while len(result) < size:
        start = r.randrange(len(result)) if result and r.random() < .3 else None
        part = piece(r, r.randint(1, size - len(result)))
        result += result[start:start + len(part)] if start is not None else part
    return result[:size]


def pack(r, folder, reference, number):
    source = Path(folder) / f"source{number}"
    source.mkdir()
    wanted = {f"file {i}.bin": data(r, 1 << 19) for i in range(r.randint(1, 6))}
    for name, contents in wanted.items():
        (source / name).write_bytes(contents)
    manifest = {"assetPackID": f"trip{number}", "downloadPolicy": {"onDemand": {}}, "platforms": [],
                "fileSelectors": [{"file": name} for name in wanted], "sourceRoot": "."}
    (source / "Manifest.json").write_text(json.dumps(manifest))
    archive = Path(folder) / f"{number}.aar"
    subprocess.run([ROOT / ".build/release/packhouse", "pack", "package", source / "Manifest.json", "--output", archive,
                    "--quiet"], check=True)
    found = {path: contents for path, kind, contents in aar.entries(archive.read_bytes(), reference.decode)
             if kind == "F"}
    if json.loads(found.pop("Manifest.json"))["assetPackID"] != manifest["assetPackID"]:
        return "the manifest differs"
    if found != {f"Contents/{name}": contents for name, contents in wanted.items()}:
        return "the files differ"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    reference, tool = Reference(), Tool()
    subprocess.run(["swift", "build", "-c", "release", "--product", "packhouse", "-q"], cwd=ROOT, check=True)
    r = random.Random(options.seed)
    differences = archives = total = 0
    everything = hashlib.sha256()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.count):
            raw = data(r, 3 << 20 if number % 50 == 49 else 300_000)
            total += len(raw)
            ours = tool.encode(raw)
            everything.update(ours or b"")
            if ours is None or reference.decode(ours, len(raw)) != raw:
                differences += 1
                print(f"trip {number}: the reference does not read our payload of {len(raw)} bytes")
            theirs = reference.encode(raw)
            # The reference gives up on data of a few bytes.
            if theirs and tool.decode(theirs, len(raw)) != raw:
                differences += 1
                print(f"trip {number}: we do not read the reference's payload of {len(raw)} bytes")
            if number % 10 == 9:
                archives += 1
                problem = pack(r, folder, reference, number)
                if problem:
                    differences += 1
                    print(f"trip {number}: {problem}")
    print(f"{options.count} round trips both ways, {total} bytes, {archives} archives: {differences} differences; "
          f"SHA-256 of our payloads {everything.hexdigest()[:16]}")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
