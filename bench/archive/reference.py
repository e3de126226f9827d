"""The reference encoder and decoder: Apple's C sources as PyPI's pyliblzfse builds them, in a virtual environment under
the temporary folder. The C functions are called directly, so that Python does not count."""
import ctypes, glob, os, subprocess, sys, tempfile, venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def load():
    """The library; pyliblzfse is installed when it is missing."""
    place = Path(tempfile.gettempdir()) / "packhouse-lzfse-venv"
    pattern = str(place / "lib/python3*/site-packages/liblzfse*.so")
    if not glob.glob(pattern):
        print("installing pyliblzfse", file=sys.stderr)
        venv.create(place, with_pip=True)
        subprocess.run([place / "bin/pip", "install", "-q", "--disable-pip-version-check", "pyliblzfse"], check=True)
    library = ctypes.CDLL(glob.glob(pattern)[0])
    for function in (library.lzfse_encode_buffer, library.lzfse_decode_buffer):
        function.restype = ctypes.c_size_t
        function.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    library.lzfse_encode_scratch_size.restype = ctypes.c_size_t
    return library


class Reference:
    def __init__(self):
        self.library = load()
        self.scratch = ctypes.create_string_buffer(max(self.library.lzfse_encode_scratch_size(), 1 << 20))

    def encode(self, data):
        """The payload; empty where the reference gives up."""
        room = ctypes.create_string_buffer(len(data) + 4096)
        count = self.library.lzfse_encode_buffer(room, len(room), data, len(data), self.scratch)
        return room.raw[:count]

    def decode(self, payload, raw_count):
        """The decoded bytes; None when they are not exactly `raw_count`."""
        room = ctypes.create_string_buffer(raw_count + 64)
        count = self.library.lzfse_decode_buffer(room, len(room), payload, len(payload), self.scratch)
        return room.raw[:count] if count == raw_count else None


class Tool:
    """The archive-bench program, which answers commands."""

    def __init__(self):
        subprocess.run(["swift", "build", "-c", "release", "--product", "archive-bench", "-q"], cwd=ROOT, check=True)
        self.process = subprocess.Popen([ROOT / ".build/release/archive-bench"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)

    def ask(self, line, data=b""):
        self.process.stdin.write(line.encode() + b"\n" + data)
        self.process.stdin.flush()
        return self.process.stdout.readline().decode().strip()

    def measure(self, line):
        """Seconds and bytes."""
        answer = self.ask(line)
        try:
            seconds, count = answer.split()
            return float(seconds), int(count)
        except ValueError:
            sys.exit(f"{line}: {answer}")

    def frame(self, line, data):
        count = int(self.ask(line, data))
        return None if count < 0 else self.process.stdout.read(count)

    def encode(self, data):
        return self.frame(f"frame-encode {len(data)}", data)

    def decode(self, payload, raw_count):
        return self.frame(f"frame-decode {len(payload)} {raw_count}", payload)
