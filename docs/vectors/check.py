#!/usr/bin/env python3
"""Compute every test vector of this folder again, with the functions of verify.py.

    python3 check.py [FOLDER]

What each file has is on the page of the formats (format.md, section 18). The exit status is 0 if all come out as
they stand here, and 1 with the first that does not.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import verify as v  # noqa: E402


def chain(c: dict) -> bool:
    e = v.Event(0, c["stream"], c["version"], c["type"], c["codec"], c["at"], c["command"], {}, {}, c["meta"].encode(),
                c["data"].encode(), [v.Part(v.audience(p["to"]), p["digest"], None, None, None) for p in c["parts"]], "")
    return v.event_hash(e, c["before"]) == c["hash"]


def parts(c: dict) -> bool:
    salt = v.unbase64(c["salt"])
    digest = v.hashlib.sha256(v.framed(salt) + v.framed(c["text"].encode())).hexdigest()
    return digest == c["digest"] and v.audience(c["to"]) == c["audience"]


def receipts(c: dict) -> bool:
    if "mail" in c:
        found, broken = v.receipts_in(c["mail"])
        return [r.text for r in found] == c["found"] and broken == c["broken"]
    r = v.Receipt.read(c["receipt"])
    return (r is not None and r.signed_by(v.unbase64(c["key"]))) == c["valid"]


def luck(c: dict) -> bool:
    of = v.Luck(bytes.fromhex(c["seed"]), [("", bytes.fromhex(b)) for b in c["contributions"]])
    key = v.mac(v.mac(of.seed, v.u64(c["line"])), of.contributions).hex()
    return key == c["key"] and of.draw(c["line"], c["purpose"], c["k"], c["size"]) == c["draw"]


def shuffles(c: dict) -> bool:
    e = SimpleNamespace(data={"draws": c["draws"]})
    line = SimpleNamespace(keyed=c["line"], taken={})
    draws = v.Draws(e, {}, line, v.Luck(bytes.fromhex(c["seed"]), []))
    return draws.shuffle(c["purpose"], list(range(c["n"]))) == c["order"] and draws.peek() is None


def lines(c: dict) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "record.jsonl")
        path.write_bytes(c["file"].encode("latin-1"))
        try:
            damage = v.read(path, v.Report())[0].damage
        except v.Fault as fault:
            damage = fault
    return (damage.kind if damage else "") == c["fault"]


def said_twice(c: dict) -> bool:
    return v.says_twice(c["text"]) == c["twice"]


def metas(c: dict) -> bool:
    of = SimpleNamespace(table="", streams={"line": SimpleNamespace(fork=0)})
    e = SimpleNamespace(meta=json.loads(c["meta"]), stream="line", version=1, fault=lambda kind, _: v.Fault(kind, ""))
    try:
        v.check_meta(SimpleNamespace(record=of), e)
    except v.Fault as fault:
        return (fault.kind != "meta") == c["valid"]
    return c["valid"]


def graces(c: dict) -> bool:
    if "valid" in c:
        return v.good_grace(c["opened"]) == c["valid"]
    may = v.by_hand(c["meta"], c["by"]) and v.within_grace(c["opened"], c["move"], c["undone"])
    return may == c["may"]


KEY = b""


def checkpoints(c: dict) -> bool:
    global KEY
    if "note" in c:
        KEY = v.unbase64(c["key"])
        at, root = v.read_note(c["note"], KEY), tree([bytes.fromhex(h) for h in c["hashes"]])
        return root == at.root == bytes.fromhex(c["root"]) and at.size == len(c["hashes"])
    proof = [bytes.fromhex(h) for h in c["hashes"]]
    if "in" in c:
        of, event = v.read_note(c["in"], KEY), bytes.fromhex(c["hash"])
        return v.holds(of, c["position"], event, proof) and not v.holds(of, c["position"] + 1, event, proof)
    old, new = v.read_note(c["from"], KEY), v.read_note(c["to"], KEY)
    return v.grows(old, new, proof) and not v.grows(old, new, proof + [KEY])


def tree(hashes: list[bytes]) -> bytes:
    """The root over all events, as RFC 6962 defines it."""
    if len(hashes) == 1:
        return v.hashlib.sha256(b"\x00" + hashes[0]).digest()
    half = 1 << (len(hashes) - 1).bit_length() - 1
    return v.node(tree(hashes[:half]), tree(hashes[half:]))


CHECKS = {"chain": chain, "parts": parts, "receipts": receipts, "luck": luck, "shuffles": shuffles, "lines": lines,
          "said-twice": said_twice, "metas": metas, "graces": graces, "checkpoints": checkpoints}


def main() -> int:
    folder, done = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent), 0
    for file in sorted(folder.glob("*.json")):
        for case in json.loads(file.read_text(encoding="utf-8")):
            try:
                fits = CHECKS[file.stem](case)
            except (v.Fault, KeyError, TypeError, ValueError) as why:
                fits = print(f"{file.name}: {case.get('name')}: {why!r}", file=sys.stderr)
            if not fits:
                print(f"{file.name}: {case.get('name')}: it comes out otherwise", file=sys.stderr)
                return 1
            done += 1
    print(f"{done} vectors: all as they stand here")
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main())
