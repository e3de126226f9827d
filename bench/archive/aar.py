"""A small reader of Apple Archive files, written for the tests from the description of the format alone."""
import struct


def entries(archive, decode):
    """Path, type letter and bytes of each entry. `decode(payload, raw_count)` decompresses one LZFSE block."""
    if archive[:4] not in (b"pbze", b"pbz-"):
        raise ValueError(f"not LZFSE or plain: {archive[:4]}")
    block_size, = struct.unpack_from(">Q", archive, 4)
    offset, stream, last = 12, [], block_size
    while offset < len(archive):
        raw, stored = struct.unpack_from(">QQ", archive, offset)
        payload = archive[offset + 16:offset + 16 + stored]
        if len(payload) != stored or last != block_size or not 1 <= raw <= block_size or stored > raw:
            raise ValueError(f"block at {offset}: raw {raw}, stored {stored}")
        offset, last = offset + 16 + stored, raw
        data = payload if raw == stored else decode(payload, raw)
        if data is None or len(data) != raw:
            raise ValueError("a block does not decode")
        stream.append(data)
    return list(_entries(b"".join(stream)))


def _entries(stream):
    offset = 0
    while offset < len(stream):
        if stream[offset:offset + 4] != b"AA01":
            raise ValueError(f"no entry at {offset}")
        size, = struct.unpack_from("<H", stream, offset + 4)
        end, at, fields, blobs = offset + size, offset + 6, {}, []
        while at < end:
            key, kind = stream[at:at + 3].decode(), chr(stream[at + 3])
            at += 4
            if kind in "1248":
                fields[key] = int.from_bytes(stream[at:at + int(kind)], "little")
                at += int(kind)
            elif kind == "P":
                length, = struct.unpack_from("<H", stream, at)
                fields[key] = stream[at + 2:at + 2 + length].decode()
                at += 2 + length
            elif kind in "ST":
                at += 8 if kind == "S" else 12
            elif kind in "ABC":
                width = {"A": 2, "B": 4, "C": 8}[kind]
                blobs.append((key, int.from_bytes(stream[at:at + width], "little")))
                at += width
            else:
                raise ValueError(f"field {key}{kind}")
        if at != end:
            raise ValueError("the fields pass the header's end")
        data = b""
        for key, length in blobs:
            if key == "DAT":
                data = stream[end:end + length]
                if len(data) != length:
                    raise ValueError("data are missing")
            end += length
        yield fields["PAT"], chr(fields["TYP"]), data
        offset = end
