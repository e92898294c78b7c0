#!/usr/bin/env python3
"""Writes the textures of samples/compressed: small pictures by formula, each in a compressed format of its own.

usage: tests/tools/encode_textures.py FOLDER

The encoders are short, not good: endpoints are the two texels of a block that lie farthest apart, the rest is tried out.
"""
import math
import struct
import sys

SIZE = 64


# ---- pictures: red, green, blue, alpha of 0..255 ----

def wheel(x, y):
    """Hues around the middle, a white ring, and alpha that fades to the corners."""
    dx, dy = (x + 0.5) / SIZE * 2 - 1, (y + 0.5) / SIZE * 2 - 1
    radius, angle = math.hypot(dx, dy), math.atan2(dy, dx)
    if 0.55 < radius < 0.68:
        rgb = [1.0, 1.0, 1.0]
    else:
        rgb = [(0.5 + 0.5 * math.cos(angle - k * 2 * math.pi / 3)) * min(1.0, 0.25 + radius) for k in range(3)]
    alpha = max(0.0, min(1.0, 2.4 - 2 * radius))
    return [round(255 * v) for v in rgb] + [round(255 * alpha)]


def ripples(x, y):
    dx, dy = (x + 0.5) / SIZE * 2 - 1, (y + 0.5) / SIZE * 2 - 1
    return 0.5 + 0.5 * math.cos(14 * math.hypot(dx, dy))


def normal(x, y):
    """The slope of the ripples, -1..1."""
    return [max(-1.0, min(1.0, 4 * (ripples(x + a, y + b) - ripples(x - a, y - b)))) for a, b in ((1, 0), (0, 1))]


def glow(x, y):
    """Bright up to 16, as red, green and blue of half floats' bits."""
    dx, dy = (x + 0.5) / SIZE * 2 - 1, (y + 0.5) / SIZE * 2 - 1
    light = 16 * math.exp(-6 * (dx * dx + dy * dy))
    return [struct.unpack('<H', struct.pack('<e', v))[0] for v in (light + 0.02, light * 0.5 + 0.05, light * 0.15 + 0.2)]


# ---- shared ----

class Bits:
    """A block as one number, filled from the lowest bit on."""

    def __init__(self):
        self.value, self.at = 0, 0

    def put(self, value, count):
        self.value |= (value & ((1 << count) - 1)) << self.at
        self.at += count

    def bytes(self, size):
        return self.value.to_bytes(size, 'little')


def distance(a, b):
    return sum((p - q) ** 2 for p, q in zip(a, b))


def ends(texels):
    """The two that lie farthest apart, the darker first."""
    far = max(((distance(a, b), i, j) for i, a in enumerate(texels) for j, b in enumerate(texels) if i < j), default=(0, 0, 0))
    a, b = texels[far[1]], texels[far[2]]
    return (a, b) if sum(a) <= sum(b) else (b, a)


def nearest(palette, texel):
    return min(range(len(palette)), key=lambda i: distance(palette[i], texel))


def mix(a, b, weight, whole):
    return [(p * (whole - weight) + q * weight) / whole for p, q in zip(a, b)]


# ---- S3TC, RGTC ----

def to_565(c):
    return (round(c[0] * 31 / 255) << 11) | (round(c[1] * 63 / 255) << 5) | round(c[2] * 31 / 255)


def from_565(v):
    return [(v >> 11) * 255 / 31, (v >> 5 & 63) * 255 / 63, (v & 31) * 255 / 31]


def bc1(texels, punch_through=False):
    clear = [punch_through and t[3] < 128 for t in texels]
    opaque = [t[:3] for t, c in zip(texels, clear) if not c] or [[0, 0, 0]]
    low, high = (to_565(e) for e in ends(opaque))
    low, high = min(low, high), max(low, high)
    bits = Bits()
    if any(clear):
        a, b = from_565(low), from_565(high)
        palette = [a, b, mix(a, b, 1, 2)]
        bits.put(low, 16), bits.put(high, 16)
    else:
        a, b = from_565(high), from_565(low)
        palette = [a, b, mix(a, b, 1, 3), mix(a, b, 2, 3)] if high > low else [a]
        bits.put(high, 16), bits.put(low, 16)
    for t, c in zip(texels, clear):
        bits.put(3 if c else nearest(palette, t[:3]), 2)
    return bits.bytes(8)


def ramp(values, least, most):
    """Values of whole codes least..most: eight between two of them."""
    low, high = min(values), max(values)
    palette = [[high], [low]] + [[((7 - i) * high + i * low) / 7] for i in range(1, 7)] if high > low else [[high]]
    bits = Bits()
    bits.put(high, 8), bits.put(low, 8)
    for v in values:
        bits.put(nearest(palette, [v]), 3)
    return bits.bytes(8)


