"""Three sets of data that are the same on every machine."""
import random, struct, zlib

SYLLABLES = "ba ke lo mi ta ren sol in da our est a un ver co pre th ing er on".split()


def words(size, seed=7):
    """Text of 20,000 made-up words, of which few are frequent."""
    r = random.Random(seed)
    vocabulary = ["".join(r.choice(SYLLABLES) for _ in range(r.randint(1, 4))) for _ in range(20000)]
    pieces = []
    for word in r.choices(vocabulary, [1 / (i + 2) for i in range(len(vocabulary))], k=size // 4):
        pieces += (word, ". " if r.random() < .08 else ",\n" if r.random() < .03 else " ")
    return "".join(pieces).encode()[:size]


def texture(size, seed=7):
    """Blocks of eight bytes as in BC1: two 16-bit colours that drift and 32 index bits."""
    r = random.Random(seed)
    data = bytearray()
    first = second = 0x7bef
    patterns = [r.getrandbits(32) for _ in range(300)]
    while len(data) < size:
        if r.random() < .02:
            first, second = r.getrandbits(16), r.getrandbits(16)
        first = (first + r.choice((-1, 0, 0, 0, 1, 32, -32))) & 0xffff
        second = (second + r.choice((-1, 0, 0, 0, 1))) & 0xffff
        indices = r.choice(patterns) if r.random() < .75 else r.getrandbits(32)
        data += struct.pack("<HHI", first, second, 0 if r.random() < .15 else indices)
    return bytes(data[:size])


def compressed(size, seed=7):
    """What is compressed already, as pictures and sounds are."""
    data = zlib.compress(words(size * 2, seed) + texture(size, seed), 6)
    return data[:size]


ALL = {"words": words, "texture": texture, "compressed": compressed}
