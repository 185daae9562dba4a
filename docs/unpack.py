#!/usr/bin/env python3
"""Gives the record of an archived game back: python3 docs/unpack.py GAME.posthorn > game.jsonl

Written from docs/format.md, section 17, alone. The exit status is 0, or 1 if the file is none or was altered.
"""

import base64
import hashlib
import json
import pathlib
import re
import struct
import sys
import zlib

MAGIC = b"posthorn-archive-1\n"
DICTIONARY = pathlib.Path(__file__).resolve().parent.parent / "events" / "archive" / "dictionary.txt"


def field(b):
    return struct.pack(">Q", len(b)) + b


def sha(b):
    return hashlib.sha256(b).digest()


def quoted(text):
    """A text as a record writes it."""
    return json.dumps(text, ensure_ascii=False).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def need(holds):
    """Every game has one text and one chance."""
    if not holds:
        raise ValueError("it is not written as an archived game is")


def members(line):
    """The members of a JSON list, each as its bytes stand there."""
    out, at, decoder = [], 1, json.JSONDecoder()
    while line[at - 1] != "]":
        _, end = decoder.raw_decode(line, at)
        out.append(line[at:end])
        at = end + 1
    return out


def unpack(file):
    if not file.startswith(MAGIC):
        raise ValueError("no archived game")
    body, total = file[:-32], file[-32:]
    if sha(body) != total:
        raise ValueError("the archived game was damaged or altered")
    body = body[len(MAGIC):]
    (n,) = struct.unpack(">I", body[:4])
    chance, packed = body[4:4 + n], body[4 + n:]
    inflate = zlib.decompressobj(-15, zdict=DICTIONARY.read_bytes())
    text = (inflate.decompress(packed) + inflate.flush()).decode()
    if inflate.unused_data or not inflate.eof:
        raise ValueError("it breaks off, or something stands behind its end")

    def take(n):
        nonlocal chance
        out, chance = chance[:n], chance[n:]
        if len(out) < n:
            raise ValueError("chance and text are not of one game")
        return out

    def varint():
        n, shift = 0, 0
        while True:
            (b,) = take(1)
            n |= (b & 127) << shift
            if b < 128:
                need(b or not shift)
                return n >> 1 if n % 2 == 0 else -(n >> 1) - 1
            shift += 7

    need(text.endswith("\n"))
    head, *lines = text.split("\n")[:-1]
    header = json.loads(head)
    need(json.dumps(header, ensure_ascii=False, separators=(",", ":")) == head)
    streams = header["streams"]
    number = {s["name"]: i for i, s in enumerate(streams)}
    last = [s.get("fork", 0) for s in streams]
    hashes, out, before, current = {}, [], 0, None

    def hash_of(name, version):
        while name in number and version <= streams[number[name]].get("fork", 0):
            name = streams[number[name]]["parent"]
        return hashes.get((name, version))

    for line, following in zip(lines, lines[1:] + ["0"]):
        if not line.startswith("["):
            need(following.startswith("[") and line == str(int(line)) and streams[int(line)] is not current)
            current = streams[int(line)]
            continue
        kind, meta, data, *rest = members(line)
        shown = [json.loads(part) for part in rest]
        need(all(len(part) in (1, 2) and (part[0] == "-" or part[0] == "".join(sorted(set(part[0])))) for part in shown))
        as_written = [",[" + ",".join(map(quoted, part)) + "]" for part in shown]
        need(line == "[%s,%s,%s%s]" % (quoted(json.loads(kind)), meta, data, "".join(as_written)))
        need(not re.search('"wish":"[0-9a-f]{16}"', meta))
        i = number[current["name"]]
        command = take(16)
        version, at = last[i] + 1, before + varint()
        if '"wish":""' in meta:
            meta = meta.replace('"wish":""', '"wish":"%s"' % take(8).hex(), 1)
        parts, digests = [], b""
        for part in map(json.loads, rest):
            bits = sum(1 << (ord(c) - ord("A")) for c in part[0] if c != "-")
            chance_of_it = take(32)
            if len(part) == 1:
                digest, shown = chance_of_it, ""
            else:
                digest = sha(field(chance_of_it) + field(part[1].encode()))
                shown = ',"salt":"%s","text":%s' % (base64.b64encode(chance_of_it).decode(), quoted(part[1]))
            digests += struct.pack(">Q", bits) + field(digest)
            parts.append('{"to":%s,"digest":"%s"%s}' % (quoted(part[0]), digest.hex(), shown))
        prior = hash_of(current["name"], version - 1)
        if prior is None:
            if version != 1:
                raise ValueError("what a stream goes on from is not there")
            prior = bytes.fromhex(current["origin"])
        link = sha(field(b"posthorn-chain-1") + field(prior) + field(bytes.fromhex(current["name"])) + struct.pack(">Q", version)
                   + field(json.loads(kind).encode()) + field(b"json") + struct.pack(">q", at) + field(command)
                   + field(sha(meta.encode())) + field(sha(data.encode())) + struct.pack(">Q", len(parts)) + digests)
        hashes[current["name"], version], last[i], before = link, version, at
        out.append('{"stream":"%s","version":%d,"type":%s,"codec":"json","at":%d,"command":"%s","meta":%s,"data":%s%s,"hash":"%s"}' % (
            current["name"], version, kind, at, command.hex(), meta, data, ',"parts":[%s]' % ",".join(parts) if parts else "", link.hex()))
    if chance:
        raise ValueError("chance and text are not of one game")
    for receipt in header["receipts"]:
        fields = receipt.split(":")
        if len(fields) == 6 and fields[4] == "":
            need(hash_of(fields[2], int(fields[3])))
            fields[4] = hash_of(fields[2], int(fields[3])).hex()
            head = head.replace(receipt, ":".join(fields))
        elif len(fields) == 6:
            there = hash_of(fields[2], int(fields[3]))
            need(there is None or there.hex() != fields[4])
    whole = "".join(line + "\n" for line in [head] + out).encode()
    return whole + b'{"sum":"%s"}\n' % hashlib.sha256(whole).hexdigest().encode()


if __name__ == "__main__":
    try:
        sys.stdout.buffer.write(unpack(pathlib.Path(sys.argv[1]).read_bytes()))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, zlib.error) as err:
        sys.exit(f"{sys.argv[1]}: {err}")