def bc2(texels):
    bits = Bits()
    for t in texels:
        bits.put(round(t[3] / 17), 4)
    return bits.bytes(8) + bc1(texels)


def bc3(texels):
    return ramp([t[3] for t in texels], 0, 255) + bc1(texels)


# ---- BPTC ----

WEIGHTS_OF_4_BITS = [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64]


def put_indices(bits, indices):
    for i, index in enumerate(indices):
        bits.put(index, 3 if i == 0 else 4)


def bc7(texels):
    """Mode 6: one pair of RGBA, four bits an index."""
    pair = []
    for e in ends(texels):
        pair.append(min(([(c - p + 1) // 2 if c > p else 0 for c in e] + [p] for p in (0, 1)),
                        key=lambda v: distance([min(127, q) * 2 + v[4] for q in v[:4]], e)))
    pair = [[min(127, q) for q in v[:4]] + [v[4]] for v in pair]
    full = [[q * 2 + v[4] for q in v[:4]] for v in pair]
    indices = [nearest([mix(full[0], full[1], w, 64) for w in WEIGHTS_OF_4_BITS], t) for t in texels]
    if indices[0] > 7:
        pair, indices = pair[::-1], [15 - i for i in indices]
    bits = Bits()
    bits.put(1 << 6, 7)
    for channel in range(4):
        bits.put(pair[0][channel], 7), bits.put(pair[1][channel], 7)
    bits.put(pair[0][4], 1), bits.put(pair[1][4], 1)
    put_indices(bits, indices)
    return bits.bytes(16)


def bc6h(texels):
    """Mode 3: one pair of RGB of ten bits, on the bits of half floats."""
    pair = [[max(0, min(1023, round((h - 15.5) / 31))) for h in e] for e in ends(texels)]
    full = [[31 * q + 15 for q in e] for e in pair]
    indices = [nearest([mix(full[0], full[1], w, 64) for w in WEIGHTS_OF_4_BITS], t) for t in texels]
    if indices[0] > 7:
        pair, indices = pair[::-1], [15 - i for i in indices]
    bits = Bits()
    bits.put(3, 5)
    for e in pair:
        for q in e:
            bits.put(q, 10)
    put_indices(bits, indices)
    return bits.bytes(16)


# ---- ETC: the block is a number whose highest byte comes first; texels are numbered down the columns ----

ETC_TABLES = [(2, 8), (5, 17), (9, 29), (13, 42), (18, 60), (24, 80), (33, 106), (47, 183)]
COLUMNS = [4 * y + x for x in range(4) for y in range(4)]


def clamp(v):
    return max(0, min(255, v))


def etc_half(texels, base, table):
    small, large = ETC_TABLES[table]
    palette = [[clamp(b + d) for b in base] for d in (small, large, -small, -large)]
    indices = [nearest(palette, t[:3]) for t in texels]
    return sum(distance(palette[i], t[:3]) for i, t in zip(indices, texels)), indices


def put_etc_indices(word, indices):
    for place, texel in enumerate(COLUMNS):
        word |= (indices[texel] & 1) << place | (indices[texel] >> 1) << (16 + place)
    return word


def etc1(texels):
    """Individual mode. Gives the error too."""
    best = None
    for flip in (0, 1):
        halves = [[i for i in range(16) if (i // 8 if flip else i % 4 // 2) == h] for h in (0, 1)]
        word, error, indices = flip << 32, 0, [0] * 16
        for h, places in enumerate(halves):
            own = [texels[i] for i in places]
            base = [round(sum(t[c] for t in own) / len(own) / 17) for c in range(3)]
            tried = [etc_half(own, [17 * b for b in base], table) for table in range(8)]
            table = min(range(8), key=lambda t: tried[t][0])
            error += tried[table][0]
            for i, index in zip(places, tried[table][1]):
                indices[i] = index
            for c, b in enumerate(base):
                word |= b << (60 - 8 * c - 4 * h)
            word |= table << (37 - 3 * h)
        if best is None or error < best[0]:
            best = (error, put_etc_indices(word, indices))
    return best


def etc2_planar(origin, right, below):
    """The word of a plane through three colours of 6, 7 and 6 bits; its free bits make blue alone overflow."""
    (r, g, b), (rh, gh, bh), (rv, gv, bv) = origin, right, below
    word = r << 57 | (g >> 6) << 56 | (g & 63) << 49 | (b >> 5) << 48 | (b >> 3 & 3) << 43 | (b & 7) << 39
    word |= (rh >> 1) << 34 | 1 << 33 | (rh & 1) << 32 | gh << 25 | bh << 19 | rv << 13 | gv << 6 | bv

    def overflows(word, at):
        delta = word >> (at - 3) & 7
        return not 0 <= (word >> at & 31) + delta - (8 if delta > 3 else 0) <= 31

    for free in range(64):
        tried = word | (free & 1) << 63 | (free >> 1 & 1) << 55 | (free >> 2 & 7) << 45 | (free >> 5) << 42
        if not overflows(tried, 59) and not overflows(tried, 51) and overflows(tried, 43):
            return tried
    raise ValueError('no such plane')


def etc2(texels, corners):
    error, word = etc1(texels)
    limits = (63, 127, 63)
    codes = [[max(0, min(m, round(v * m / 255))) for v, m in zip(c[:3], limits)] for c in corners]
    full = [[c[0] << 2 | c[0] >> 4, c[1] << 1 | c[1] >> 6, c[2] << 2 | c[2] >> 4] for c in codes]
    plane = [[clamp((x * (h - o) + y * (v - o) + 4 * o + 2) >> 2) for o, h, v in zip(*full)] for y in range(4) for x in range(4)]
    if sum(distance(p, t[:3]) for p, t in zip(plane, texels)) < error:
        word = etc2_planar(*codes)
    return word.to_bytes(8, 'big')


def etc2_punch(texels):
    """Differential mode without a difference; index 2 is transparent where the block is not opaque."""
    clear = [t[3] < 128 for t in texels]
    own = [t for t, c in zip(texels, clear) if not c] or [[0, 0, 0, 0]]
    base = [round(sum(t[c] for t in own) / len(own) * 31 / 255) for c in range(3)]
    full = [b << 3 | b >> 2 for b in base]
    best = None
    for table, (small, large) in enumerate(ETC_TABLES):
        offsets = (0, large, None, -large) if any(clear) else (small, large, -small, -large)
        palette = [[clamp(b + d) for b in full] if d is not None else [9999] * 3 for d in offsets]
        indices = [2 if c else nearest(palette, t[:3]) for t, c in zip(texels, clear)]
        error = sum(0 if c else distance(palette[i], t[:3]) for i, t, c in zip(indices, texels, clear))
        if best is None or error < best[0]:
            best = (error, table, indices)
    word = base[0] << 59 | base[1] << 51 | base[2] << 43 | best[1] << 37 | best[1] << 34 | (0 if any(clear) else 1) << 33
    return put_etc_indices(word, best[2]).to_bytes(8, 'big')


EAC_TABLES = [(-3, -6, -9, -15), (-3, -7, -10, -13), (-2, -5, -8, -13), (-2, -4, -6, -13), (-3, -6, -8, -12), (-3, -7, -9, -11),
              (-4, -7, -8, -11), (-3, -5, -8, -11), (-2, -6, -8, -10), (-2, -5, -8, -10), (-2, -4, -8, -10), (-2, -5, -7, -10),
              (-3, -4, -7, -10), (-1, -2, -3, -10), (-4, -6, -8, -9), (-3, -5, -7, -9)]


def eac(values, step, bases, least, most):
    """Values are whole; a base, one of `bases`, and a multiplier count `step` each."""
    middle = (min(values) + max(values)) / 2
    base = max(bases[0], min(bases[1], round(middle / step)))
    best = None
    for table, low in enumerate(EAC_TABLES):
        modifiers = list(low) + [-v - 1 for v in low]
        for multiplier in range(1, 16):
            palette = [[max(least, min(most, (base + m * multiplier) * step))] for m in modifiers]
            indices = [nearest(palette, [v]) for v in values]
            error = sum(distance(palette[i], [v]) for i, v in zip(indices, values))
            if best is None or error < best[0]:
                best = (error, table, multiplier, indices)
        if best[0] == 0:
            break
    word = (base & 255) << 56 | best[2] << 52 | best[1] << 48
    for place, texel in enumerate(COLUMNS):
        word |= best[3][texel] << (45 - 3 * place)
    return word.to_bytes(8, 'big')


# ---- ASTC: one partition, colours of eight bits from bit 17 on, a grid of 4 x 4 weights from bit 127 down ----

def astc(mode, weight_bits, weights_of, endpoint_mode, colors, grid):
    value = mode | endpoint_mode << 13
    low, high = sorted(ends(colors), key=lambda c: sum(c[:3]))   # else blue is taken out of red and green
    for channel in range(len(low)):
        value |= low[channel] << (17 + 16 * channel) | high[channel] << (25 + 16 * channel)
    palette = [mix(low, high, w, 64) for w in weights_of]
    for i, color in enumerate(grid):
        index = nearest(palette, color)
        for bit in range(weight_bits):
            value |= (index >> bit & 1) << (127 - weight_bits * i - bit)
    return value.to_bytes(16, 'little')


def astc_4x4(texels):
    return astc(0x42, 2, (0, 21, 43, 64), 12, texels, texels)


def astc_8x8(texels):
    colors = [t[:3] for t in texels]
    grid = [colors[8 * round(y * 7 / 3) + round(x * 7 / 3)] for y in range(4) for x in range(4)]
    return astc(0x53, 3, (0, 9, 18, 27, 37, 46, 55, 64), 8, colors, grid)


# ---- files ----

def blocks(picture, width, height):
    for y in range(0, SIZE, height):
        for x in range(0, SIZE, width):
            yield [picture(x + i, y + j) for j in range(height) for i in range(width)]


def encode(encoder, picture=wheel, width=4, height=4):
    return b''.join(encoder(texels) for texels in blocks(picture, width, height))


def dds(fourcc, data, dxgi=None):
    fourcc = b'DX10' if dxgi else fourcc
    header = struct.pack('<7I44x', 124, 0x81007, SIZE, SIZE, len(data), 0, 1)
    header += struct.pack('<2I4s5I', 32, 4, fourcc, 0, 0, 0, 0, 0) + struct.pack('<5I', 0x1000, 0, 0, 0, 0)
    extra = struct.pack('<5I', dxgi, 3, 0, 1, 0) if dxgi else b''
    return b'DDS ' + header + extra + data


def ktx(internal_format, base_format, data):
    header = struct.pack('<13I', 0x04030201, 0, 1, 0, internal_format, base_format, SIZE, SIZE, 0, 0, 1, 1, 0)
    return b'\xabKTX 11\xbb\r\n\x1a\n' + header + struct.pack('<I', len(data)) + data


def main(folder):
    rgb, rgba, red, rg = 0x1907, 0x1908, 0x1903, 0x8227
    etc2_data = b''.join(etc2(texels, [wheel(x, y), wheel(x + 4, y), wheel(x, y + 4)])
                         for (x, y), texels in zip(((x, y) for y in range(0, SIZE, 4) for x in range(0, SIZE, 4)), blocks(wheel, 4, 4)))
    signed = lambda t, c: eac([round(1023 * n[c]) for n in t], 8, (-127, 127), -1023, 1023)
    files = {
        'bc1.ktx': ktx(0x83f0, rgb, encode(bc1)),
        'bc1_alpha.dds': dds(b'DXT1', encode(lambda t: bc1(t, True))),
        'bc2.dds': dds(b'DXT3', encode(bc2)),
        'bc3.dds': dds(b'DXT5', encode(bc3)),
        'bc4.dds': dds(b'ATI1', encode(lambda t: ramp([round(255 * v) for v in t], 0, 255), ripples)),
        'bc5.dds': dds(b'ATI2', encode(lambda t: b''.join(ramp([round(127.5 + 127.5 * n[c]) for n in t], 0, 255) for c in (0, 1)), normal)),
        'bc6h.dds': dds(b'', encode(bc6h, glow), 95),
        'bc7.dds': dds(b'', encode(bc7), 98),
        'etc1.ktx': ktx(0x8d64, rgb, encode(lambda t: etc1(t)[1].to_bytes(8, 'big'))),
        'etc2.ktx': ktx(0x9274, rgb, etc2_data),
        'etc2_punch.ktx': ktx(0x9276, rgba, encode(etc2_punch)),
        'etc2_alpha.ktx': ktx(0x9278, rgba, encode(lambda t: eac([p[3] for p in t], 1, (0, 255), 0, 255) + etc1(t)[1].to_bytes(8, 'big'))),
        'eac_r11.ktx': ktx(0x9270, red, encode(lambda t: eac([round(2047 * v) - 4 for v in t], 8, (0, 255), -4, 2043), ripples)),
        'eac_rg11_signed.ktx': ktx(0x9273, rg, encode(lambda t: signed(t, 0) + signed(t, 1), normal)),
        'astc_4x4.ktx': ktx(0x93b0, rgba, encode(astc_4x4)),
        'astc_8x8.ktx': ktx(0x93b7, rgba, encode(astc_8x8, wheel, 8, 8)),
    }
    for name, data in files.items():
        with open(f'{folder}/{name}', 'wb') as file:
            file.write(data)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
