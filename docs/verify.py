#!/usr/bin/env python3
"""Verify the record of a Posthorn table, by the page of the formats alone (format.md). Only the list WRITTEN, of what games
and tables write, is made by the program.

    python3 verify.py RECORD.jsonl [--key KEY]... [--receipts FILE]... [--against OTHER.jsonl]... [--proof PROOF]... [--json]
    python3 verify.py --proof PROOF [--checkpoint KEPT]... [--json]
    python3 verify.py --server URL [RECORD.jsonl | TABLE] [--checkpoint KEPT]... [--json]

With --server a running server is asked to prove that its log goes on from what you kept, and that it holds the record, or the
public record of a TABLE (32 digits), which it is asked for too; its latest checkpoint is printed, to be kept.
RECORD is a record, or the handover of a branch with the records that it comes with (section 13).
FILE is any text that holds receipts, as a mail pasted whole. PROOF is a proof of the server's whole log (section 16),
KEPT holds checkpoints that somebody kept: that the log has only grown since. OTHER is a record of the same table, kept earlier or
by somebody else, or of the table that this one was branched from: where two hold the same version, it must be
the same event. KEY is the server's that you know, as a header has it: without it nobody knows whose record it is.

Of the record this proves: every line's form, every hash of every stream, the commitment and the seed,
the digest of every open part, lines and forks and rewinds, doors, times and deadlines, who held which
seat, that a rewind was agreed to, the signatures of receipts (also out of pasted mails), and every draw from the luck to its outcome.
Of events of play it passes over what the page does not list inside the members of `body`. It does not know the rules of the games: whether a move was legal, and what follows from the
rules alone (the points, the ranks of a finished game, whether an end or an undo was due, whom the parts of a Rivals move are for, what is promised in a Catan branch), it never checks, nor who made a move, and says so; `posthorn verify` does.
Of deadlines that were moved it checks less than the page says: whether somebody was away, and who was asked in vain.

A fault is one line on standard output:  KIND STREAM VERSION: line N: what is wrong
The kinds are those of the page (section 14); only the first fault is named, in the order of checks there. A fault
of the file as a whole has the stream "-" and the version 0.

Exit status: 0 no fault in what it checks, which is all but the rules of the games and who moved, 1 a fault, 2 the input makes no sense,
3 no fault, but not everything could be checked.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import copy
import hashlib
import hmac
import json
import re
import sys
import unicodedata
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timezone
from itertools import combinations
from pathlib import Path
from typing import Any, Callable, Iterator

FORMAT, BUNDLE = "posthorn-record-1", "posthorn-bundle-1"
ZERO16, ZERO32 = "0" * 32, "0" * 64
HOUR = 3_600_000                       # in milliseconds, as all times here
SECOND = 1000
SEATS = "ABCDEFGH"
NOBODY = -1
LONGEST_LINE = 16 << 20                # in bytes, with its end


class Fault(Exception):
    """Something that cannot be so; its kind and its place as the page names them."""

    def __init__(self, kind: str, text: str, stream: str = "-", version: int = 0, line: int = 0):
        super().__init__(text)
        self.kind, self.text, self.stream, self.version, self.line = kind, text, stream, version, line

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{self.kind} {self.stream} {self.version}: {where}{self.text}"


# ---------------------------------------------------------------------------------------------------
# What the program writes: of each game its seats (by an option and its value: the last that fits), options, and types
# of events, with the members of a body and of a secret part, and in parentheses what these hold; then the members of
# the table's events and of what these hold. There a member with ? is left out where it is nothing, one with ~ is null
# then; [x] is a list, {x} an object of x. A test of the program makes this list.
# ---------------------------------------------------------------------------------------------------

WRITTEN = json.loads("""
{"games": {
"carcassonne": {"seats": [["","",2,5],["solo","on",1,1]],
"options": {
"abbot": ["on","off"],
"colours": ["3","4"],
"farmers": ["on","off"],
"followers": ["3","4","5","6","7"],
"river": ["on","off"],
"river-start-tile": ["box","bag"],
"river-turns": ["consecutive","any"],
"solo": ["on","off"],
"two-tile-city": ["4","2"]},
"events": {
"carcassonne.dealt.v1": {"counted":"carcassonne.dealt.v2","body":""},
"carcassonne.played.v1": {"counted":"carcassonne.played.v2","body":"by tile x y turn placed(seat abbot on) scores(what recalled x y on tiles pennants cities worth figures(seat abbot x y on) points(seat points)) set_off next next_by piles final(what recalled x y on tiles pennants cities worth figures(seat abbot x y on) points(seat points)) stopped"},
"carcassonne.set-up.v1": {"counted":"carcassonne.set-up.v2","body":"view(options phase turn to_move tile tiles(tile x y turn figures(seat abbot on)) scores followers abbots remaining set_aside piles)"}}},
"catan": {"seats": [["","",2,4],["founding","beginner",3,4]],
"options": {
"board": ["variable","beginner"],
"founding": ["chosen","beginner"],
"friendly-robber": ["on","off"],
"harbours": ["fixed","shuffled"],
"neutral-building": ["each","literal","one"],
"points": ["8","9","10","11","12","13","14","15"],
"token-actions": ["one","any"],
"tokens": ["spiral","random"],
"trade-first": ["on","off"]},
"events": {
"catan.dealt.v1": {"counted":"catan.dealt.v2","body":"","part":"seat hand cards fresh"},
"catan.played.v1": {"counted":"catan.played.v2","body":"did phase two next stint dice again short owes hands pieces robber from taken lengths cards due bought card named discharged spent tokens opened(n give want to ask) answered closed partner won still shown","part":"took card"},
"catan.setup.v1": {"counted":"catan.setup.v2","body":"choices seats first board(hexes harbours) given(viewer target friendly board(hexes harbours) robber phase back first active turn stint founded rolls dice card_played token_used refilled built due(roads settlements) bank deck deck_cards players(seat roads settlements cities hand hand_size cards card_count fresh fresh_count knights spent road_length tokens owes points) neutrals(name roads settlements road_length) longest army offers(by number give want to yes no ask) offer_count supply still winner)","part":"seat hand cards fresh"}}},
"rivals": {"seats": [["","",2,2]],
"options": {
"brigands-cache": ["on","off"],
"doctor": ["2","4"],
"forced-open": ["open","stack"],
"hand-stacks": ["different","any"],
"play": ["intro","gold","turmoil","progress","duel"],
"produced-gold": ["field","cache"],
"removals": ["any","one"],
"take-fewer": ["on","off"],
"unstorable": ["stays","lost"]},
"events": {
"rivals.dealt.v1": {"counted":"rivals.dealt.v2","body":"play goal turn first active phase die face event mints removed since high seats(towns(at kind above below) roads regions(at terrain number stored) cache(at gold) stores hand known points(victory commerce strength skill progress) hero trade limit) centre(roads settlements cities regions) stacks(back cards known) open discard events passed spare tasks winner serial next asks(seat kind task serial) options viewer","part":"stacks events spare regions seat hand known"},
"rivals.played.v1": {"counted":"rivals.played.v2","body":"ops tasks count","part":"move ops told"}}}},
"objects": {
"branch": "table:text line:text version:int kind:text",
"clock": "hours:int spare:int time_out:text",
"closing": "at:int command:text meta:text data:text",
"deadline": "line:text? seat:int since:int at:time",
"paused": "until:time due:[deadline]?",
"place": "kind:text invited:[text]? holders:[text]? stand_in:text? resigned:bool?",
"proposal": "kind:text by:text agreed:{bool}~ since:int line:int to:int fresh:bool reason:base64~ seen:[seendraws]~ until:time?",
"rewound": "closed:text version:int line:text index:int fork:int fresh:bool taken:[taken]? deal:bool?",
"seendraws": "seat:int draws:int cards:int?",
"taken": "p:text k:int line:int"},
"table": {
"table.agreed.v1": "person:text rewound:rewound? end:text? paused:paused?",
"table.arrived.v1 table.arrived.v2": "key:base64~ receipts:[text]~ closing:closing?",
"table.carried.v1": "since:int silent:[text]~ rewound:rewound? end:text? paused:paused?",
"table.claimed.v1": "seat:int was:text person:text",
"table.contributed.v1": "person:text bytes:base64~",
"table.declined.v1": "seat:int person:text",
"table.deferred.v1": "why:text person:text? until:time? due:[deadline]?",
"table.dismissed.v1": "person:text",
"table.ended-elsewhere.v1": "reason:text line:text? version:int? ranks:[int]? points:[int]? seed:hex32",
"table.ended.v1 table.ended.v3": "reason:text line:text? version:int? ranks:[int]? points:[int]? seed:hex32",
"table.ended.v2 table.ended.v4": "reason:text line:text? version:int? ranks:[int]? points:[int]?",
"table.expired.v1": "seat:int person:text until:time",
"table.handed-over.v1": "to:text",
"table.invited.v1": "seat:int person:text by:text until:time?",
"table.joined.v1": "seat:int person:text bytes:base64~",
"table.left.v1": "seat:int person:text",
"table.lent.v1": "seat:int person:text stand_in:text",
"table.nudged.v1": "seat:int line:text since:int by:text at:time",
"table.offered.v1": "seat:int person:text by:text",
"table.opened.v1 table.opened.v2": "opener:text rulebook:text edition:text options:{text}~ pace:text clock:clock? no_undo:bool? grace:int? given:base64? seats:[place]~ branch:branch? until:time? listed:bool?",
"table.placed.v1": "seat:int place:place",
"table.proposed.v1": "proposal:proposal rewound:rewound? end:text? paused:paused?",
"table.resigned.v1": "seat:int person:text stand_in:text end:text?",
"table.returned.v1": "seat:int person:text due:[deadline]?",
"table.said.v1": "person:text text:base64~",
"table.started.v1": "line:text",
"table.substituted.v1": "seat:int person:text due:[deadline]?",
"table.timed-out.v1": "due:deadline does:text stand_in:text? end:text?",
"table.unanswered.v1": "since:int silent:[text]~",
"table.undone.v1": "person:text seat:int rewound:rewound~ grace:bool?",
"table.unsealed.v1": "seed:hex32",
"table.withdrawn.v1": "seat:int person:text"}}
""")


def typed(text: str) -> dict[str, str]:
    """The members of an object of the table, with their types."""
    return dict(member.split(":") for member in text.split())


def shape(text: str) -> dict[str, dict]:
    """The members of an object of a game, each with its own."""
    stack: list[dict] = [{}]
    for word in re.findall(r"[^ ()]+|[()]", text):
        if word == "(":
            stack.append(stack[-1][last])
        elif word == ")":
            stack.pop()
        else:
            stack[-1][word], last = {}, word
    return stack[0]


TABLE = {name: typed(of) for names, of in WRITTEN["table"].items() for name in names.split()}
OBJECTS = {name: typed(of) for name, of in WRITTEN["objects"].items()}
PLAYS = {name: (shape(of["body"]), shape(of["part"]) if "part" in of else None)
         for game in WRITTEN["games"].values() for plain, of in game["events"].items() for name in (plain, of.get("counted"))}
KNOWN = {name for name in PLAYS if name} | {"line.forked.v1"}
COUNTED = {of["counted"] for game in WRITTEN["games"].values() for of in game["events"].values() if "counted" in of}


# ---------------------------------------------------------------------------------------------------
# What a record holds
# ---------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Stream:
    name: str
    kind: str
    rulebook: str
    table: str
    parent: str | None
    fork: int                          # 0 if there is no parent
    origin: str


@dataclass(frozen=True)
class Part:
    to: int                            # the audience as bits
    digest: str
    salt: str | None
    text: str | None
    sealed: str | None

    def said(self) -> Any:
        """The part's JSON, or None where it is not open."""
        return None if self.text is None else json.loads(self.text)


@dataclass
class Event:
    line: int                          # of the file
    stream: str
    version: int
    type: str
    codec: str
    at: int
    command: str
    meta: dict
    data: dict
    meta_bytes: bytes
    data_bytes: bytes
    parts: list[Part]
    hash: str
    lacks: bool = False                # it is of the table, and a member is missing, or null

    def fault(self, kind: str, text: str) -> Fault:
        return Fault(kind, text, self.stream, self.version, self.line)


@dataclass
class Record:
    header: dict
    streams: dict[str, Stream]
    first: int = 1                     # the line of its header
    events: list[Event] = field(default_factory=list)
    of: dict[str, dict[int, Event]] = field(default_factory=dict)      # stream -> version -> event
    damage: Fault | None = None        # a sum that does not fit: the chain may name something better

    @property
    def table(self) -> str:
        return self.header["table"]

    def last(self, stream: str) -> int:
        """The last version of a stream: where it forked, if nothing was done in it."""
        return max(self.of.get(stream, {}), default=self.streams[stream].fork)

    def find(self, stream: str, version: int) -> Event | None:
        """Version n of a line: at or below its fork it is that of its parent."""
        while stream in self.streams:
            here = self.streams[stream]
            if version > here.fork or here.parent is None:
                return self.of.get(stream, {}).get(version)
            stream = here.parent
        return None

    def own(self) -> Iterator[Event]:
        """The events of this table's own streams, in the order of the file."""
        return (e for e in self.events if self.streams[e.stream].table == self.table)


@dataclass
class Report:
    counts: Counter = field(default_factory=Counter)
    said: list[str] = field(default_factory=list)        # no faults, but to be said
    unchecked: list[str] = field(default_factory=list)   # what could not be checked, and why
    open: list[str] = field(default_factory=list)        # the reasons of the page (section 14), each once
    hands: list[str] = field(default_factory=list)       # from which server to which, to be said first
    fault: Fault | None = None

    def say(self, text: str) -> None:
        if text not in self.said:
            self.said.append(text)

    def skip(self, why: str, text: str) -> None:
        if why not in self.open:
            self.open.append(why)
        if text not in self.unchecked:
            self.unchecked.append(text)

    def status(self) -> int:
        return 1 if self.fault else 3 if self.unchecked else 0

    def join(self, other: "Report", table: str) -> None:
        """What was checked of another record of the same file; table is empty for the last one."""
        self.counts += other.counts
        self.hands += [f"table {table}: {text}" if table else text for text in other.hands]
        for text in other.said:
            self.say(f"table {table}: {text}" if table else text)
        self.open += [why for why in other.open if why not in self.open]
        for text in other.unchecked:
            text = f"table {table}: {text}" if table else text
            self.unchecked += [text] if text not in self.unchecked else []


# ---------------------------------------------------------------------------------------------------
# Reading (section 1). A line is parsed for its meaning, and written again for its form: the form is
# wrong where the two differ. `meta` and `data` alone are taken as they stand.
# ---------------------------------------------------------------------------------------------------

HEADER = {"format": str, "table": "hex16", "rulebook": str, "edition": str, "viewer": str, "exported": "seconds",
          "key": "key", "streams": list, "receipts": list, "handover": bool, "closing": dict}
STREAM = {"name": "hex16", "kind": str, "rulebook": str, "table": "hex16", "parent": "hex16", "fork": int,
          "origin": "hex32"}
EVENT = {"stream": "hex16", "version": int, "type": str, "codec": str, "at": int, "command": "hex16",
         "meta": dict, "data": dict, "parts": list, "hash": "hex32"}
SUM = {"sum": "hex32"}
PART = {"to": str, "digest": "hex32", "salt": "base64", "text": str, "sealed": "base64"}
MAY_LACK = {"fork", "handover", "closing", "parts", "salt", "text", "sealed"}
SPACE_OUTSIDE_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|(\s)')


def text_json(text: str) -> str:
    """A text as a record writes it."""
    out = json.dumps(text, ensure_ascii=False)
    return out.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def unbase64(text: Any) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, TypeError, ValueError) as e:
        raise ValueError("no base64") from e


def exact64(text: str) -> bool:
    """Whether a base64 has no bits that say nothing: each value has one text."""
    return base64.b64encode(unbase64(text)).decode() == text


def milliseconds(text: Any) -> int:
    """A time in RFC 3339 text, UTC."""
    if not isinstance(text, str) or not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z", text):
        raise ValueError("no time")
    whole = datetime.strptime(text[:19], "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc)
    return int(whole.timestamp()) * 1000 + int((text[20:-1] + "000")[:3] if len(text) > 20 else 0)


def is_a(value: Any, kind: Any) -> bool:
    """Whether a member is of its type, in whatever way it is written."""
    if isinstance(kind, type):
        return isinstance(value, kind) and (kind is bool or not isinstance(value, bool)) and \
            (kind is not int or -2**63 <= value < 2**64)
    if not isinstance(value, str):
        return False
    if kind in ("hex16", "hex32"):
        return re.fullmatch(r"[0-9a-fA-F]{%d}" % (2 * int(kind[3:])), value) is not None
    try:
        if kind == "seconds":
            return len(value) == 20 and milliseconds(value) >= -2**63
        return len(unbase64(value)) == 32 if kind == "key" else unbase64(value) is not None
    except ValueError:
        return False


def members(value: Any, kinds: dict[str, Any]) -> None:
    """Raise ValueError where an object has a member of another type than listed."""
    if not isinstance(value, dict):
        raise ValueError("no object")
    for name, kind in kinds.items():
        if name in value and not is_a(value[name], kind):
            raise ValueError(f"member {name} is of another type")
    if isinstance(value.get("version"), int) and value["version"] < 1:
        raise ValueError("versions count from 1")


def written(value: Any) -> str:
    """A value as a record writes it: no spaces, members in their order."""
    if isinstance(value, dict):
        return "{" + ",".join(text_json(n) + ":" + written(v) for n, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(written(v) for v in value) + "]"
    return text_json(value) if isinstance(value, str) else json.dumps(value)


def in_form(value: dict, kinds: dict[str, Any]) -> bool:
    """Whether the members are those listed, in their order, with what may be left out left out."""
    names = [n for n in kinds if n in value or n not in MAY_LACK]
    lower = all(value[n] == value[n].lower() for n in names if n in value and str(kinds[n]).startswith("hex"))
    lower &= all(exact64(value[n]) for n in names if n in value and kinds[n] in ("key", "base64"))
    empty = any(n in MAY_LACK and n != "text" and not value[n] for n in value)
    return list(value) == names and lower and not empty


def parse(text: str) -> Any:
    def refuse(word: str) -> None:
        raise ValueError(f"{word} is no JSON")
    return json.loads(text, parse_constant=refuse)


def read_header(text: str, line: int) -> tuple[dict, dict[str, Stream]]:
    try:
        header = parse(text)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise Fault("not-a-record", f"not a record of this form ({FORMAT})", line=line)
    try:
        members(header, HEADER)
        for s in header.get("streams", []):
            members(s, STREAM)
        if not all(isinstance(r, str) for r in header.get("receipts", [])):
            raise ValueError("a receipt is no text")
    except ValueError as e:
        raise Fault("malformed", f"the line is malformed: {e}", line=line) from None
    fits = in_form(header, HEADER) and all(in_form(s, STREAM) for s in header["streams"])
    if not fits or written(header) != text:
        raise Fault("rewritten", "the line is not written as a record writes it: it was altered", line=line)
    streams: dict[str, Stream] = {}
    for s in header["streams"]:
        here = Stream(s["name"], s["kind"], s["rulebook"], s["table"],
                      None if s["parent"] == ZERO16 else s["parent"], s.get("fork", 0), s["origin"])
        if here.name in streams:
            raise Fault("stream-twice", "the header names a stream twice", here.name, here.fork + 1, line)
        streams[here.name] = here
    if "closing" in header:
        try:
            header["closing"] = read_event(value_at(text, "closing"), line)
        except Fault as why:
            raise Fault(why.kind, why.text, line=line) from None
    return header, streams


def value_at(text: str, member: str) -> str:
    """The text of `meta` or `data` as it stands in the line: it comes once, outside of all other text."""
    depth, i = 0, 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[{}\[\]]', text):
        word = token.group()
        if depth == 1 and word == f'"{member}"' and text[token.end():token.end() + 1] == ":":
            i = token.end() + 1
            return text[i:json.JSONDecoder().raw_decode(text, i)[1]]
        depth += (word in "{[") - (word in "}]") if len(word) == 1 else 0
    raise ValueError(f"no {member}")


def as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def audience(to: str) -> int:
    """The audience as bits, or −1 where it is not written as one."""
    if to == "-":
        return 0
    bits = sum(1 << SEATS.index(c) for c in to if c in SEATS)
    return bits if to and "".join(sorted(set(to))) == to and all(c in SEATS for c in to) else -1


def read_event(text: str, number: int) -> Event:
    try:
        e = parse(text)
        members(e, EVENT)
        for p in e.get("parts", []):
            members(p, PART)
            if not re.fullmatch("[A-H]*-?", p.get("to", "")):
                raise ValueError("no audience")
    except (ValueError, RecursionError) as why:
        raise Fault("malformed", f"the line is malformed: {why}", line=number) from None
    where = (e.get("stream", "-"), e.get("version", 0), number)
    odd = Fault("rewritten", "the line is not written as a record writes it: it was altered", *where)
    if not in_form(e, EVENT) or not all(in_form(p, PART) and audience(p["to"]) >= 0 for p in e.get("parts", [])):
        raise odd
    meta, data = value_at(text, "meta"), value_at(text, "data")
    again = ",".join(text_json(n) + ":" + (meta if n == "meta" else data if n == "data" else written(v))
                     for n, v in e.items())
    if "{" + again + "}" != text or any(m[1] for m in SPACE_OUTSIDE_TEXT.finditer(meta + data)):
        raise odd
    parts = [Part(audience(p["to"]), p["digest"], p.get("salt"), p.get("text"), p.get("sealed"))
             for p in e.get("parts", [])]
    return Event(number, e["stream"], e["version"], e["type"], e["codec"], e["at"], e["command"], e["meta"],
                 e["data"], as_bytes(meta), as_bytes(data), parts, e["hash"])


def read_sum(line: bytes, number: int, before: "hashlib._Hash") -> Fault | None:
    try:
        last = parse(line.decode("utf-8"))
        members(last, SUM)
        if "sum" in last and in_form(last, SUM) and written(last) == line.decode("utf-8"):
            fits = last["sum"] == before.hexdigest()
            return None if fits else Fault("sum", "the sum does not fit: the file was damaged or altered", line=number)
    except (ValueError, RecursionError) as why:
        return Fault("malformed", f"the line is malformed: {why}", line=number)
    return Fault("rewritten", "the line is not written as a record writes it: it was altered", line=number)


def bundled(line: bytes) -> int:
    """How many records follow, where a first line says that several do; else 0."""
    try:
        said = parse(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return 0
    if not isinstance(said, dict) or said.get("format") != BUNDLE:
        return 0
    if type(said.get("records")) is not int or not 2 <= said["records"] <= 1000:
        raise Fault("malformed", "the line is malformed: it says of how many records", line=1)
    if line != b'{"format":"%s","records":%d}' % (BUNDLE.encode(), said["records"]):
        raise Fault("rewritten", "the line is not written as a record writes it: it was altered", line=1)
    return said["records"]


def read(path: Path | bytes, report: Report) -> list[Record]:
    """The whole file: one record, or those of a bundle. Damage that leaves the lines readable is kept: the chain may say
    more of it."""
    lines = (path if isinstance(path, bytes) else path.read_bytes()).split(b"\n")
    rest = lines.pop()                 # empty, if the last line has its end
    records: list[Record] = []
    several = bundled(lines[0]) if lines else 0
    running, more, begins = hashlib.sha256(), several or 1, True
    for number, line in enumerate(lines, 1):
        if several and number == 1:
            continue
        if begins and not more:
            records[-1].damage = records[-1].damage or Fault("after-sum", "nothing may come after the sum", line=number)
            break
        if len(line) >= LONGEST_LINE:
            raise Fault("malformed", f"the line is malformed: it has more than {LONGEST_LINE} bytes", line=number)
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            raise Fault("malformed", "the line is malformed: no UTF-8", line=number) from None
        if begins:
            records.append(Record(*read_header(text, number), first=number))
            running, more, begins = hashlib.sha256(), more - 1, False
        elif line.startswith(b'{"sum":'):
            records[-1].damage, begins = read_sum(line, number, running), True
        else:
            records[-1].events.append(read_event(text, number))
        running.update(line + b"\n")
        report.counts["lines"] += 1
    if not records and not several:
        raise Fault("not-a-record", f"not a record of this form ({FORMAT})", line=1)
    if not begins or more:
        cut = Fault("cut-short", "the record breaks off: its last line, the sum, is missing", line=len(lines) + 1)
        if not records:
            raise cut
        records[-1].damage = cut
    elif rest and not records[-1].damage:
        records[-1].damage = Fault("after-sum", "nothing may come after the sum", line=len(lines) + 1)
    return records


# ---------------------------------------------------------------------------------------------------
# The header by itself, and the chain (sections 2 and 3)
# ---------------------------------------------------------------------------------------------------

NO_PROOF = "anybody can sign for the key of a server: it proves nothing"


def check_header(record: Record) -> None:
    if not proves(unbase64(record.header["key"])):
        raise Fault("weak-key", NO_PROOF, line=1)
    for s in record.streams.values():
        raw = next(h for h in record.header["streams"] if h["name"] == s.name)
        if (s.parent is None) != ("fork" not in raw) or s.fork < 0:
            raise Fault("fork-from-nothing", "the stream forks from nothing, or at no version", s.name, s.fork + 1, 1)
        if s.parent is not None and s.parent not in record.streams:
            raise Fault("parent-unknown", "the header does not name the stream it forked from", s.name, s.fork + 1, 1)
    for s in record.streams.values():
        seen, up = {s.name}, s.parent
        while up is not None:
            if up in seen:
                raise Fault("own-ancestor", "the stream is its own ancestor", s.name, s.fork + 1, 1)
            seen.add(up)
            up = record.streams[up].parent


def u64(number: int) -> bytes:
    return (number % 2**64).to_bytes(8, "big")


def framed(data: bytes) -> bytes:
    """F(b) of the page."""
    return u64(len(data)) + data


def event_hash(e: Event, before: str) -> str:
    h = hashlib.sha256(framed(b"posthorn-chain-1"))
    h.update(framed(bytes.fromhex(before)) + framed(bytes.fromhex(e.stream)))
    h.update(u64(e.version) + framed(e.type.encode()) + framed(e.codec.encode()) + u64(e.at))
    h.update(framed(bytes.fromhex(e.command)))
    h.update(framed(hashlib.sha256(e.meta_bytes).digest()) + framed(hashlib.sha256(e.data_bytes).digest()))
    h.update(u64(len(e.parts)))
    for p in e.parts:
        h.update(u64(p.to) + framed(bytes.fromhex(p.digest)))
    return h.hexdigest()


def folded(letter: str) -> str:
    """Unicode's simple case folding of one letter."""
    return next((c for c in (letter.casefold(), letter.lower()) if len(c) == 1), letter)


def says_twice(text: str | bytes) -> bool:
    """Whether an object in this JSON names a member twice. Names that differ in case are the same, but in
    a count of things: all names begin with A to Z, all values are numbers."""
    twice = False

    def look(pairs: list[tuple[str, Any]]) -> dict:
        nonlocal twice
        counted = all("A" <= n[:1] <= "Z" and type(v) in (int, float) for n, v in pairs)
        names = [n if counted else "".join(map(folded, n)) for n, _ in pairs]
        twice = twice or len(set(names)) != len(names)
        return dict(pairs)

    json.loads(text, object_pairs_hook=look)
    return twice


def check_chain(record: Record, report: Report) -> None:
    commands: set[str] = set()
    for e in record.events:
        stream = record.streams.get(e.stream)
        if stream is None:
            raise e.fault("stream-unknown", "the header does not name this stream")
        here = record.of.setdefault(e.stream, {})
        due = max(here, default=stream.fork) + 1
        if e.version != due:
            raise e.fault("version-order", f"version {due} should come here")
        before = record.find(e.stream, e.version - 1) if e.version > 1 else None
        if e.version > 1 and before is None:
            raise e.fault("before-missing", "the event before it is missing")
        if event_hash(e, before.hash if before else stream.origin) != e.hash:
            raise e.fault("altered", "the event was altered: its hash does not fit")
        check_said(e)
        if stream.table == record.table:
            if e.command == ZERO16 or e.command in commands:
                raise e.fault("command-twice", "its command was done before at this table")
            commands.add(e.command)
        here[e.version] = e
        report.counts["hashes of the chain"] += 1
    if record.damage:
        raise record.damage
    for s in record.streams.values():
        if s.table == record.table and not record.of.get(s.name):
            raise Fault("stream-empty", "the record holds no event of this stream", s.name, s.fork + 1, 1)


def check_said(e: Event) -> None:
    if says_twice(e.meta_bytes) or says_twice(e.data_bytes):
        raise e.fault("said-twice", "something is said twice in it, so that one reader may read what another does not")
    for i, p in enumerate(e.parts):
        if p.text is None or e.type.startswith("table.opened.v"):
            continue
        try:
            twice = says_twice(p.text)
        except (ValueError, RecursionError):
            continue                   # no JSON says nothing twice: who needs the part will say that
        if twice:
            raise e.fault("said-twice", f"something is said twice in secret part {i + 1}, so that one reader may "
                                        "read what another does not")
    if e.codec != "json":
        raise e.fault("codec", f"{e.codec} is no way in which events are written")


def check_parts(record: Record, report: Report) -> None:
    """Every open part against the digest that the chain covers (section 4)."""
    for e in record.events:
        for i, p in enumerate(e.parts):
            report.counts["secret parts"] += 1
            if p.text is None and p.salt is None:
                continue
            salt = unbase64(p.salt or "")
            digest = hashlib.sha256(framed(salt) + framed(as_bytes(p.text or ""))).hexdigest()
            if len(salt) != 32 or p.text is None or digest != p.digest:
                raise e.fault("secret-altered", f"secret part {i + 1} does not fit its digest")
            report.counts["digests of secret parts"] += 1
    shut = report.counts["secret parts"] - report.counts["digests of secret parts"]
    if shut:
        report.say(f"{shut} secret parts are not open in this record")


# ---------------------------------------------------------------------------------------------------
# The table (section 7): how it stood after each of its events
# ---------------------------------------------------------------------------------------------------

@dataclass
class Place:
    kind: str
    invited: list[str]
    holders: list[str]
    stand_in: str = ""
    resigned: bool = False
    lent: bool = False
    former: list[str] = field(default_factory=list)          # who held it before, and may come back
    gone: list[str] = field(default_factory=list)            # who left it
    offer: str | None = None

    @property
    def peoples(self) -> bool:
        return self.kind != "stand-in" and not self.resigned

    @property
    def played(self) -> bool:
        """Played by people."""
        return self.peoples and not self.lent


@dataclass
class Line:
    name: str
    index: int
    parent: str | None
    fork: int
    opened: Event                      # the table's event that opened it
    keyed: int                         # the index of the line whose key it draws with
    taken: dict[tuple[str, int], int] = field(default_factory=dict)      # the draws that another line's key gives
    fresh: bool = False
    deal: bool = False
    undone: bool = False


@dataclass
class State:
    """A table after one of its events."""
    status: str = "open"
    places: list[Place] = field(default_factory=list)
    contributed: list[tuple[str, bytes]] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    proposal: dict | None = None       # with `since` and `agreed` filled in
    due_end: str | None = None
    moved: dict[int, dict] = field(default_factory=dict)     # seat -> its deadline that was moved last
    noted: list[dict] = field(default_factory=list)          # deadlines noted as passed
    nudged: dict[int, int] = field(default_factory=dict)     # seat -> the hour of its last nudge
    spent: dict[int, int] = field(default_factory=dict)      # seat -> spare days taken
    invites: dict[tuple[int, str], str | None] = field(default_factory=dict)
    handed_over: bool = False
    elsewhere: bool = False
    sealed: bool = False

    def people(self) -> list[str]:
        """Everybody who holds a place that is played by people, by seat, each once."""
        return list(dict.fromkeys(p for place in self.places if place.played for p in place.holders))

    @property
    def main(self) -> Line:
        return self.lines[-1]

    @property
    def playing(self) -> bool:
        return self.status == "started" and self.due_end is None


def is_open(s: State) -> bool:
    """Whether a table has ended and its secrets are open: its end, here or elsewhere, told the seed, or what came after it."""
    return s.status == "ended" and not s.sealed and (s.elsewhere or not s.handed_over)


class Table:
    """The table's own stream, folded. `after[n]` is how it stood after version n; `after[0]` is nothing."""

    def __init__(self, record: Record):
        self.record = record
        stream = record.of.get(record.table)
        if not stream:
            raise Fault("no-table", "the record holds no event of its table", record.table, 1, 1)
        self.events = [stream[v] for v in sorted(stream)]
        self.opening = self.events[0]
        self.seed: bytes | None = None
        self.formers: list[Event] = []
        self.gave: set[int] = set()        # the versions of those that prove that the former server gave the table away
        self.strange: set[str] = set()
        self.until: Event | None = None    # the first of a type that is not known: nothing after it is
        if re.fullmatch(r"table\.opened\.v(?![12]$)\d+", self.opening.type):
            self.strange.add(self.opening.type)
            self.until, self.after, self.lines = self.opening, [State()] * (len(self.events) + 1), {}
            return
        if not self.opening.type.startswith("table.opened.v"):
            raise self.opening.fault("table-refused", "the table does not allow this: it was not opened")
        self.commitment = self.read_commitment()
        self.after: list[State] = [State()]
        for e in self.events:
            self.after.append(self.folded(e))
        self.lines = {line.name: line for line in self.final.lines}

    @property
    def final(self) -> State:
        return self.after[-1]

    def known(self) -> list[Event]:
        """The events before the first of a type that is not known."""
        return self.events[:self.until.version - 1] if self.until else self.events

    def open(self) -> bool:
        """Whether it has ended, and its secrets are open."""
        return is_open(self.final)

    @property
    def clock(self) -> dict | None:
        return self.opening.data.get("clock")

    @property
    def keeps_luck(self) -> bool:
        """Whether going back with the same luck gives no other draws, also of what was not drawn yet."""
        return self.opening.type == "table.opened.v2"

    @property
    def branch(self) -> dict | None:
        return self.opening.data.get("branch")

    def read_commitment(self) -> Part:
        parts = self.opening.parts
        if len(parts) != 1 or parts[0].to != 0:
            raise self.opening.fault("commitment", "an opening commits to its seed, with one secret part that is for "
                                                   "nobody")
        text = parts[0].text
        if text is not None:
            if not re.fullmatch("[0-9a-f]{64}", text):
                raise self.opening.fault("seed-form", "the seed: it is not 64 hex digits")
            self.seed = bytes.fromhex(text)
        return parts[0]

    def folded(self, e: Event) -> State:
        """How the table stands after an event: a copy of how it stood, changed."""
        if self.until:
            return self.after[-1]
        state = copy.copy(self.after[-1])
        state.lines = list(state.lines)
        for name in ("places", "contributed", "moved", "noted", "nudged", "spent", "invites", "proposal"):
            setattr(state, name, copy.deepcopy(getattr(state, name)))
        kind = e.type.removeprefix("table.").rpartition(".v")[0].replace("-", "_")
        fold: Callable | None = getattr(self, "fold_" + kind, None)
        if fold is None or e.type not in TABLE:
            if not e.type.startswith("table."):
                raise e.fault("not-of-the-game", f"{e.type} is not of a table")
            self.strange.add(e.type)
            self.until = e
            return state
        if e.version > 1 and e.parts:
            raise e.fault("table-parts", f"{e.type} has no secret parts")
        try:
            e.data, e.lacks = shaped(e.data, TABLE[e.type], e.type)
        except ValueError as why:
            raise e.fault("unreadable", f"the event cannot be what a server wrote: {why}") from None
        if "seed" in e.data:
            if self.commitment.text is None:
                raise e.fault("commitment-closed", "the seed is open, but the commitment at the opening is not")
            if self.commitment.text != e.data["seed"]:
                raise e.fault("seed-other", "the seed is not the one that was committed to")
        try:
            fold(state, e, e.data)
        except IndexError:
            raise e.fault("table-refused", "the table does not allow this: it has no such seat") from None
        except (KeyError, TypeError, ValueError, AttributeError) as why:
            raise e.fault("unreadable", f"the event cannot be what a server wrote: {why!r}") from None
        return state

    # One function for each type of event: the state as it was becomes the state after it.

    def fold_opened(self, s: State, e: Event, d: dict) -> None:
        s.places = [Place(p["kind"], list(p.get("invited", [])), list(p.get("holders", [])), p.get("stand_in", ""),
                          p.get("resigned", False)) for p in d["seats"]]
        s.invites = {(i, p): d.get("until") for i, place in enumerate(s.places) for p in place.invited}

    def fold_contributed(self, s: State, e: Event, d: dict) -> None:
        s.contributed.append((d["person"], unbase64(d["bytes"])))

    def fold_invited(self, s: State, e: Event, d: dict) -> None:
        place = s.places[d["seat"]]
        place.kind = "player" if place.kind == "open" else place.kind
        if d["person"] not in place.invited:
            place.invited.append(d["person"])
        s.invites[d["seat"], d["person"]] = d.get("until")

    def fold_joined(self, s: State, e: Event, d: dict) -> None:
        place = s.places[d["seat"]]
        place.kind = "player" if place.kind == "open" else place.kind
        place.invited = [p for p in place.invited if p != d["person"]]
        place.holders.append(d["person"])
        if d["person"] not in [p for p, _ in s.contributed]:
            self.fold_contributed(s, e, d)

    def fold_declined(self, s: State, e: Event, d: dict) -> None:
        place = s.places[d["seat"]]
        place.invited = [p for p in place.invited if p != d["person"]]
        place.holders = [p for p in place.holders if p != d["person"]]
        if place.kind == "player" and not place.invited and not place.holders:
            place.kind = "open"

    fold_expired = fold_declined

    def fold_placed(self, s: State, e: Event, d: dict) -> None:
        p = d["place"]
        s.places[d["seat"]] = Place(p["kind"], list(p.get("invited", [])), list(p.get("holders", [])),
                                    p.get("stand_in", ""))

    def fold_started(self, s: State, e: Event, d: dict) -> None:
        s.status = "started"
        branch = self.branch
        self.add_line(s, Line(d["line"], 0, branch["line"] if branch else None, branch["version"] if branch else 0, e, 0))

    def add_line(self, s: State, line: Line) -> None:
        if not re.fullmatch("[0-9a-f]{32}", line.name) or line.name == ZERO16 or \
                line.name in [self.record.table] + [other.name for other in s.lines]:
            raise line.opened.fault("line-name", f"line {line.name}: no name, or one that is taken")
        s.lines.append(line)

    def consequences(self, s: State, e: Event, d: dict) -> None:
        """What a consent, or the end of a seat, brings with it: a rewind, the end, a pause."""
        if "rewound" in d:
            r = d["rewound"]
            taken = {(t["p"], t["k"]): t["line"] for t in r.get("taken", [])}
            s.proposal = None
            keyed = self.keyed(s, r.get("fresh", False), r["index"])
            self.add_line(s, Line(r["line"], r["index"], r["closed"], r["fork"], e, keyed, taken, r.get("fresh", False),
                                  r.get("deal", False), e.type == "table.undone.v1"))
        if "end" in d:
            s.due_end, s.proposal = d["end"], None
        if "paused" in d:
            s.proposal = None
            self.move_deadlines(s, d["paused"])

    def keyed(self, s: State, fresh: bool, index: int) -> int:
        """The index of the line whose key a new line draws with."""
        return s.main.keyed if self.keeps_luck and not fresh and s.lines else index

    def move_deadlines(self, s: State, d: dict) -> None:
        for due in d.get("due", []):
            s.moved[due["seat"]] = due

    def fold_proposed(self, s: State, e: Event, d: dict) -> None:
        s.proposal = dict(d["proposal"], since=e.version, agreed=[d["proposal"]["by"]])
        self.consequences(s, e, d)

    def fold_agreed(self, s: State, e: Event, d: dict) -> None:
        if s.proposal:
            s.proposal["agreed"].append(d["person"])
        self.consequences(s, e, d)

    def fold_dismissed(self, s: State, e: Event, d: dict) -> None:
        s.proposal = None
        self.consequences(s, e, d)

    fold_carried = fold_unanswered = fold_dismissed
    fold_undone = consequences

    def fold_resigned(self, s: State, e: Event, d: dict) -> None:
        s.places[d["seat"]].resigned = True
        s.places[d["seat"]].stand_in = d["stand_in"]
        self.consequences(s, e, d)

    def fold_timed_out(self, s: State, e: Event, d: dict) -> None:
        due, seat = d["due"], d["due"]["seat"]
        s.noted.append(due)
        place = s.places[seat] if seat >= 0 else None
        if place and d["does"] == "seat":
            place.lent = True
        elif place and d["does"] == "lost":
            place.resigned = True
        self.consequences(s, e, d)

    def fold_left(self, s: State, e: Event, d: dict) -> None:
        place = s.places[d["seat"]]
        place.holders.remove(d["person"])
        place.gone.append(d["person"])

    def fold_lent(self, s: State, e: Event, d: dict) -> None:
        s.places[d["seat"]].lent = True

    def fold_returned(self, s: State, e: Event, d: dict) -> None:
        place = s.places[d["seat"]]
        place.lent = False
        if d["person"] in place.former:
            place.holders, place.former, place.offer = [d["person"]], [], None
        self.move_deadlines(s, d)

    def fold_offered(self, s: State, e: Event, d: dict) -> None:
        s.places[d["seat"]].offer = d["person"]

    def fold_withdrawn(self, s: State, e: Event, d: dict) -> None:
        s.places[d["seat"]].offer = None

    def fold_substituted(self, s: State, e: Event, d: dict) -> None:
        place = s.places[d["seat"]]
        place.former += place.holders
        place.holders, place.lent, place.offer = [d["person"]], False, None
        self.move_deadlines(s, d)

    def fold_claimed(self, s: State, e: Event, d: dict) -> None:
        place = s.places[d["seat"]]
        place.holders = [p for p in place.holders if p != d["was"]] + [d["person"]]

    def fold_deferred(self, s: State, e: Event, d: dict) -> None:
        if d["why"] == "spare":
            s.spent[d["due"][0]["seat"]] = s.spent.get(d["due"][0]["seat"], 0) + 1
        self.move_deadlines(s, d)

    def fold_ended(self, s: State, e: Event, d: dict) -> None:
        s.status, s.proposal, s.sealed = "ended", None, e.type in SEALED

    def fold_handed_over(self, s: State, e: Event, d: dict) -> None:
        s.status, s.handed_over = "ended", True

    def fold_arrived(self, s: State, e: Event, d: dict) -> None:
        closing = d.get("closing")
        if closing is not None and not (isinstance(closing, dict) and all(isinstance(closing[n], str) for n in ("command", "meta", "data"))
                                        and type(closing["at"]) is int):
            raise ValueError("no event that closed it")
        self.formers.append(e)
        if len(unbase64(d["key"])) != 32 or not isinstance(d["receipts"] or [], list):
            raise ValueError("no key")

    def fold_unsealed(self, s: State, e: Event, d: dict) -> None:
        s.sealed = False

    def fold_ended_elsewhere(self, s: State, e: Event, d: dict) -> None:
        s.elsewhere = True

    def fold_said(self, s: State, e: Event, d: dict) -> None:
        """Changes nothing."""

    def fold_nudged(self, s: State, e: Event, d: dict) -> None:
        s.nudged[d["seat"]] = milliseconds(d["at"])


# ---------------------------------------------------------------------------------------------------
# The header against the table, handovers, lines (sections 2 and 13)
# ---------------------------------------------------------------------------------------------------

def header_fault(kind: str, text: str, s: Stream) -> Fault:
    return Fault(kind, text, s.name, s.fork + 1, 1)


def check_header_of_table(record: Record, table: Table) -> None:
    d = table.opening.data
    if (record.header["rulebook"], record.header["edition"]) != (d.get("rulebook"), d.get("edition")):
        raise Fault("header-game", "the header names another game or edition than the table's opening", record.table, 1, 1)
    ancestors: set[str] = set()
    for line in table.lines:
        while line in record.streams and record.streams[line].parent:
            line = record.streams[line].parent
            ancestors.add(line)
    for s in record.streams.values():
        own = s.table == record.table
        if s.rulebook != record.header["rulebook"]:
            raise header_fault("stream-game", "the stream is said to be of another game than the table's", s)
        if s.name == record.table:
            if (s.kind, s.table, s.parent, s.origin) != ("table", record.table, None, ZERO32):
                raise header_fault("table-stream", "what the record says of the table's stream is not so", s)
        elif s.kind != "line":
            raise header_fault("stream-kind", "the stream is said to be no line of play", s)
        elif own and s.name not in table.lines and not table.until:
            raise header_fault("line-unopened", "no event of the table opened this line", s)
        elif not own and s.name not in ancestors and not table.until:
            raise header_fault("stream-foreign", "the stream is of another table, and nothing here was branched from it", s)
        elif s.parent and s.origin != ZERO32:
            raise header_fault("fork-origin", "a forked line starts from its parent alone", s)


def check_handover(record: Record) -> None:
    for e in record.events:
        for i, p in enumerate(e.parts):
            if not record.header.get("handover"):
                if p.sealed is not None:
                    raise e.fault("sealed-stray", f"secret part {i + 1} is sealed, and this is no handover")
                continue
            if p.sealed is None or p.text is not None or p.salt is not None:
                raise e.fault("not-sealed", f"secret part {i + 1} is not sealed for another server: this is no handover")


KEYS = re.compile(r"posthorn-key-([A-Za-z0-9_-]{86})(@https?://[^/?#@]+)?")


def handed_to(data: str | bytes) -> bytes:
    """The key by which the server signs that an event of the type table.handed-over names."""
    m = KEYS.fullmatch(json.loads(data)["to"])
    return base64.urlsafe_b64decode(m[1] + "==")[32:]


def check_closing(record: Record, table: Table) -> None:
    """The event that a handover names as the one that closed the table."""
    closing, version = record.header.get("closing"), record.last(record.table) + 1

    def need(holds: Any, text: str) -> None:
        if not holds:
            raise Fault("closing", f"the event that closed the table elsewhere cannot be read: {text}", record.table, version, 1)

    if closing is None:
        need(not record.header.get("handover") or not table.keeps_luck, "it is missing")
        return
    need(record.header.get("handover"), "this is no handover")
    fits = (closing.stream, closing.version, closing.type, closing.codec, closing.parts) == \
        (record.table, version, "table.handed-over.v1", "json", [])
    need(fits and event_hash(closing, table.events[-1].hash) == closing.hash, "its place or its hash does not fit")
    try:
        handed_to(closing.data_bytes)
    except (KeyError, TypeError, ValueError, AttributeError):
        need(False, "whom it names")


def check_viewer(record: Record, table: Table) -> None:
    """What is open is what the reader may know, for whom the record says that it was written."""
    viewer, handover = record.header["viewer"], bool(record.header.get("handover"))
    seats = list(SEATS[:len(table.opening.data.get("seats", []))])
    if table.until:
        return
    if viewer not in ["everything", "spectator", *seats] + ["another server"] * handover or handover != (viewer == "another server"):
        raise Fault("viewer", f"it is not what its reader may know: nobody reads as {viewer}", record.table, 1, 1)
    bits = {"everything": 255, "spectator": 0}.get(viewer, audience(viewer) if viewer in seats else 0)
    for e in record.own() if not handover and not table.open() else ():
        for i, p in enumerate(e.parts):
            if (p.text is not None) != (bool(p.to & bits) or viewer == "everything"):
                raise e.fault("viewer", f"it is not what its reader may know: secret part {i + 1}")


def check_closed(record: Record, table: Table) -> None:
    """Nothing of the table is left closed once its secrets are open."""
    for e in record.own() if table.open() else ():
        for i, p in enumerate(e.parts):
            if p.text is None:
                raise e.fault("part-closed", f"secret part {i + 1} is left closed, and the table has ended")


def check_branch(record: Record, table: Table) -> None:
    branch = table.branch
    if branch is None or not table.final.lines or table.final.lines[0].name not in record.streams:
        return
    s = record.streams.get(branch["line"])
    if s is None or s.kind != "line" or s.table != branch["table"]:
        raise table.opening.fault("branch-elsewhere", "the line it was branched from is not of the table that it names")


def check_lines(record: Record, table: Table) -> None:
    lines = table.final.lines
    for i, line in enumerate(lines):
        s = record.streams.get(line.name)
        if s is None:
            if i == len(lines) - 1 and table.final.status == "started":
                continue
            raise Fault("line-missing", f"the line that version {line.opened.version} of the table opened is missing",
                        line.name, line.fork + 1)
        if (s.parent, s.fork) != (line.parent, line.fork):
            raise header_fault("fork-elsewhere", "the line forks elsewhere than the table says", s)
        first = record.of.get(line.name, {}).get(line.fork + 1)
        if first is None:
            raise header_fault("line-empty", "the line has no first event", s)
        check_meta(table, first)
        if first.meta.get("opened") != line.opened.hash:
            raise first.fault("line-cause", "the line does not name the table's event that opened it")
        if s.parent is None and s.origin != line.opened.hash:
            raise header_fault("line-origin", "the line does not start from the table's event that opened it", s)
        if i + 1 < len(lines):
            r, last = lines[i + 1].opened.data["rewound"], record.last(line.name)
            if (r["closed"], r["version"]) != (line.name, last):
                end = record.find(line.name, last)
                said = f"version {lines[i + 1].opened.version} of the table closed the line elsewhere"
                raise Fault("closed-elsewhere", said, line.name, last, end.line if end else 0)


# ---------------------------------------------------------------------------------------------------
# Who and how (section 6), times and deadlines (section 12)
# ---------------------------------------------------------------------------------------------------

def listed(value: dict, names: tuple[str, ...]) -> None:
    """Raise ValueError where a member that is listed is null, or its name written otherwise."""
    for name, v in value.items():
        alike = "".join(map(folded, name))
        if alike in names and (alike != name or v is None):
            raise ValueError(f"{alike} is null, or its name is written otherwise")


def check_meta(table: Table, e: Event) -> None:
    m, in_line = e.meta, e.stream != table.record.table
    try:
        listed(m, ("by", "door", "wish", "reply", "opened", "due"))
        if not all(isinstance(m.get(n, ""), str) for n in ("by", "door", "wish", "reply", "opened")):
            raise ValueError("a member is no text")
        if "opened" in m and not re.fullmatch("[0-9a-f]{64}", m["opened"]):
            raise ValueError("opened is no hash")
        for due in m.get("due", []):
            listed(due, ("seat", "at"))
            if type(due["seat"]) is not int or milliseconds(due["at"]) < 0:
                raise ValueError("a deadline")
        if len({due["seat"] for due in m.get("due", [])}) < len(m.get("due", [])):
            raise ValueError("two deadlines are one seat's")
    except (ValueError, TypeError, KeyError) as why:
        raise e.fault("meta", f"what stands beside it cannot be read: {why}") from None
    by, door = m.get("by", ""), m.get("door", "")
    if by and door not in ("page", "mail", "api", "host", "reply", "order"):
        raise e.fault("door-person", f"no person comes by the door {door}")
    if not by and door not in ("runner", "clock", "forced", "host"):
        raise e.fault("door-house", f"nobody came by the door {door}")
    if door == "order" and not in_line:
        raise e.fault("door-order", "an order moves, and does nothing else")
    if "reply" in m and door != "reply":
        raise e.fault("door-reply", f"it says that it came by mail, and by the door {door}")
    if "opened" in m and not (in_line and e.version == table.record.streams[e.stream].fork + 1):
        raise e.fault("opened-elsewhere", "it says that it opens a line, and it does not")


def follows(record: Record, table: Table) -> Iterator[tuple[Event, Event]]:
    """Pairs of events of which the second is not earlier than the first."""
    for e in record.events:
        before = record.find(e.stream, e.version - 1) if e.version > 1 else None
        if before:
            yield before, e
        line = table.lines.get(e.stream)
        if line and e.version == line.fork + 1:
            yield line.opened, e
    for e in table.known():
        before = table.after[e.version - 1]
        if "rewound" in e.data:
            closed = e.data["rewound"]["closed"]
            end = record.find(closed, record.last(closed)) if closed in record.streams else None
            if end:
                yield end, e
        stood = stood_at(record, e, before)
        if stood is not None and before.lines:
            named = record.find(before.main.name, stood)
            after = record.of.get(before.main.name, {}).get(stood + 1)
            if named:
                yield named, e
            if after:
                yield e, after


ENDED = ("table.ended.v1", "table.ended.v2", "table.ended.v3", "table.ended.v4")
SEALED, WITH_POINTS = ENDED[1::2], ENDED[2:]  # without the seed; with points


def stood_at(record: Record, e: Event, before: State) -> int | None:
    """Where an event of the table says that the main line stood, if it says so."""
    if e.type == "table.proposed.v1":
        return e.data["proposal"]["line"]
    if e.type in ("table.agreed.v1", "table.carried.v1") and before.proposal and before.proposal["kind"] != "pause":
        return before.proposal["line"]
    if e.type in ENDED:
        return e.data.get("version")
    if e.type == "table.handed-over.v1" and before.lines and before.main.name in record.streams:
        return record.last(before.main.name)
    return None


def check_times(record: Record, table: Table, report: Report) -> None:
    exported = milliseconds(record.header["exported"])
    earlier: dict[int, list[Event]] = {}
    for first, then in follows(record, table):
        earlier.setdefault(then.line, []).append(first)
    for e in record.events:
        if e.at < 0:
            raise e.fault("time-1970", "its time is before 1970")
        if e.at > exported + 24 * HOUR:
            raise e.fault("time-late", f"its time is later than the record by {(e.at - exported) // 1000} s")
        for first in earlier.get(e.line, []):
            report.counts["orders of time"] += 1
            if e.at < first.at - HOUR:
                raise e.fault("time-back", f"its time is earlier, by {(first.at - e.at) // 1000} s, than that of version "
                                           f"{first.version} of stream {first.stream} before it")
            if e.at < first.at:
                report.skip("clock", f"the clock went back by {(first.at - e.at) // 1000} s before version {e.version} of {e.stream}")


def check_deadlines(record: Record, table: Table, report: Report) -> None:
    written_before: dict[int, set[int]] = {}                 # seat -> all its deadlines so far
    for e in record.own():
        line = table.lines.get(e.stream)
        first = line is not None and e.version == line.fork + 1
        if not first:                                        # that of a first event was checked with its line
            check_meta(table, e)
        if table.until and not line and (e.stream != record.table or e.version >= table.until.version):
            continue                                         # what it opens is not known
        for due in e.meta.get("due") or []:
            report.counts["deadlines"] += 1
            if table.clock is None:
                raise e.fault("due-no-clock", "it names a deadline, and the table has no clock")
            seat, at = due["seat"], milliseconds(due["at"])
            if not (0 <= seat < len(table.final.places) if line else seat == -1 and e.type == "table.proposed.v1"):
                raise e.fault("due-of-what", "it names a deadline of what it does not open")
            kept = first and line.undone and at in written_before.get(seat, set()) | moved_to(table, seat)
            if at < e.at + (table.clock["hours"] - 2) * HOUR and not kept:
                raise e.fault("due-short", f"it leaves less time than the table's pace: until {due['at']}")
            written_before.setdefault(seat, set()).add(at)


def moved_to(table: Table, seat: int) -> set[int]:
    return {milliseconds(s.moved[seat]["at"]) for s in table.after if seat in s.moved}


# ---------------------------------------------------------------------------------------------------
# Ed25519 (RFC 8032, section 5.1): verifying alone, where nothing is secret, so plain arithmetic will do
# ---------------------------------------------------------------------------------------------------

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
Point = tuple[int, int, int, int]      # X, Y, Z, T with x = X/Z, y = Y/Z, x·y = T/Z


def point_add(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def point_times(n: int, p: Point) -> Point:
    result: Point = (0, 1, 1, 0)
    while n:
        if n & 1:
            result = point_add(result, p)
        p, n = point_add(p, p), n >> 1
    return result


def point_read(data: bytes) -> Point | None:
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


SMALL = {0, 1, P - 1, *(int.from_bytes(bytes.fromhex(y), "little") for y in (
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"))}


def proves(key: bytes) -> bool:
    """Whether signatures by a key prove anything: it is no point of small order, for which anybody can sign, and has one text."""
    y = int.from_bytes(key, "little") & (1 << 255) - 1
    return len(key) == 32 and y < P and y not in SMALL


BASE = point_read(bytes.fromhex("58" + "66" * 31))


def signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether this is the Ed25519 signature of the message by the key."""
    a, r = point_read(key), point_read(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if not proves(key) or len(signature) != 64 or a is None or r is None or s >= ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    left, right = point_times(s, BASE), point_add(r, point_times(h, a))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


# ---------------------------------------------------------------------------------------------------
# Receipts (section 5)
# ---------------------------------------------------------------------------------------------------

MARK = "posthorn-receipt-1"
RECEIPT = re.compile(MARK + r":([0-9a-f]{32}):([0-9a-f]{32}):([0-9]{1,20}):([0-9a-f]{64}):([A-Za-z0-9_-]{86})")
BASE64_LINES = re.compile(r"^(?:[A-Za-z0-9+/]{56,76}\r?\n)+(?:[A-Za-z0-9+/]{1,75}={0,2}(?:\r?\n|\Z))?", re.M)


@dataclass(frozen=True)
class Receipt:
    text: str
    table: str
    stream: str
    version: int
    hash: str

    @classmethod
    def read(cls, text: str) -> "Receipt | None":
        m = RECEIPT.fullmatch(text)
        return cls(text, m[1], m[2], int(m[3]), m[4]) if m else None

    def signed_by(self, key: bytes) -> bool:
        """Whether the key signed it. A receipt has one text: a version without zeros in front, no spare bits."""
        body, _, signature = self.text.rpartition(":")
        raw = base64.urlsafe_b64decode(signature + "==")
        one = base64.urlsafe_b64encode(raw).decode().rstrip("=") == signature and f":{self.version}:" in body
        return one and signed(key, body.encode(), raw)

    def fault(self, kind: str, text: str) -> Fault:
        return Fault(kind, text, self.stream, self.version)


def decoded_blocks(text: str) -> Iterator[str]:
    """What stands in blocks of base64 and holds a receipt."""
    for block in BASE64_LINES.finditer(text + "\n"):
        letters = re.sub(r"[\s=]", "", block.group())
        inside = base64.b64decode(letters[:len(letters) // 4 * 4] + rest_of(letters)).decode("utf-8", "replace")
        if MARK in inside:
            yield inside


def rest_of(letters: str) -> str:
    rest = letters[len(letters) // 4 * 4:]
    return rest + "=" * (4 - len(rest)) if len(rest) > 1 else ""


def joined(text: str) -> str:
    """A text without what mail programs put into it: soft line ends, quotation marks, spaces."""
    text = re.sub(r"=\r?\n", "", text)
    text = re.sub(r"^[>|\s]+", "", text, flags=re.M)
    return "".join(c for c in text if not c.isspace() and unicodedata.category(c) != "Cf")


def receipts_in(text: str) -> tuple[list[Receipt], int]:
    """All receipts in a pasted text, each once, and how many are broken."""
    text = "\n".join([text, *decoded_blocks(text)])
    plain, bare = joined(text), joined(re.sub(r"<[^>]*>", "", text))
    in_plain = [m.group() for m in RECEIPT.finditer(plain)]
    more = [m.group() for m in RECEIPT.finditer(bare) if m.group() not in in_plain]
    found = list(dict.fromkeys(in_plain + more))
    broken = max(0, plain.count(MARK) - len(in_plain) - len(more))
    return [Receipt.read(r) for r in found], broken


def check_fit(record: Record, table: Table, r: Receipt, report: Report, beyond: int = -1, since: int = -1, closing: str = "") -> bool:
    """One receipt against the record. False: it could not be checked, or is of an event beyond the record: of that
    version, or of one since a former server had the table no more. Closing is the hash of that version, if it is known."""
    if r.table != record.table:
        raise r.fault("receipt-table", f"the receipt of version {r.version} is of another table")
    if r.stream not in record.streams and r.stream not in table.lines:
        report.skip("receipts", f"a receipt of version {r.version} of {r.stream}: no stream of this record (perhaps a seat's "
                    "private orders)")
        return False
    if r.stream == record.table and (r.version == beyond or 0 < since <= r.version):
        if not closing or r.version != max(beyond, since):
            return False
        if r.hash != closing:
            raise r.fault("receipt-history", "there is a receipt of another history")
        report.counts["receipts"] += 1
        return True
    e = record.find(r.stream, r.version)
    if e is None:
        raise r.fault("receipt-cut", "there is a receipt of a version that the record does not hold: it was cut off")
    if e.hash != r.hash:
        raise r.fault("receipt-history", "there is a receipt of another history")
    report.counts["receipts"] += 1
    return True


def check_header_receipts(record: Record, table: Table, report: Report) -> None:
    key, heads = unbase64(record.header["key"]), set()
    beyond = record.last(record.table) + 1 if record.header.get("handover") else -1
    for i, text in enumerate(record.header["receipts"]):
        r = Receipt.read(text)
        if r is None or not r.signed_by(key):
            why = "the signature is not the key's" if r else "it cannot be read"
            raise Fault("receipt-signature", f"receipt {i + 1}: {why}", r.stream if r else "-", r.version if r else 0, 1)
        closing = record.header["closing"].hash if "closing" in record.header else ""
        if check_fit(record, table, r, report, beyond, closing=closing) or (r.stream, r.version) == (record.table, beyond):
            heads.add((r.stream, r.version))
    for s in record.streams.values():
        last = record.last(s.name)
        ends = (s.name, last) in heads and not (s.name == record.table and "closing" in record.header)
        if s.table == record.table and not ends and (s.name, beyond) not in heads:
            raise Fault("head-unsigned", "the record's own receipts do not say that the stream ends here", s.name, last,
                        record.of[s.name][last].line)


def closing_hash(table: Table, e: Event) -> str:
    """The hash of the event that stands at the former server in place of an arrival, if the arrival names it."""
    c = e.data.get("closing")
    if c is None:
        return ""
    if not re.fullmatch("[0-9a-f]{32}", c["command"]):
        raise e.fault("closing", "the event that closed the table elsewhere cannot be read: it has no command")
    there = Event(e.line, e.stream, e.version, "table.handed-over.v1", "json", c["at"], c["command"], {}, {}, as_bytes(c["meta"]),
                  as_bytes(c["data"]), [], "")
    return event_hash(there, table.events[e.version - 2].hash)


def check_former_receipts(record: Record, table: Table, report: Report) -> None:
    """That each server that had the table before gave it to the next one. Anybody else could go on with a public record."""
    for n, e in enumerate(table.formers):
        if not e.data["receipts"]:
            report.skip("receipts", f"the server that handed the table over at version {e.version} left no receipts: nothing proves "
                       "its key")
        if not proves(unbase64(e.data["key"])):
            raise e.fault("weak-key", NO_PROOF)
        told, closing = set(), closing_hash(table, e)
        for text in e.data["receipts"] or []:
            r = Receipt.read(text)
            if r is None or not r.signed_by(unbase64(e.data["key"])):
                raise e.fault("former-signature", "a receipt of the server which handed the table over: its signature is "
                                                  "not the key's")
            if r.table == r.stream == record.table and r.version == e.version and closing:
                if r.hash != closing:
                    raise e.fault("receipt-history", "there is a receipt of another history")
                told.add(r.version)
            else:
                told.add(r.version if check_fit(record, table, r, report) and r.stream == record.table else 0)
        following = table.formers[n + 1].data["key"] if n + 1 < len(table.formers) else record.header["key"]
        check_gave(table, e, e.version - (not closing) in told, unbase64(following), report)


def check_gave(table: Table, e: Event, told: bool, following: bytes, report: Report) -> None:
    gave = told if e.data.get("closing") else told and is_open(table.after[e.version - 1])
    if not gave and (table.keeps_luck or e.data.get("closing")):
        raise e.fault("not-handed-over", "no receipt of the former server says that it handed the table over")
    if not gave:
        report.skip("receipts", f"version {e.version} of the table is as older programs wrote it: nothing shows that the former "
                                "server gave the table away")
    try:
        to = handed_to(e.data["closing"]["data"]) if e.data.get("closing") else following
    except (KeyError, TypeError, ValueError, AttributeError):
        raise e.fault("closing", "the event that closed the table elsewhere cannot be read: whom it names") from None
    given = gave and bool(e.data.get("closing"))     # of a finished table nobody signs who keeps it
    if given:
        table.gave.add(e.version)
    if to != following:
        raise e.fault("handed-elsewhere", "the table was handed over to another server than the one that went on with it")
    key, after = (base64.b64encode(k).decode() for k in (unbase64(e.data["key"]), following))
    report.hands.append(f"it changed hands: up to version {e.version - 1} of the table it was at the server with the key {key}, "
                        f"since then at the one with the key {after}" + ("" if given else "; nothing shows that the former one gave it away"))


def check_brought_receipts(record: Record, table: Table, report: Report, texts: list[str], tables: list[str]) -> None:
    """Those that somebody kept: they alone bind the server to this history. Each is held against the record of its table;
    what is of no table of the file, against the last one."""
    here = record.header["closing"].hash if "closing" in record.header else ""
    beyond = record.last(record.table) + 1 if record.header.get("handover") else -1
    keys = [(unbase64(record.header["key"]), beyond, here)]
    keys += [(unbase64(e.data["key"]), e.version, closing_hash(table, e)) for e in table.formers]
    proved: dict[str, int] = {}
    for text in texts:
        receipts, broken = receipts_in(text)
        if broken and record.table == tables[-1]:
            report.say(f"{broken} receipts that were brought are broken")
        for r in receipts:
            if r.table != record.table and (r.table in tables or record.table != tables[-1]):
                continue
            signers = [(since, closing) for key, since, closing in keys if r.signed_by(key)]
            if not signers:
                raise r.fault("receipt-signature", "receipt: its signature is neither the server's nor a former one's")
            since, closing = signers[0]
            if check_fit(record, table, r, report, since=since, closing=closing):
                report.counts["receipts from outside"] += 1
                note_proof(record, table, proved, r.stream, r.version - (r.stream == record.table and r.version == since))
    say_unproved(record, report, proved)


def note_proof(record: Record, table: Table, proved: dict[str, int], stream: str, version: int) -> None:
    """A receipt proves its stream up to it, what that forked from, and the table up to what opened the line."""
    proved[stream] = max(version, proved.get(stream, 0))
    s = record.streams.get(stream)
    if stream in table.lines and version > s.fork:
        note_proof(record, table, proved, record.table, table.lines[stream].opened.version)
    if s and s.parent:
        note_proof(record, table, proved, s.parent, min(version, s.fork))


def say_unproved(record: Record, report: Report, proved: dict[str, int]) -> None:
    if not proved:
        report.say("no receipt from outside: nobody can know whether the server computed all anew, or cut the end off")
        return
    for s in record.streams.values():
        known, last = max(proved.get(s.name, 0), s.fork), record.last(s.name)
        if s.table == record.table and known < last:
            report.skip("receipts", f"versions {known + 1} to {last} of {s.name} come after the last receipt from outside")


# ---------------------------------------------------------------------------------------------------
# Luck (section 8)
# ---------------------------------------------------------------------------------------------------

def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


class Luck:
    """All that the seed and the contributions decide."""

    def __init__(self, seed: bytes, contributed: list[tuple[str, bytes]]):
        self.seed, self.contributions = seed, b"".join(framed(c) for _, c in contributed)

    def draw(self, line: int, purpose: str, k: int, size: int) -> int:
        key = mac(mac(self.seed, u64(line)), self.contributions)
        below, attempt = 2**64 - 2**64 % size, 0
        while True:
            x = int.from_bytes(mac(key, framed(purpose.encode()) + u64(k) + u64(attempt))[:8], "big")
            if x < below:
                return x % size
            attempt += 1


class Draws:
    """The draws that one event names, taken one by one as its outcomes need them. Without luck (an event of
    another table) nothing can be taken, and they are only counted."""

    def __init__(self, e: Event, counts: dict[str, int], line: Line | None, luck: Luck | None):
        self.e, self.counts, self.line, self.luck = e, counts, line, luck
        self.named, self.done = e.data.get("draws", []), 0

    def peek(self) -> list | None:
        return self.named[self.done] if self.done < len(self.named) else None

    def take(self, purpose: str, size: int, unseen: bool = False) -> int:
        k = self.counts.get(purpose, 0)
        due = [purpose, k, size] + [1] * unseen
        if self.peek() != due:
            raise self.e.fault("luck", f"the draw {json.dumps(due)} should be here, and not {json.dumps(self.peek())}")
        self.counts[purpose], self.done = k + 1, self.done + 1
        return self.luck.draw(self.line.taken.get((purpose, k), self.line.keyed), purpose, k, size)

    def shuffle(self, purpose: str, things: list) -> list:
        p = list(range(len(things)))
        for i in range(len(p) - 1, 0, -1):
            j = self.take(purpose, i + 1, unseen=True)
            p[i], p[j] = p[j], p[i]
        return [things[i] for i in p]

    def mix(self, purpose: str, things: list) -> list:
        """As shuffle, but seen by all."""
        things = list(things)
        for i in range(len(things) - 1, 0, -1):
            j = self.take(purpose, i + 1)
            things[i], things[j] = things[j], things[i]
        return things

    def pass_over(self) -> None:
        """Check the numbers of all draws that are left, and not what came of them."""
        while self.peek() is not None:
            purpose, k = self.peek()[:2]
            if k != self.counts.get(purpose, 0):
                raise self.e.fault("luck", f"the draw {json.dumps(self.peek())} is out of turn")
            self.counts[purpose], self.done = k + 1, self.done + 1

    def same(self, found: Any, drawn: Any, what: str) -> None:
        if found != drawn:
            raise self.e.fault("luck", f"{what}: luck gives {json.dumps(drawn)}, and here stands {json.dumps(found)}")

    def end(self) -> None:
        if self.luck and self.peek() is not None:
            raise self.e.fault("luck", f"nothing needs the draw {json.dumps(self.peek())}")
        for purpose, k, *_ in self.named[self.done:]:
            self.counts[purpose] = max(k + 1, self.counts.get(purpose, 0))


class Shut(Exception):
    """A part is needed and not open: what comes after it on the line cannot be checked."""


def need_for(e: Event, n: int, *seats: int) -> None:
    """Secret part n of an event is for these seats."""
    if e.parts[n].to != sum(1 << seat for seat in set(seats)):
        raise e.fault("luck", f"luck or rules give something else than what stands here: whom secret part {n} is for")


def said(e: Event) -> list[dict]:
    """The parts of an event, all of which must be open."""
    if any(p.text is None for p in e.parts):
        raise Shut(f"version {e.version} of {e.stream} has parts that are not open")
    return [p.said() for p in e.parts]


class Game:
    """What is known and hidden in a game, folded along a line. Every method that follows an event takes
    its draws; where these have no luck, it only folds."""

    editions: tuple[str, ...] = ()     # those whose luck is known here

    def __init__(self, table: Table):
        self.table, self.options = table, table.opening.data["options"]
        self.seats = len(table.opening.data["seats"])
        self.given = "given" in table.opening.data
        self.counts: dict[str, int] = {}

    def set_up(self, e: Event, draws: Draws) -> None: ...
    def dealt(self, e: Event, draws: Draws) -> None: ...
    def played(self, e: Event, draws: Draws) -> None: ...


# ---------------------------------------------------------------------------------------------------
# Carcassonne (section 9)
# ---------------------------------------------------------------------------------------------------

# Name, set, copies | what is on it. The order counts.
TILES = """
A base 2 | road S | field Nw Ne En Es Se Sw Ws Wn | cloister
B base 4 | field Nw Ne En Es Se Sw Ws Wn | cloister
C base 1 | city N E S W +
D base 4 | city N | road E W | field En Wn / 0 | field Es Se Sw Ws
E base 4 | city N | field En Es Se Sw Ws Wn / 0
Eg base 1 | city N | field En Es Se Sw Ws Wn / 0 | garden
F base 2 | city E W + | field Nw Ne / 0 | field Se Sw / 0
G base 1 | city E W | field Nw Ne / 0 | field Se Sw / 0
H base 2 | city N | city S | field En Es Ws Wn / 0 1
Hg base 1 | city N | city S | field En Es Ws Wn / 0 1 | garden
I base 1 | city N | city W | field En Es Se Sw / 0 1
Ig base 1 | city N | city W | field En Es Se Sw / 0 1 | garden
J base 3 | city N | road E S | field En Sw Ws Wn / 0 | field Es Se
K base 3 | city N | road S W | field En Es Se Wn / 0 | field Sw Ws
L base 3 | city N | road E | road S | road W | field En Wn / 0 | field Es Se | field Sw Ws
M base 1 | city N W + | field En Es Se Sw / 0
Mg base 1 | city N W + | field En Es Se Sw / 0 | garden
N base 2 | city N W | field En Es Se Sw / 0
Ng base 1 | city N W | field En Es Se Sw / 0 | garden
O base 2 | city N W + | road E S | field En Sw / 0 | field Es Se
P base 3 | city N W | road E S | field En Sw / 0 | field Es Se
Q base 1 | city N E W + | field Se Sw / 0
R base 2 | city N E W | field Se Sw / 0
Rg base 1 | city N E W | field Se Sw / 0 | garden
S base 2 | city N E W + | road S | field Se / 0 | field Sw / 0
T base 1 | city N E W | road S | field Se / 0 | field Sw / 0
U base 7 | road E W | field Nw Ne En Wn | field Es Se Sw Ws
Ug base 1 | road E W | field Nw Ne En Wn | field Es Se Sw Ws | garden
V base 8 | road S W | field Nw Ne En Es Se Wn | field Sw Ws
Vg base 1 | road S W | field Nw Ne En Es Se Wn | field Sw Ws | garden
W base 4 | road E | road S | road W | field Nw Ne En Wn | field Es Se | field Sw Ws
X base 1 | road N | road E | road S | road W | field Nw Wn | field Ne En | field Es Se | field Sw Ws
RA spring 1 | river E | field Nw Ne En Es Se Sw Ws Wn
RB river 1 | city N | road S | river E W | field En / 0 | field Wn / 0 | field Es Se | field Sw Ws
RC river 1 | city N | city S | river E W | field En Wn / 0 | field Es Ws / 1
RD river 2 | river E W | field Nw Ne En Wn | field Es Se Sw Ws
RE river 1 | city N W | river E S | field En Sw / 0 | field Es Se
RG river 1 | river S W | field Nw Ne En Es Se Wn | field Sw Ws
RH river 1 | road S | river E W | field Nw Ne En Wn | field Es Se | field Sw Ws | cloister
RI river 1 | road N E | river S W | field Nw Es Se Wn | field Ne En | field Sw Ws
RJg river 1 | river S W | field Nw Ne En Es Se Wn | field Sw Ws | garden
RK river 1 | road E W | river N S | field Nw Wn | field Ne En | field Es Se | field Sw Ws
RL lake 1 | river W | field Nw Ne En Es Se Sw Ws Wn
"""


@dataclass(frozen=True)
class Tile:
    name: str
    set: str
    copies: int
    first_alike: str                   # the first tile that is the same but for a garden


def read_tiles() -> dict[str, Tile]:
    tiles, first = {}, {}
    for row in TILES.split("\n")[1:-1]:
        head, _, ground = row.partition(" | ")
        name, kind, copies = head.split()
        tiles[name] = Tile(name, kind, int(copies), first.setdefault(ground.removesuffix(" | garden"), name))
    return tiles


class Carcassonne(Game):
    editions = ("1",)
    tiles = read_tiles()

    def __init__(self, table: Table):
        super().__init__(table)
        self.bag: Counter[str] = Counter()
        river = self.options.get("river") == "on"
        for t in self.tiles.values():
            if t.set == "base" or river:
                self.bag[t.name if self.options.get("abbot") == "on" else t.first_alike] += t.copies
        self.bag["RA" if river else "D"] -= 1
        if river and self.options.get("river-start-tile") == "box":
            self.bag["D"] -= 1

    def next_tile(self, draws: Draws) -> str:
        sets = {kind: [n for n, t in self.tiles.items() if t.set == kind for _ in range(self.bag[n])]
                for kind in ("river", "lake", "base")}
        if sets["lake"] and not sets["river"]:
            return "RL"
        choice = sets["river"] or sets["base"]
        return choice[draws.take("tile", len(choice))] if choice else ""

    def drawn(self, found: str, draws: Draws) -> None:
        if draws.luck:
            draws.same(found, self.next_tile(draws), "the next tile")
        if found:
            self.bag[found] -= 1

    def set_up(self, e: Event, draws: Draws) -> None:
        view = e.data["body"]["view"]
        if self.given or not draws.luck:
            self.bag = Counter(view["remaining"])
            draws.pass_over()
            return
        first = draws.take("first-seat", self.seats)
        draws.same(view["to_move"], SEATS[first], "who begins")
        for tile in [*view.get("set_aside", []), view["tile"]]:
            self.drawn(tile, draws)
        draws.same(view["remaining"], dict(+self.bag), "what remains in the bag")

    def played(self, e: Event, draws: Draws) -> None:
        body = e.data["body"]
        for tile in body.get("set_off", []):
            self.drawn(tile, draws)
        if not body.get("stopped"):
            self.drawn(body["next"], draws)


# ---------------------------------------------------------------------------------------------------
# Catan (section 10)
# ---------------------------------------------------------------------------------------------------

BOARD = """
corners of hexes 0 to 18
0 4 8 12 7 3
1 5 9 13 8 4
2 6 10 14 9 5
7 12 17 22 16 11
8 13 18 23 17 12
9 14 19 24 18 13
10 15 20 25 19 14
16 22 28 33 27 21
17 23 29 34 28 22
18 24 30 35 29 23
19 25 31 36 30 24
20 26 32 37 31 25
28 34 39 43 38 33
29 35 40 44 39 34
30 36 41 45 40 35
31 37 42 46 41 36
39 44 48 51 47 43
40 45 49 52 48 44
41 46 50 53 49 45
spirals 0 to 5
0 3 7 12 16 17 18 15 11 6 2 1 4 8 13 14 10 5 9
2 1 0 3 7 12 16 17 18 15 11 6 5 4 8 13 14 10 9
11 6 2 1 0 3 7 12 16 17 18 15 10 5 4 8 13 14 9
18 15 11 6 2 1 0 3 7 12 16 17 14 10 5 4 8 13 9
16 17 18 15 11 6 2 1 0 3 7 12 13 14 10 5 4 8 9
7 12 16 17 18 15 11 6 2 1 0 3 8 13 14 10 5 4 9
tokens
5 2 6 3 8 10 9 12 11 4 8 10 9 4 5 6 3 11
harbours
any grain ore any wool any any brick lumber
beginner
ore10 wool2 lumber9 grain12 brick6 wool4 brick10 grain9 lumber11 desert lumber3 ore8 lumber8 ore3 grain4 wool5 brick5 grain6 wool11
"""


def read_board() -> dict[str, list[list[str]]]:
    blocks: dict[str, list[list[str]]] = {}
    for row in BOARD.split("\n")[1:-1]:
        name = row.split()[0]
        if name in ("corners", "spirals", "tokens", "harbours", "beginner"):
            rows = blocks.setdefault(name, [])
        else:
            rows.append(row.split())
    return blocks


def number(hand: list[int], i: int) -> int:
    """The kind of card number i of a hand, laid out by kind."""
    return [kind for kind, n in enumerate(hand) for _ in range(n)][i]


class Catan(Game):
    editions = ("2",)
    board = read_board()
    corners = [set(row) for row in board["corners"]]
    terrains = [t for t, n in (("brick", 3), ("lumber", 4), ("wool", 4), ("grain", 4), ("ore", 3), ("desert", 1))
                for _ in range(n)]

    def __init__(self, table: Table):
        super().__init__(table)
        self.hands = [[0] * 5 for _ in range(self.seats)]
        self.cards = [[0] * 5 for _ in range(self.seats)]
        self.deck = [14, 5, 2, 2, 2]

    def replace(self, e: Event) -> None:
        for n, part in enumerate(said(e)):
            need_for(e, n, *[part["seat"]] if part["seat"] >= 0 else [])
            if part["seat"] < 0:
                self.deck = part["cards"]
            else:
                self.hands[part["seat"]], self.cards[part["seat"]] = part["hand"], part["cards"]

    def set_up(self, e: Event, draws: Draws) -> None:
        body = e.data["body"]
        if draws.luck and not self.given:
            draws.same(body["first"], draws.take("first-seat", self.seats), "who begins")
            hexes, harbours = self.drawn_board(draws)
            draws.same(body["board"]["hexes"], hexes, "the board")
            if harbours:
                draws.same(body["board"]["harbours"], harbours, "the harbours")
        elif self.given:
            draws.pass_over()
        self.replace(e)

    def drawn_board(self, draws: Draws) -> tuple[list[str], list[str] | None]:
        if "beginner" in (self.options.get("board"), self.options.get("founding")):
            return self.board["beginner"][0], None
        lands = draws.mix("board", self.terrains)
        tokens = self.board["tokens"][0]
        if self.options["tokens"] == "spiral":
            way = [int(h) for h in self.board["spirals"][draws.take("board", 6)]]
            on = dict(zip([h for h in way if lands[h] != "desert"], tokens))
        else:
            on = self.random_tokens(draws, lands, tokens)
        harbours = self.board["harbours"][0]
        if self.options["harbours"] == "shuffled":
            harbours = draws.mix("board", harbours)
        return [land + on.get(h, "") for h, land in enumerate(lands)], harbours

    def random_tokens(self, draws: Draws, lands: list[str], tokens: list[str]) -> dict[int, str]:
        free = [h for h in range(19) if lands[h] != "desert"]
        apart = [four for four in combinations(free, 4)
                 if not any(self.corners[a] & self.corners[b] for a, b in combinations(four, 2))]
        reds = apart[draws.take("board", len(apart))]
        red = iter(draws.mix("board", ["6", "6", "8", "8"]))
        other = iter(draws.mix("board", [t for t in tokens if t not in ("6", "8")]))
        return {h: next(red if h in reds else other) for h in free}

    def dealt(self, e: Event, draws: Draws) -> None:
        """A branch: what nobody should know is dealt anew. What the others certainly hold needs the game, so
        here only that all together is what it was."""
        before = copy.deepcopy((self.hands, self.cards, self.deck))
        draws.pass_over()
        self.replace(e)
        if not draws.luck:
            return
        hands, cards, deck = before
        draws.same([sum(k) for k in zip(*self.hands)], [sum(k) for k in zip(*hands)], "all hands together")
        draws.same([sum(k) for k in zip(self.deck, *self.cards)], [sum(k) for k in zip(deck, *cards)], "all cards together")
        draws.same([[sum(h) for h in x] for x in (self.hands, self.cards)], [[sum(h) for h in x] for x in (hands, cards)],
                   "how many each has")

    def played(self, e: Event, draws: Draws) -> None:
        body, seat = e.data["body"], e.data["seat"]
        parts = said(e)
        hidden = parts[0] if parts else {"took": [0] * 5}
        if parts:
            need_for(e, 0, seat, *[body["from"]] if "from" in body else [])
        if draws.luck:
            self.check_dice(body, draws)
            self.check_taken(body, hidden, draws)
            if body.get("bought"):
                i = draws.take("card", sum(self.deck))
                draws.same(hidden.get("card"), number(self.deck, i) + 1, "the card bought")
        for row in body.get("hands", []):
            self.hands[row[0]] = [a + b for a, b in zip(self.hands[row[0]], row[1:])]
        if "from" in body:
            self.hands[body["from"]] = [a - b for a, b in zip(self.hands[body["from"]], hidden["took"])]
            self.hands[seat] = [a + b for a, b in zip(self.hands[seat], hidden["took"])]
        if body.get("bought"):
            self.deck[hidden["card"] - 1] -= 1
            self.cards[seat][hidden["card"] - 1] += 1
        if "card" in body:
            self.cards[seat][("knight", "point", "roads", "plenty", "monopoly").index(body["card"])] -= 1

    def check_dice(self, body: dict, draws: Draws) -> None:
        if "dice" not in body:
            return
        for dice in [*body.get("again", []), body["dice"]]:
            n = draws.take("dice", 36)
            draws.same(dice, [n // 6 + 1, n % 6 + 1], "the dice")

    def check_taken(self, body: dict, hidden: dict, draws: Draws) -> None:
        if "from" not in body:
            return
        left, took = list(self.hands[body["from"]]), [0] * 5
        trade = body["did"] == "token-trade"
        for _ in range(body.get("taken", 0) if trade else 1):
            if not trade and not sum(left):
                break
            kind = number(left, draws.take("take" if trade else "steal", sum(left)))
            left[kind] -= 1
            took[kind] += 1
        draws.same(hidden["took"], took, "the cards taken")


# ---------------------------------------------------------------------------------------------------
# The Rivals for Catan (section 11)
# ---------------------------------------------------------------------------------------------------

# Name, back, copies, of these with the half-moon. The order counts.
CARDS = """
brigitta_the_wise_woman basic 2 0
brigitta_the_wise_woman:progress progress 1 1
goldsmith basic 2 0
goldsmith:gold gold 1 1
merchant_caravan basic 2 0
scout basic 2 0
relocation basic 1 0
relocation:progress progress 1 1
iron_foundry basic 1 0
grain_mill basic 1 0
lumber_camp basic 1 0
weavers_shop basic 1 0
brick_factory basic 1 0
parish_hall basic 2 0
abbey basic 2 0
storehouse basic 2 0
storehouse:gold gold 1 1
marketplace basic 2 0
toll_bridge basic 1 0
toll_bridge:gold gold 1 1
ore_ship basic 1 0
grain_ship basic 1 0
gold_ship basic 1 0
lumber_ship basic 1 0
brick_ship basic 1 0
wool_ship basic 1 0
large_trade_ship basic 1 0
large_trade_ship:gold gold 1 1
austin basic 1 0
candamir basic 1 0
harald basic 1 0
inga basic 1 0
osmund basic 1 0
siglind basic 1 0
fraternal_feuds event basic 1 turmoil 1, 2 half-moons
invention event basic 1 progress 2, 2 half-moons
year_of_plenty event basic 2, 1 half-moons
traveling_merchant event basic 2 gold 1, 2 half-moons
feud event basic 1 turmoil 1, 2 half-moons
yule event basic 1, 0 half-moons
trade_ships_race event basic 1 gold 1, 2 half-moons
gudrun_terror_of_the_seas gold 1 0
trade_master gold 2 1
merchant gold 2 0
brigands gold 1 1
brigands:turmoil turmoil 1 0
reiner_the_herald gold 1 1
gold_cache gold 1 0
pirate_ship gold 2 0
moneylender gold 1 0
harbor gold 1 1
trading_base gold 1 1
merchant_guild gold 2 1
mint gold 2 1
salt_silo gold 1 0
staple_house gold 2 1
gift_for_the_prince event gold 1, 1 half-moons
voyage_of_plunder turmoil 2 1
archer turmoil 2 1
arsonist turmoil 2 1
sebastian_the_itinerant_preacher turmoil 1 1
traitor turmoil 2 1
lookout_tower turmoil 1 0
drill_ground turmoil 1 1
carl_forkbeard turmoil 1 1
heinrich_the_sentinel turmoil 1 0
irmgard_keeper_of_the_light turmoil 1 1
fairgrounds turmoil 1 1
fire_brigade turmoil 2 1
large_festival_hall turmoil 1 0
chapel_low turmoil 1 0
chapel_high turmoil 1 0
hedge_tavern turmoil 2 1
tithe_barn turmoil 1 1
riots event turmoil 2, 1 half-moons
benjamin_the_traveling_scholar progress 1 0
three_field_system progress 2 1
mineral_mining progress 2 1
guido_the_ambassador progress 1 0
gustav_the_librarian progress 1 0
doctor progress 2 1
chief_cannoneer progress 2 1
pharmacy progress 2 1
bath_house progress 3 1
building_crane progress 1 0
library progress 2 1
parliament progress 1 1
town_hall progress 2 1
university progress 2 1
plague event progress 3, 2 half-moons
"""
BACKS = ["basic", "gold", "turmoil", "progress"]
SIDES = ["brigand", "trade", "celebration", "harvest", "event", "event"]
LANDS = ["hills", "fields", "forest", "pasture", "mountains", "gold_field"]
REGIONS = ("forest4 forest6 gold_field2 gold_field3 fields1 fields3 "
           "hills1 hills5 pasture5 pasture6 mountains2 mountains4").split()
FACE_UP = {"gold": "merchant_guild", "turmoil": "hedge_tavern", "progress": "university"}
ALL = 131                              # known to everybody: 128, and both seats


@dataclass
class Card:
    name: str
    copies: dict[str, int]             # by set
    moons: int
    order: tuple[int, int]             # back, place in the list

    def in_game(self, play: str) -> int:
        sets = ["basic"] + (BACKS[1:] if play == "duel" else [play])
        n = sum(self.copies.get(s, 0) for s in sets)
        return n - self.moons if play == "duel" and self.order[0] in (1, 2, 3) else n


def read_cards() -> dict[str, Card]:
    cards = {}
    for place, row in enumerate(CARDS.split("\n")[1:-1]):
        name, back, *rest = row.replace(",", "").replace(" half-moons", "").split()
        if back == "event":
            copies = {rest[i]: int(rest[i + 1]) for i in range(0, len(rest) - 1, 2)}
            cards[name] = Card(name, copies, int(rest[-1]), (len(BACKS), place))
        else:
            cards[name] = Card(name, {back: int(rest[0])}, int(rest[1]), (BACKS.index(back), place))
    return cards


def bits(who: str) -> int:
    return {"": 0, "A": 1, "B": 2, "AB": 3, "*": ALL}[who]


def region_order(region: str) -> tuple[int, int]:
    return LANDS.index(region[:-1]), int(region[-1])


@dataclass
class Held:
    """A card somewhere, and who knows it, as bits."""
    card: str
    known: int = 0


class Rivals(Game):
    """All stacks are kept from the bottom: the top is the last."""
    editions = ("2", "3")
    cards = read_cards()

    def __init__(self, table: Table):
        super().__init__(table)
        self.play = self.options["play"]
        self.stacks: list[list[Held]] = []
        self.hands: list[list[Held]] = [[], []]
        self.events: list[Held] = []
        self.spare: list[str] = []
        self.regions: list[str] = []
        self.turned: str | None = None
        self.tasks: list[dict] = []
        self.old_events: list[str] = []          # as they lay before they were shuffled
        self.used: set[str] = set()              # cards used in this event, whatever their back

    def order(self, name: str) -> tuple[int, int]:
        return self.cards[name].order

    def read_dealt(self, e: Event) -> None:
        body, parts = e.data["body"], said(e)
        for n, part in enumerate(parts):
            if "seat" in part:
                need_for(e, n, SEATS.index(part["seat"]))
        secret = next((p for p, part in zip(parts, e.parts) if part.to == 0 and "seat" not in p), None)
        if secret is None:
            raise e.fault("luck", "luck or rules give something else than what stands here: nothing is for nobody")
        hands = {p["seat"]: p.get("hand", []) for p in parts if "seat" in p}
        known = secret.get("known") or [None, None]

        def held(names: list[str], who: list[str] | None) -> list[Held]:
            return [Held(n, bits(w)) for n, w in zip(names, who or [""] * len(names), strict=True)][::-1]

        self.stacks = [held(names, s.get("known"))
                       for names, s in zip(secret.get("stacks", []), body["stacks"], strict=True)]
        self.events = held(secret.get("events", []), body.get("passed"))
        for seat in (0, 1):
            names = hands.get(SEATS[seat], [])
            who = known[seat] or [SEATS[seat]] * len(names)
            self.hands[seat] = [Held(n, bits(w)) for n, w in zip(names, who, strict=True)]
        self.spare, self.regions = secret.get("spare", []), secret.get("regions", [])[::-1]
        self.turned, self.tasks = body.get("event"), body.get("tasks") or []

    def compare(self, e: Event, draws: Draws) -> None:
        """What was dealt here by luck against what the event says; then that is what counts."""
        luck = copy.copy(self)
        luck.hands = list(self.hands)
        self.read_dealt(e)
        for what, mine, its in (("the stacks", luck.stacks, self.stacks), ("the hands", luck.hands, self.hands),
                                ("the events", [luck.events], [self.events])):
            names = [[h.card for h in pile] for pile in mine], [[h.card for h in pile] for pile in its]
            if what == "the hands":
                names = [sorted(n) for n in names[0]], [sorted(n) for n in names[1]]
            draws.same(names[1], names[0], what)
        draws.same(self.spare, luck.spare, "the spare events")
        draws.same(self.regions, luck.regions, "the regions")

    # The set-up

    def set_up(self, e: Event, draws: Draws) -> None:
        if self.given or not draws.luck:
            draws.pass_over()
            self.read_dealt(e)
            return
        first = draws.take("first-seat", 2)
        draws.same([e.data["body"]["first"], e.data["body"]["active"]], [SEATS[first]] * 2, "who begins")
        self.regions = draws.shuffle("regions", REGIONS)
        self.deal_stacks(draws)
        self.deal_events(draws)
        if self.play == "intro":
            for seat, stack in ((first, self.stacks[0]), (1 - first, self.stacks[1])):
                self.hands[seat] = [stack.pop() for _ in range(3)]
        self.compare(e, draws)

    def deal_stacks(self, draws: Draws) -> None:
        piles = {"intro": [4], "duel": [3, 1, 1, 1]}.get(self.play) or [3] + [2 * (b == self.play) for b in BACKS[1:]]
        for back, n in enumerate(piles):
            pool = [c.name for c in sorted(self.cards.values(), key=lambda c: c.order) if c.order[0] == back
                    and c.name != FACE_UP.get(self.play) for _ in range(c.in_game(self.play))]
            stacks: list[list[Held]] = [[] for _ in range(n)]
            for name in draws.shuffle("stacks", pool) if n else []:
                min(stacks, key=len).append(Held(name))
            self.stacks += stacks

    def deal_events(self, draws: Draws) -> None:
        names = [c for c in self.cards.values() if c.order[0] == len(BACKS) and c.name != "yule"]
        if self.play == "duel":
            kept = [c.name for c in names for _ in range(self.kept(c.name))]
            spare = draws.shuffle("duel-events", [c.name for c in names for _ in range(c.moons)])
            more = 11 - len(kept)
            kept, self.spare = kept + spare[:more], sorted(spare[more:], key=self.order)
        else:
            kept = [c.name for c in names for _ in range(c.in_game(self.play))]
        events = draws.shuffle("events", kept)
        self.events = [Held(n) for n in events[:3] + ["yule"] + events[3:]]

    def kept(self, name: str) -> int:
        """How many of an event every duel has."""
        return self.cards[name].in_game("duel") - self.cards[name].moons

    # Dealt anew: `sees` is who the shuffling is for, as bits; everything that they know stays

    def dealt(self, e: Event, draws: Draws) -> None:
        if not draws.luck:
            draws.pass_over()
            self.read_dealt(e)
        elif e.data.get("anew"):
            self.deal_anew(draws, ALL, branch=False)
            self.compare(e, draws)
        else:
            self.deal_branch(e, draws)

    def deal_branch(self, e: Event, draws: Draws) -> None:
        """As whom a person saw the other table the record does not say: each of some ways is right."""
        fault: Fault | None = None
        for sees in self.viewers(e):
            game, attempt = copy.deepcopy(self, {id(self.table): self.table}), copy.copy(draws)
            game.counts = attempt.counts = dict(draws.counts)
            try:
                if sees is not None:
                    game.deal_anew(attempt, 128 | sees, branch=True)
                game.compare(e, attempt)
                attempt.end()
            except Fault as why:
                fault = fault or why
                continue
            self.__dict__.update(game.__dict__)
            draws.done, draws.counts = attempt.done, game.counts
            return
        raise fault

    def viewers(self, e: Event) -> list[int | None]:
        """The seats (as bits, 0 for nobody) as which the branch's dealer may have seen; None: they saw all."""
        record, branch = self.table.record, self.table.branch
        people = self.table.after[self.table.lines[e.stream].opened.version].people()
        if len(people) != 1:
            return [0]
        at = record.find(branch["line"], branch["version"])
        source = record.streams[at.stream].table if at else branch["table"]
        moved: dict[int, set[str]] = {}
        for other in record.events:
            s = record.streams[other.stream]
            if s.table == source and s.kind == "line" and "move" in other.data and other.meta.get("by"):
                moved.setdefault(other.data["seat"], set()).add(other.meta["by"])
        mine = [seat for seat in (0, 1) if people[0] in moved.get(seat, set())]
        seats = [s for s in range(min(mine, default=1) + 1) if moved.get(s, set()) <= {people[0]}]
        nobody = [] if mine and branch["kind"] == "study" else [0]
        return [1 << s for s in seats] + nobody + [None]

    def deal_anew(self, draws: Draws, sees: int, branch: bool) -> None:
        for back in range(len(BACKS)):
            blind = [h for pile in [*self.stacks, *self.hands] for h in pile
                     if self.order(h.card)[0] == back and not h.known & sees]
            for place, name in zip(blind, draws.shuffle("blind", sorted((h.card for h in blind), key=self.order))):
                place.card = name
        if branch:
            for seat, hand in enumerate(self.hands):
                for h in hand:
                    h.known = h.known if h.known & sees else 1 << seat
                hand.sort(key=lambda h: (self.order(h.card), h.known))
        blind = [h for h in self.events if not h.known & sees]
        names = sorted([h.card for h in blind] + self.spare, key=self.order)
        names = draws.shuffle("blind", names)
        for place, name in zip(blind, names):
            place.card = name
        self.spare = names[len(blind):]
        if self.play == "duel":
            self.mend_duel(blind)
        shown = max([t.get("n", 0) for t in self.tasks if t["kind"] == "corners" and
                     (not t.get("card") or bits(t["seat"]) & sees)], default=0)
        hidden = len(self.regions) - shown
        self.regions[:hidden] = draws.shuffle("blind", sorted(self.regions[:hidden], key=region_order))

    def mend_duel(self, blind: list[Held]) -> None:
        """Every duel has certain events: such a one among the spare changes places."""
        def here(name: str) -> int:
            return sum(h.card == name for h in self.events) + (self.turned == name)
        for i, name in enumerate(self.spare):
            if here(name) >= self.kept(name):
                continue
            other = next((h for h in blind if h.card != name and here(h.card) > self.kept(h.card)), None)
            if other:
                self.spare[i], other.card = other.card, name

    # A move: its outcomes, one after the other

    def played(self, e: Event, draws: Draws) -> None:
        parts, body = said(e), e.data["body"]
        self.used = {op[2].partition(":")[0] for op in body.get("ops") or [] if op[0] == "use"}
        for op in body.get("ops") or []:
            if op[0] != "hidden":
                self.outcome(op, e, draws)
                continue
            inner = parts[op[1]].get("ops") or []
            if draws.luck and inner:
                self.check_shuffled(inner, draws)
            for one in inner:
                self.outcome(one, e, draws)
        self.tasks = body["tasks"] if body.get("tasks") is not None else self.tasks

    def check_shuffled(self, ops: list[list], draws: Draws) -> None:
        if ops[0][0] == "event-at":
            events = draws.shuffle("events", [n for n in self.old_events if n != "yule"])
            due = [["event-at", ops[0][1], n, i] for i, n in enumerate(events[:3] + ["yule"] + events[3:])]
            draws.same([op for op in ops if op[0] == "event-at"], due, "the events")
        elif ops[0][0] == "land-at":
            due = [["land-at", ops[0][1], n, i] for i, n in enumerate(draws.shuffle("regions", self.regions))]
            draws.same([op for op in ops if op[0] == "land-at"], due, "the regions")

    def put(self, seat: int, card: str, known: int) -> None:
        hand = self.hands[seat]
        at = sum(self.order(h.card) <= self.order(card) for h in hand)
        hand.insert(at, Held(card, known))

    def out(self, seat: int, card: str, e: Event) -> Held:
        copies = [h for h in self.hands[seat] if h.card == card]
        if not copies:
            raise e.fault("luck", f"{card} is not in that hand")
        best = max(copies, key=lambda h: h.known)
        self.hands[seat] = [h for h in self.hands[seat] if h is not best]
        return best

    def dice(self, op: list, draws: Draws) -> None:
        clear = not self.used & {"brigitta_the_wise_woman", "reiner_the_herald"}
        if clear and (draws.peek() or [0, 0, 36])[2] != 6:
            n = draws.take("dice", 36)
            draws.same(op[2:4], [n // 6 + 1, SIDES[n % 6]], "the dice")
            return
        if "brigitta_the_wise_woman" not in self.used:
            draws.same(op[2], draws.take("dice", 6) + 1, "the die")
        if "reiner_the_herald" not in self.used:
            draws.same(op[3], SIDES[draws.take("dice", 6)], "the event die")

    def outcome(self, op: list, e: Event, draws: Draws) -> None:
        word, f = op[0], op[1:]
        act = getattr(self, "op_" + word.replace("-", "_"), None)
        if word == "dice" and draws.luck:
            self.dice(op, draws)
        elif word == "guard" and draws.luck:
            draws.same(f[1], draws.take("guard", 6) + 1, "the guard's die")
        elif word in ("use", "build", "cache"):
            self.out(f[0], f[1], e)
        elif word == "event":
            top = self.events.pop().card if self.events else None
            if top != f[1]:
                raise e.fault("luck", f"the event on top is {top}, and not {f[1]}")
            self.turned = top
        elif word == "under":
            self.out(f[0], f[1], e)
            for h in self.hands[f[0]]:
                h.known = 1 << f[0]
            self.stacks[f[2]].insert(0, Held(f[1], f[3]))
        elif word == "steal":
            self.out(1 - f[0], f[1], e)
            for h in self.hands[1 - f[0]]:
                h.known = 3
            self.put(f[0], f[1], 3)
        elif act:
            act(*f)

    def op_draw(self, seat: int, stack: int) -> None:
        top = self.stacks[stack].pop()
        self.put(seat, top.card, top.known | 1 << seat)

    def op_raze(self, seat: int, card: str, site: int, to: int) -> None:
        if 0 < to < 100:
            self.stacks[to - 1].insert(0, Held(card, ALL))

    def op_land(self, seat: int, region: str, place: str) -> None:
        self.regions.remove(region)

    def op_land_at(self, seat: int, region: str, i: int) -> None:
        self.regions[i] = region

    def op_fetch(self, seat: int, card: str) -> None:
        self.put(seat, card, ALL)

    def op_take(self, seat: int, card: str, stack: int) -> None:
        pile = self.stacks[stack]
        del pile[max(i for i, h in enumerate(pile) if h.card == card)]
        for h in pile:
            h.known &= 1 << seat
        self.put(seat, card, 1 << seat)

    def op_look(self, seat: int, stack: int) -> None:
        for h in self.stacks[stack]:
            h.known |= 1 << seat

    def op_look_hand(self, seat: int) -> None:
        for h in self.hands[1 - seat]:
            h.known |= 1 << seat

    def op_event_done(self, *_: Any) -> None:
        if self.turned:
            self.events.insert(0, Held(self.turned, ALL))
        self.turned = None

    def op_events(self, seat: int, n: int) -> None:
        self.old_events = [h.card for h in self.events]
        self.events, self.turned = [Held("") for _ in range(n)], None

    def op_event_at(self, seat: int, card: str, i: int) -> None:
        self.events[i] = Held(card, ALL if card == "yule" else 0)

    def op_show(self, seat: int, card: str) -> None:
        max((h for h in self.hands[seat] if h.card == card), key=lambda h: h.known).known = ALL


# ---------------------------------------------------------------------------------------------------
# The play of all lines (section 8)
# ---------------------------------------------------------------------------------------------------

KINDS: dict[str, type[Game]] = {"carcassonne": Carcassonne, "catan": Catan, "rivals": Rivals}
def check_shape(table: Table, line: Line, e: Event) -> None:
    """Which kind of event may stand where."""
    first, forked = e.version == line.fork + 1, e.type == "line.forked.v1"
    after_rewind = first and line.index > 0
    if forked and not (after_rewind and not line.deal):
        raise e.fault("fork-deal", "fresh luck was agreed on, and nothing was shuffled anew" if after_rewind else
                      "a line goes on after a rewind with an event that only opens it, and no other line does")
    if forked and (e.data or e.parts):
        raise e.fault("fork-deal", "the opening of a forked line says nothing")
    anew = bool(e.data.get("anew"))
    if anew != (after_rewind and line.deal) or (after_rewind and not line.deal and not forked):
        raise e.fault("fork-deal", "a line goes on after a rewind with an event that only opens it, and no other line does")
    if e.type in KNOWN and is_points(e.data.get("points")) != (e.type in COUNTED):
        raise e.fault("luck", "points stand in the newer events, and in no other")
    if not isinstance(e.data.get("draws", []), list):
        raise e.fault("luck", "luck or rules give something else than what stands here: draws that are none")
    if not forked and first == bool(e.data.get("move")):
        raise e.fault("rules", "the rules do not allow this: a line begins with what is no move, and all else is moves")


def is_points(value: object) -> bool:
    """Whether it is a list of points. That they are right needs the rules of the game."""
    return isinstance(value, list) and bool(value) and all(type(n) is int for n in value)


def check_count(table: Table, e: Event) -> None:
    """There are points for each seat, or each colour of a solo game."""
    options, points = table.opening.data["options"], e.data.get("points")
    due = int(options["colours"]) if options.get("solo") == "on" else len(table.opening.data["seats"])
    if points is not None and len(points) != due:
        raise e.fault("points", f"the points are others than those of the game: {len(points)} of them, and not {due}")


ENVELOPE = {"seat", "move", "draws", "anew", "points", "body"}     # what `data` of every event of play may say


def check_listed(e: Event) -> None:
    """An event of play, its body and its parts say nothing that their type does not list."""
    body, part = PLAYS[e.type]
    said = [name for name in e.data if name not in ENVELOPE] + [*unnamed(e.data.get("body"), body)]
    for p in e.parts:
        notes = e.type.startswith("rivals.dealt.") and p.to and p.text is not None and '"seat"' not in p.text
        said += [*unnamed(p.said(), part)] if part and not notes else []
    if said:
        raise e.fault("luck", f"luck or rules give something else than what stands here: {said[0]}")


def unnamed(value: Any, names: dict[str, dict]) -> Iterator[str]:
    """What an object, or those of a list, say that nothing lists. A member without names of its own may hold anything."""
    for each in value if isinstance(value, list) else [value]:
        for name, inner in each.items() if isinstance(each, dict) else ():
            if name not in names:
                yield name
            elif names[name]:
                yield from unnamed(inner, names[name])


def known_type(rulebook: str, e: Event) -> bool:
    """Whether a type of play is one of the page's, or of a game that is not."""
    return e.type in KNOWN or rulebook not in WRITTEN["games"] and not e.type.startswith("line.")


def check_play(record: Record, table: Table, report: Report) -> None:
    """Every line of the table, event after event, with the state at the fork for those that fork from it."""
    rulebook = table.opening.data["rulebook"]
    for e in record.events:
        if record.streams[e.stream].kind == "line" and not e.type.startswith((rulebook + ".", "line.")):
            raise e.fault("not-of-the-game", f"{e.type} is not of {rulebook}")
    strange = {e.type for e in record.events if record.streams[e.stream].kind == "line" and not known_type(rulebook, e)}
    for kind in sorted(strange):
        report.skip("unknown", f"events of the type {kind}: this verifier does not know it")
    for e in record.own():
        if e.stream in table.lines and e.type not in strange:
            check_shape(table, table.lines[e.stream], e)
            if known_type(rulebook, e) and e.type in KNOWN and e.type != "line.forked.v1":
                check_count(table, e)
                check_listed(e)
    if rulebook not in KINDS or table.opening.data["edition"] not in KINDS[rulebook].editions:
        report.skip("unknown", f"the luck of edition {table.opening.data['edition']} of {rulebook}: this verifier does not know it")
        return
    luck = Luck(table.seed, table.final.contributed) if table.seed else None
    forks = {source_of(record, s) for s in record.streams.values()}
    at: dict[tuple[str, int], Game | None] = {}
    for name in dict.fromkeys(e.stream for e in record.events):
        s = record.streams[name]
        if s.kind == "line":
            play_line(record, table, s, luck if s.table == record.table else None, forks, at, report)


def source_of(record: Record, s: Stream) -> tuple[str, int] | None:
    """The stream and version whose state a line goes on from."""
    up, fork = s.parent, s.fork
    while up and fork <= record.streams[up].fork:
        up = record.streams[up].parent
    return (up, fork) if up else None


def play_line(record: Record, table: Table, s: Stream, luck: Luck | None, forks: set, at: dict, report: Report) -> None:
    source = source_of(record, s)
    game = copy.deepcopy(at.get(source), {id(table): table}) if source else KINDS[record.header["rulebook"]](table)
    line = table.lines.get(s.name)
    luck = luck if line else None
    if any((e := record.find(s.name, v)) is None or e.type not in KNOWN for v in range(1, s.fork + 1)):
        return                         # it stands on what is not known
    for version in sorted(record.of[s.name]):
        e = record.of[s.name][version]
        if e.type not in KNOWN:
            break
        if game is None:
            if line and luck:
                report.skip("luck", f"the luck of {s.name} from version {version} on: what is hidden there is not open")
                check_public_draws(record, s, line, luck, version, report)
            break
        draws = Draws(e, game.counts, line, luck)
        try:
            step(game, e, draws)
            draws.end()
            if luck:
                report.counts["draws"] += len(draws.named)
                report.counts["events whose luck was checked"] += 1
        except Shut as why:
            if luck:
                report.skip("luck", f"the luck from there on: {why}")
            game = None
        except (KeyError, TypeError, IndexError, ValueError, AttributeError, StopIteration, ArithmeticError) as why:
            kind = "luck" if isinstance(why, KeyError) else "not-of-the-game"
            raise e.fault(kind, f"decode {e.type}: a member is missing, or of another type: {why}") from None
        if (s.name, version) in forks:
            at[s.name, version] = copy.deepcopy(game, {id(table): table})


def check_public_draws(record: Record, s: Stream, line: Line, luck: Luck, since: int, report: Report) -> None:
    """What needs no secret in the luck of a line, where what is hidden is not known: the numbers of its draws, and the
    dice that everybody saw."""
    counts: dict[str, int] = {}
    for version in range(1, record.last(s.name) + 1):
        e = record.find(s.name, version)
        if e.type not in KNOWN:
            return
        draws = Draws(e, counts, line, luck)
        if version >= since:
            draws.pass_over()
            dice = [luck.draw(line.taken.get((p, k), line.keyed), p, k, size) for p, k, size, *_ in draws.named if p == "dice"]
            check_public_dice(e, dice, draws)
            report.counts["draws of which only what needs no secret was checked"] += len(draws.named)
        for purpose, k, *_ in draws.named:
            counts[purpose] = max(k + 1, counts.get(purpose, 0))


def check_public_dice(e: Event, dice: list[int], draws: Draws) -> None:
    body = e.data.get("body", {})
    if e.type.startswith("catan.played."):
        shown = [*body.get("again", []), body["dice"]] if "dice" in body else []
        draws.same(shown, [[n // 6 + 1, n % 6 + 1] for n in dice], "the dice")
    if e.type.startswith("rivals.played.") and dice:
        op = next(op for op in body["ops"] if op[0] == "dice")
        if any(d[0] == "dice" and d[2] == 36 for d in draws.named):
            draws.same(op[2:4], [dice[0] // 6 + 1, SIDES[dice[0] % 6]], "the dice")
        elif len(dice) == 2:
            draws.same(op[2:4], [dice[0] + 1, SIDES[dice[1]]], "the dice")
        elif op[2] != dice[0] + 1:               # a card set one of the two
            draws.same(op[3], SIDES[dice[0]], "the dice")


def step(game: Game, e: Event, draws: Draws) -> None:
    if e.type == "line.forked.v1":
        return
    if e.version == 1:
        game.set_up(e, draws)
    elif not e.data.get("move"):
        game.dealt(e, draws)
    else:
        game.played(e, draws)


# ---------------------------------------------------------------------------------------------------
# The rules of the table (section 7), as far as no game is needed
# ---------------------------------------------------------------------------------------------------

DAY = 24 * HOUR
REASONS = {"finished", "agreed", "resigned", "abandoned", "handed"}


def seats_of(rulebook: str, options: dict) -> range:
    """How many may sit at a game's table."""
    least, most = next(s[2:] for s in reversed(WRITTEN["games"][rulebook]["seats"]) if not s[0] or options.get(s[0]) == s[1])
    return range(least, most + 1)


NULL = {"agreed", "reason", "seen", "silent"}    # what is null in these is judged; in others it is as nothing
NOTHING = {"int": 0, "bool": False, "time": "0001-01-01T00:00:00Z"}


def shaped(data: Any, members: dict[str, str], of: str) -> tuple[dict, bool]:
    """An object of an event of the table with what is missing as nothing, and whether there was such a member. Raises
    ValueError where one is of another type than listed."""
    if not isinstance(data, dict):
        raise ValueError(f"{of} is no object")
    out, lacks = dict(data), False
    for name, kind in members.items():
        value, kind, mark = data.get(name), kind.rstrip("?~"), kind[-1]
        if value is None and mark == "?":
            lacks |= name in data
            out.pop(name, None)
        elif value is not None or name not in NULL or name not in data:
            null = value is None and mark == "~" and name in data
            out[name], less = as_type(value, kind, name)
            lacks |= (less or value is None) and not null
    return out, lacks


def as_type(value: Any, kind: str, name: str) -> tuple[Any, bool]:
    """A member, or nothing of its type for null, and whether something is missing in it."""
    nothing = {"[": [], "{": {}}.get(kind[0], {} if kind in OBJECTS else NOTHING.get(kind, ""))
    value = nothing if value is None else value
    if kind == "base64" and value == []:
        return "", True
    listed = kind[0] in "[{" or kind in OBJECTS
    fits = isinstance(value, type(nothing)) if listed else kind == "hex32" and value == "" or \
        is_a(value, {"int": int, "bool": bool, "text": str, "time": str}.get(kind, kind))
    if not fits or kind == "time" and not is_time(value):
        raise ValueError(f"{name} is no {kind}")
    if kind[0] == "{":
        return {key: as_type(v, kind[1:-1], name)[0] for key, v in value.items()}, False
    if kind[0] == "[":
        each = [as_type(v, kind[1:-1], name) for v in value]
        return [v for v, _ in each], None in value or any(less for _, less in each)
    return shaped(value, OBJECTS[kind], name) if kind in OBJECTS and kind != "closing" else (value, False)


def is_time(text: str) -> bool:
    try:
        return milliseconds(text) is not None
    except ValueError:
        return False


def unlisted(value: Any, members: dict[str, str]) -> str:
    """What an object of an event of the table says that nothing says, in it or in what it holds; else nothing."""
    for name, v in value.items() if isinstance(value, dict) else ():
        if name not in members:
            return name
        kind = members[name].rstrip("?~")
        if kind == "base64" and isinstance(v, str) and not exact64(v):
            return f"{name} in another base64"
        for inner in (v if isinstance(v, list) else [v]) if kind.strip("[]") in OBJECTS else ():
            if said := unlisted(inner, OBJECTS[kind.strip("[]")]):
                return f"{name}.{said}"
    return ""


def good_grace(opening: dict) -> bool:
    """Whether a table may be opened with the grace that it says, if it says one."""
    grace = opening.get("grace", 1)
    return type(grace) is int and 1 <= grace <= 60 and not ("grace" in opening and opening.get("no_undo"))


def by_hand(meta: dict, by: str) -> bool:
    """Whether a person made a move themselves."""
    return meta.get("by") == by and meta["door"] != "order"


def within_grace(opening: dict, move: int, undone: int) -> bool:
    """Whether a move of a time was taken back within its table's grace; 10 seconds lie between judging and writing."""
    return undone - 10 * SECOND < move + opening.get("grace", 0) * 60 * SECOND


class Rules:
    """One event of the table against the table as it stood before it."""

    def __init__(self, table: Table, e: Event, report: Report):
        self.table, self.record, self.e, self.d, self.report = table, table.record, e, e.data, report
        self.s, self.now = table.after[e.version - 1], table.after[e.version]
        self.by, self.door = e.meta.get("by"), e.meta.get("door")

    def need(self, holds: Any, text: str) -> None:
        if not holds:
            raise self.e.fault("table-refused", f"the table does not allow this: {text}")

    def same(self, member: str, due: Any, found: Any = ...) -> None:
        found = self.d.get(member) if found is ... else found
        if found != due:
            raise self.differs(f"{member} should be {due!r}, and is {found!r}")

    def differs(self, text: str) -> Fault:
        return self.e.fault("table-differs", "what follows from the table as it stood is something else than what stands "
                                             f"here: {text}")

    def house(self, door: str) -> None:
        self.need(not self.by and self.door == door, f"the house alone does it, by the door {door}")

    def place(self) -> Place:
        seat = self.d["seat"]
        self.need(type(seat) is int and 0 <= seat < len(self.s.places), "the table has no such seat")
        return self.s.places[seat]

    def playing(self) -> None:
        self.need(self.s.playing, "it is not being played")

    def others_playing(self, seat: int, peoples: bool) -> int:
        return sum((p.peoples if peoples else p.played) for i, p in enumerate(self.s.places) if i != seat)

    def check(self) -> None:
        kind = self.e.type.removeprefix("table.").rpartition(".v")[0].replace("-", "_")
        getattr(self, "rule_" + kind, lambda: None)()
        if name := unlisted(self.d, TABLE[self.e.type]):
            raise self.differs(f"it says {name}, which nothing says here")
        if self.e.lacks:
            raise self.differs("a member is missing in it, or null")

    def sits(self, person: str | None) -> bool:
        return any(person in p.holders for p in self.s.places)

    # Before the start

    def rule_opened(self) -> None:
        d, e = self.d, self.e
        self.need(e.version == 1, "it was opened before")
        self.need(self.by, "somebody opens a table")
        if d["rulebook"] in WRITTEN["games"]:
            options = WRITTEN["games"][d["rulebook"]]["options"]
            self.need(all(v in options.get(o, ()) for o, v in d["options"].items()), "the game has no such option")
            self.need(len(d["seats"]) in seats_of(d["rulebook"], d["options"]), "the game has another number of seats")
        self.need(d["pace"] in ("daily", "weekly", "relaxed"), "there is no such pace")
        for p in self.now.places:
            invited, n = p.invited, len(p.invited)
            may = {"player": n == 1, "team": n > 0 and len(set(invited)) == n, "open": n == 0,
                   "stand-in": n == 0 and p.stand_in in ("thoughtful", "steady", "random")}
            self.need(may.get(p.kind), f"a place {p.kind} with {n} invited")
            self.need(not p.holders and not p.resigned, "nobody sits yet")
        self.need(any(p.kind != "stand-in" for p in self.now.places), "stand-ins alone")
        clock = d.get("clock")
        self.need(clock is None or (1 <= clock["hours"] <= 744 and 0 <= clock.get("spare", 0) <= 31), "the clock")
        self.need(good_grace(d), "the grace")
        self.good_for_long(d.get("until"))
        self.same("opener", self.by)

    def good_for_long(self, until: str | None) -> None:
        self.need(until is None or milliseconds(until) >= self.e.at + 14 * DAY - 2 * HOUR,
                  "invitations are good for 14 days")

    def opening(self) -> None:
        self.need(self.s.status == "open", "it is not open any more")

    @property
    def opener(self) -> str:
        return self.table.opening.data["opener"]

    def rule_invited(self) -> None:
        self.opening()
        place, person = self.place(), self.d["person"]
        self.need(self.by == self.opener, "the opener invites")
        self.need(place.kind in ("open", "team") or person in place.invited, "the place is not free")
        self.need(person not in place.holders, "they sit there already")
        self.good_for_long(self.d.get("until"))
        self.same("by", self.by)

    def rule_expired(self) -> None:
        self.house("clock")
        self.opening()
        person, until = self.d["person"], self.s.invites.get((self.d["seat"], self.d["person"]))
        self.need(person in self.place().invited and person != self.opener and until, "there is no such invitation")
        self.need(self.e.at >= milliseconds(until) - 2 * HOUR, "its time is not over")
        self.same("until", until)

    def rule_joined(self) -> None:
        self.opening()
        place, person = self.place(), self.d["person"]
        self.need(place.kind == "open" or person in place.invited, "they were not invited")
        self.need(person not in place.holders, "they sit there already")
        self.need(len(unbase64(self.d["bytes"])) >= 16, "too little randomness")
        self.same("person", self.by)

    def rule_declined(self) -> None:
        self.opening()
        self.need(self.d["person"] in self.place().invited + self.place().holders, "they were not invited")
        self.need(self.by in (self.d["person"], self.opener), "it is another's to say")

    def rule_placed(self) -> None:
        self.opening()
        self.need(self.by == self.opener and not self.place().holders, "the opener places, where nobody sits")
        self.need(self.d["place"]["kind"] in ("open", "stand-in"), "no such place")

    def rule_started(self) -> None:
        self.house("runner")
        self.opening()
        self.need(all(p.kind == "stand-in" or (p.holders and not p.invited) for p in self.s.places), "a place is free")

    def rule_contributed(self) -> None:
        self.need(False, "no command comes to it")

    # Consent

    def rule_proposed(self) -> None:
        p = self.d["proposal"]
        self.playing()
        self.need(self.by in self.s.people() and self.s.proposal is None, "a proposal is open, or it is not theirs")
        self.need(p["kind"] in ("rewind", "end", "pause"), "no such proposal")
        main = self.s.main
        if not 1 <= p["line"] or self.record.find(main.name, p["line"]) is None:
            raise self.e.fault("names-missing", f"it names version {p['line']} of line {main.name}, which the record "
                                                "does not hold")
        if p["kind"] == "rewind":
            self.rewind_allowed(p)
        if p["kind"] == "pause":
            until = milliseconds(p["until"])
            self.need(self.table.clock and self.e.at < until <= self.e.at + 30 * DAY, "no such pause")
        self.same("proposal.by", self.by, p["by"])
        self.same("proposal.agreed", None, p["agreed"])
        self.same("proposal.since", 0, p.get("since"))
        self.check_seen(p)
        alone = {h for place in self.s.places if place.peoples for h in place.holders} == {self.by}
        self.consequences(p, alone)

    def rewind_allowed(self, p: dict) -> None:
        first = self.table.branch["version"] + 1 if self.table.branch else 1
        if not p["fresh"]:
            for v in range(first, p["line"] + 1):
                e = self.record.find(self.s.main.name, v)
                first = v if e and e.data.get("anew") else first
        self.need(first <= p["to"] < p["line"], "there is no going back to there")

    def check_seen(self, p: dict) -> None:
        seen: dict[int, int] = {}
        for v in range(p["to"] + 1, p["line"] + 1) if p["kind"] == "rewind" else ():
            e = self.record.find(self.s.main.name, v)
            n = sum(len(draw) < 4 for draw in e.data.get("draws", [])) if e and "move" in e.data else 0
            if n:
                seen[e.data["seat"]] = seen.get(e.data["seat"], 0) + n
        found = p["seen"] or []
        drawn = [{"seat": x["seat"], "draws": x["draws"]} for x in found if x["draws"]]
        self.same("seen", [{"seat": s, "draws": n} for s, n in seen.items()], drawn)
        cards = found[len(drawn):]
        self.need(p["seen"] != [] and all(not x["draws"] and x.get("cards") for x in cards),
                  "an empty entry of what was seen")
        if any("cards" in x for x in found) and self.table.opening.data["rulebook"] in ("carcassonne", "catan"):
            self.same("cards", None, "some")

    def consequences(self, p: dict, now: bool) -> None:
        for kind, member in (("rewind", "rewound"), ("end", "end"), ("pause", "paused")):
            if (member in self.d) != (now and p["kind"] == kind):
                raise self.differs(f"{member} is {'there' if member in self.d else 'left out'}")
        if now and p["kind"] == "rewind":
            self.rewound(p["line"], p["to"], p["fresh"])
        if now and p["kind"] == "end":
            self.same("end", "agreed")
        for due in self.d["paused"].get("due") or [] if now and p["kind"] == "pause" else ():
            stood = self.standing(due.get("line"), due["seat"], due["since"])
            self.need(stood is None or milliseconds(due["at"]) > stood, "a pause moves deadlines later")

    def rewound(self, version: int, to: int, fresh: bool) -> None:
        r, main = self.d["rewound"], self.s.main
        for member, due in (("closed", main.name), ("version", version), ("index", len(self.s.lines)), ("fork", to),
                            ("fresh", fresh)):
            self.same("rewound." + member, due, r.get(member))
        rivals = self.table.opening.data["rulebook"] == "rivals"
        self.same("rewound.deal", fresh and rivals, r.get("deal", False))
        taken = [] if fresh else self.taken(to, version)
        found = [(t["p"], t["k"], t["line"]) for t in r.get("taken", [])]
        if self.table.keeps_luck:
            key = self.table.keyed(self.s, fresh, len(self.s.lines))
            self.same("rewound.taken", [t for t in taken if t[2] != key], found)
        else:
            self.same("rewound.taken", taken, found)

    def taken(self, to: int, version: int) -> list[tuple[str, int, int]]:
        """Section 8: which draws come again, and whose key gives them."""
        out: dict[tuple[str, int], int] = {}
        for v in range(to + 1, version + 1):
            e = self.record.find(self.s.main.name, v)
            line = self.table.lines.get(e.stream) if e else None
            for purpose, k, *_ in e.data.get("draws", []) if line else []:
                out[purpose, k] = line.taken.get((purpose, k), line.keyed)
        for draw, index in self.s.main.taken.items():
            out.setdefault(draw, index)
        return [(p, k, n) for (p, k), n in out.items()]

    def rule_agreed(self) -> None:
        self.playing()
        p = self.s.proposal
        self.need(p and self.by in self.s.people() and self.by not in p["agreed"], "there is nothing for them to agree to")
        self.same("person", self.by)
        self.consequences(p, set(self.s.people()) <= set(p["agreed"]) | {self.by})

    def rule_dismissed(self) -> None:
        self.need(self.s.proposal, "nothing is proposed")
        self.need(self.by in self.s.people() if self.by else self.door == "runner", "it is not theirs")
        self.same("person", self.by or "")

    def proposal_over(self, agreed: bool) -> None:
        self.house("clock")
        p = self.s.proposal
        yes = p and [x for x in self.s.people() if x in p["agreed"] and x != p["by"]]  # not of who lost their seat since
        self.need(p is not None and bool(yes) == agreed, "nothing is proposed, or it went otherwise")
        until = self.standing(None, NOBODY, p["since"])
        self.need(until is not None and self.e.at >= until, "its time is not over")
        self.same("since", p["since"])
        silent = [x for x in self.s.people() if x not in p["agreed"]]
        self.same("silent", silent, self.d["silent"] or [])
        self.consequences(p, agreed)

    def rule_carried(self) -> None:
        self.proposal_over(True)

    def rule_unanswered(self) -> None:
        self.proposal_over(False)

    def rule_undone(self) -> None:
        self.playing()
        self.need(not self.table.opening.data.get("no_undo") and self.s.proposal is None, "there is no undo now")
        r, main, place = self.d["rewound"], self.s.main, self.place()
        back = [self.record.find(main.name, v) for v in range(r["fork"] + 1, r["version"] + 1)]
        moves = [e for e in back if e is not None and e.type != "line.forked.v1"]
        self.need(len(moves) == 1 and None not in back and "move" in moves[0].data, "it takes one move back")
        e = moves[0]
        self.need(e.data["seat"] == self.d["seat"] and place.holders == [self.by], "the move was another's")
        self.need(not e.data.get("draws") and not e.parts, "luck was in it")
        if self.d.get("grace"):
            self.need(by_hand(e.meta, self.by), "its move was not made by hand")
            self.need(within_grace(self.table.opening.data, e.at, self.e.at), "the grace was over")
            self.same("grace", True)
        self.same("person", self.by)
        self.rewound(self.record.last(main.name), r["fork"], False)

    # Seats

    def stands_in(self) -> None:
        if self.d.get("stand_in") not in ("thoughtful", "steady"):
            raise self.differs(f"the house gives no stand-in {self.d.get('stand_in')!r}")

    def rule_resigned(self) -> None:
        self.playing()
        self.need(self.by in self.place().holders and self.place().played, "the seat is not theirs")
        self.same("person", self.by)
        self.stands_in()
        self.same("end", "resigned" if self.others_playing(self.d["seat"], True) < 2 else None)

    def rule_left(self) -> None:
        self.playing()
        self.need(self.by in self.place().holders and len(self.place().holders) > 1, "nobody would be left")
        self.same("person", self.by)

    def rule_lent(self) -> None:
        self.playing()
        self.need(self.by in self.place().holders and self.place().played, "the seat is not theirs")
        self.need(self.others_playing(self.d["seat"], False), "nobody is left")
        self.same("person", self.by)
        self.stands_in()

    def own_deadlines(self) -> None:
        mine = all((due["seat"], due.get("line")) == (self.d["seat"], self.s.main.name) for due in self.d.get("due", []))
        self.need(mine, "it names a deadline of another seat")

    def rule_returned(self) -> None:
        self.playing()
        place = self.place()
        was_theirs = self.by in place.former or place.lent and self.by in place.holders
        self.need(not place.resigned and was_theirs, "the seat is not theirs")
        self.own_deadlines()
        self.same("person", self.by)

    def rule_offered(self) -> None:
        self.playing()
        place = self.place()
        sat = {p for x in self.s.places for p in x.holders + x.former + x.gone + [x.offer]}
        self.need(place.peoples and len(place.holders) == 1 and not place.offer, "it cannot be offered")
        self.need(self.d["person"] not in sat, "they sit or sat here")
        self.need(self.sits(self.by), "it is not theirs")
        self.same("by", self.by)

    def rule_withdrawn(self) -> None:
        self.playing()
        self.need(self.place().offer and (self.by == self.place().offer or self.sits(self.by)), "no offer")
        self.same("person", self.by)

    def rule_substituted(self) -> None:
        self.playing()
        self.need(self.by and self.place().offer == self.by, "the offer is another's")
        self.own_deadlines()
        self.same("person", self.by)

    def rule_claimed(self) -> None:
        self.need(self.s.status != "ended" and self.d["was"] in self.place().holders, "the seat was not theirs")
        if not any(e.version < self.e.version for e in self.table.formers):
            self.report.say(f"version {self.e.version} of the table gives seat {SEATS[self.d['seat']]} to another person, and the table "
                            "came from no other server")

    # Time

    def standing(self, line: str | None, seat: int, since: int) -> int | None:
        """A deadline as it stands, if there is one (section 12)."""
        main = self.s.main
        if line is None:
            e = self.table.events[since - 1] if seat == NOBODY and 0 < since < self.e.version else None
        else:
            e = self.record.find(main.name, max(since, main.fork + 1)) if line == main.name else None
        wrote = [x["at"] for x in (e.meta.get("due") or [] if e else []) if x["seat"] == seat]
        moved = self.s.moved.get(seat)
        stands = line is None or line == main.name
        if stands and moved and (moved.get("line"), moved["since"]) == (line, since):
            wrote = [moved["at"]]  # even if a stand-in held the seat then, so that its event wrote none
        return milliseconds(wrote[0]) if wrote else None

    def rule_timed_out(self) -> None:
        self.house("clock")
        self.playing()
        due, clock = self.d["due"], self.table.clock
        self.need(clock and 0 <= due["seat"] < len(self.s.places), "there is no such deadline")
        until = self.standing(due.get("line"), due["seat"], due["since"])
        self.need(until == milliseconds(due["at"]) and self.e.at >= until, "it has not passed")
        self.need(due not in self.s.noted, "it was noted before")
        self.need(self.s.places[due["seat"]].played, "nobody plays there")
        does = clock["time_out"]
        if does == "seat" and not self.others_playing(due["seat"], False):
            does = "remind"
        self.same("does", does)
        if does == "remind":
            self.same("stand_in", None)
        else:
            self.stands_in()
        self.same("end", "resigned" if does == "lost" and self.others_playing(due["seat"], True) < 2 else None)

    def rule_deferred(self) -> None:
        self.playing()
        d, why = self.d, self.d["why"]
        self.need(why in ("away", "spare", "house", "mail", "asked", "paused"), "there is no such reason to move a deadline")
        if why in ("spare", "house", "mail"):
            self.house("clock")
            self.need(not d.get("person"), "nobody asked")
        self.need(why == "away" or self.table.clock and d.get("due"), "there is nothing to move")
        for due in d.get("due", []):
            stood = self.standing(due.get("line"), due["seat"], due["since"])
            self.need(stood is not None and milliseconds(due["at"]) > stood, "a deadline moves later")
            mine = not self.by or due["seat"] < 0 or self.by in self.s.places[due["seat"]].holders
            self.need(mine, "the deadline is another's")
            if why == "spare":
                self.need(len(d["due"]) == 1 and self.e.at >= stood, "its time is not over")
                left = self.table.clock.get("spare", 0) - self.s.spent.get(due["seat"], 0)
                self.need(left > 0, "no spare day is left")
        if why == "asked":
            self.need(len(d["due"]) == 1 and self.by and self.by == d.get("person"), "nobody asked for it")

    def rule_nudged(self) -> None:
        self.playing()
        elsewhere = any(self.by in p.holders for i, p in enumerate(self.s.places) if i != self.d["seat"])
        self.need(self.place().played and elsewhere, "they play nowhere else")
        at = milliseconds(self.d["at"])
        self.need(at % HOUR == 0 and self.e.at - 2 * HOUR <= at <= self.e.at, "it is another hour")
        self.need(at - self.s.nudged.get(self.d["seat"], at - DAY) >= DAY, "it was nudged less than a day before")
        self.same("by", self.by)

    def rule_said(self) -> None:
        around = {self.opener} | {p for x in self.s.places for p in x.invited + x.holders + x.former + x.gone + [x.offer]}
        self.need(self.by in around and not self.s.handed_over and self.d["text"], "they have no say")
        self.same("person", self.by)

    # The end

    def rule_ended(self) -> None:
        d, s = self.d, self.s
        if d["reason"] == "abandoned":
            self.opening()
            self.need(self.by == self.opener, "the opener alone gives a table up")
            return
        self.house("runner")
        self.need(s.status == "started" and d["reason"] in REASONS, "it is not being played")
        if d.get("line") != s.main.name or d.get("version") != self.record.last(s.main.name):
            raise self.e.fault("cut-off", "the table ended elsewhere than where its main line stands: events were cut off, "
                                          "or the end was altered")
        self.need(d["reason"] == (s.due_end or "finished"), "this end is not due")
        self.need(self.e.type not in SEALED or self.table.branch, "it is no branch, and ends sealed")
        if is_points(d.get("points")) != (self.e.type in WITH_POINTS):
            raise self.differs("points stand in the newer types of the end, and in no other")
        check_count(self.table, self.e)
        if d["reason"] != "finished":
            stay = sum(not p.resigned for p in s.places)
            ranks = [stay + 1 if p.resigned else 1 for p in s.places]
            self.same("ranks", ranks if stay < len(ranks) else None)

    def rule_unsealed(self) -> None:
        self.house("runner")
        self.need(self.s.sealed, "it did not end sealed")

    def rule_handed_over(self) -> None:
        self.house("host")
        self.need(self.s.status != "ended", "it has ended")

    def rule_arrived(self) -> None:
        self.house("host")
        self.need(self.s.status != "ended" or is_open(self.s), "it has ended, and its secrets are shut")

    def rule_ended_elsewhere(self) -> None:
        self.house("host")
        self.need(self.s.handed_over and not self.s.elsewhere, "it was not handed over, or its end was noted")


REWINDS = {f"table.{kind}.v1" for kind in ("proposed", "agreed", "undone", "carried", "unanswered")}


def goes_back_over_unknown(table: Table, s: State) -> bool:
    """Whether the main line has an event of play whose type is not known: what it drew is not known either."""
    rulebook, find = table.opening.data["rulebook"], table.record.find
    if not s.lines or s.main.name not in table.record.streams:
        return False
    line = (find(s.main.name, v) for v in range(1, table.record.last(s.main.name) + 1))
    return any(e is None or not known_type(rulebook, e) for e in line)


def check_rules(table: Table, report: Report, opening: bool) -> None:
    """The opening is judged before the play, everything else after it."""
    for e in table.known()[:1] if opening else table.known()[1:]:
        if e.type in REWINDS and goes_back_over_unknown(table, table.after[e.version - 1]):
            continue
        try:
            Rules(table, e, report).check()
        except (KeyError, TypeError, IndexError, ValueError, AttributeError) as why:
            raise e.fault("unreadable", f"the event cannot be what a server wrote: {why!r}") from None
        report.counts["events of the table judged"] += 1


# ---------------------------------------------------------------------------------------------------
# Checkpoints of the whole log, and proofs (section 16)
# ---------------------------------------------------------------------------------------------------

PROOF = "posthorn-proof-1"
GROWTH = {"from": int, "to": int, "hashes": list}
HELD = {"stream": "hex16", "version": int, "hash": "hex32", "position": int, "size": int, "hashes": list}
NOTE = re.compile(r"(posthorn/[0-9a-f]{16})\n(0|[1-9][0-9]{0,18})\n([A-Za-z0-9+/]{43}=)\n((?:[^\n]+\n)*)\n((?:\u2014 [^\n]+\n)+)")


@dataclass(frozen=True)
class Checkpoint:
    size: int
    root: bytes


def read_note(text: str, key: bytes) -> Checkpoint:
    """A checkpoint that the key has signed."""
    origin = "posthorn/" + key[:8].hex()
    m = NOTE.fullmatch(text)
    if m is None or m[1] != origin:
        raise Fault("checkpoint-signature", "a checkpoint is malformed, or another server's")
    said = text[:m.start(5) - 1].encode()                    # with its last line end, without the empty line
    name = hashlib.sha256(origin.encode() + b"\n\x01" + key).digest()[:4]
    for line in m[5].splitlines():
        who, _, signature = line[2:].rpartition(" ")
        try:
            raw = unbase64(signature)
        except ValueError:
            continue
        if who == origin and raw[:4] == name and signed(key, said, raw[4:]):
            return Checkpoint(int(m[2]), unbase64(m[3]))
    raise Fault("checkpoint-signature", f"a checkpoint of {m[2]} events is not signed by the key")


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def grows(old: Checkpoint, new: Checkpoint, proof: list[bytes]) -> bool:
    """Whether the log of one checkpoint goes on in that of another (RFC 6962, section 2.1.2, checked as RFC 9162,
    section 2.1.4.2, does)."""
    if old.size in (0, new.size):
        return not proof and (old.size == 0 or old.root == new.root)
    if old.size > new.size or not proof:
        return False
    path = list(proof)
    f, s = old.size - 1, new.size - 1
    if old.size & f == 0:                                    # a power of two: its root is a node of the other tree
        path.insert(0, old.root)
    while f & 1:
        f, s = f >> 1, s >> 1
    was = now = path[0]
    for c in path[1:]:
        if s == 0:
            return False
        if f & 1 or f == s:
            was, now = node(c, was), node(c, now)
            while f and not f & 1:
                f, s = f >> 1, s >> 1
        else:
            now = node(now, c)
        f, s = f >> 1, s >> 1
    return s == 0 and was == old.root and now == new.root


def holds(of: Checkpoint, position: int, event: bytes, path: list[bytes]) -> bool:
    """Whether the log of a checkpoint has an event at a position, from 1 (RFC 9162, section 2.1.3.2)."""
    if not 1 <= position <= of.size:
        return False
    f, s, root = position - 1, of.size - 1, hashlib.sha256(b"\x00" + event).digest()
    for c in path:
        if s == 0:
            return False
        if f & 1 or f == s:
            root = node(c, root)
            while f and not f & 1:
                f, s = f >> 1, s >> 1
        else:
            root = node(root, c)
        f, s = f >> 1, s >> 1
    return s == 0 and root == of.root


def read_proof(text: str) -> dict:
    try:
        p = parse(text)
        members(p, {"format": str, "key": "key", "checkpoints": list, "consistency": list, "inclusion": list})
        for g in p["consistency"]:
            members(g, GROWTH)
            g["hashes"] = [hash_of(h) for h in g["hashes"]]
        for h in p["inclusion"]:
            members(h, HELD)
            h["hashes"] = [hash_of(x) for x in h["hashes"]]
            if not all(re.fullmatch("[0-9a-f]+", h[name]) for name in ("stream", "hash")):
                raise ValueError("hex in upper case")
            _ = h["version"]
        numbers = [g[n] for g in p["consistency"] for n in ("from", "to")]
        numbers += [h[n] for h in p["inclusion"] for n in ("position", "size")]
        if not all(-2**63 <= n < 2**63 for n in numbers):
            raise ValueError("a number is too large")
        if p["format"] != PROOF or not p["checkpoints"] or not all(isinstance(c, str) for c in p["checkpoints"]):
            raise ValueError("it has another format, or no checkpoint")
        p["key"] = unbase64(p["key"])
    except (ValueError, KeyError, TypeError, RecursionError) as why:
        raise Fault("proof-form", f"not a proof of this form ({PROOF}): {why}") from None
    return p


def hash_of(text: Any) -> bytes:
    if not isinstance(text, str) or not re.fullmatch("[0-9a-f]{64}", text):
        raise ValueError(f"{text!r} is no hash")
    return bytes.fromhex(text)


def check_proof(p: dict, kept: str, record: Record | None, report: Report) -> None:
    """A proof, with checkpoints that somebody kept, and a record whose events it may speak of."""
    if record and unbase64(record.header["key"]) != p["key"]:
        raise Fault("proof-key", "the proof is of another server than the record")
    notes = [m.group() for m in NOTE.finditer(kept)]
    if kept.strip() and not notes:
        raise Fault("checkpoint-signature", "no checkpoint was found in what was kept")
    known: dict[int, Checkpoint] = {}
    for c in (read_note(text, p["key"]) for text in p["checkpoints"] + notes):
        if known.setdefault(c.size, c) != c:
            raise Fault("log-rewritten", f"there were two logs of {c.size} events")
        report.counts["checkpoints"] += 1
    reached = check_growth(p, known, report)
    for size in sorted(known):
        if size and size not in reached:
            report.skip("receipts", f"the checkpoint of {size} events: no proof that the log of {max(known)} goes on from it")
    for h in p["inclusion"]:
        if h["size"] not in known:
            raise Fault("checkpoint-missing", f"there is no checkpoint of {h['size']} events", h["stream"], h["version"])
        if not holds(known[h["size"]], h["position"], bytes.fromhex(h["hash"]), h["hashes"]):
            raise Fault("not-in-log", "the event is not in the log that was signed", h["stream"], h["version"])
        report.counts["events in the log"] += 1
    if record:
        check_held(p, record, report)


def check_growth(p: dict, known: dict[int, Checkpoint], report: Report) -> set[int]:
    """The sizes whose logs are proved to go on in the latest."""
    steps: list[tuple[int, int]] = []
    for g in p["consistency"]:
        for size in (g["from"], g["to"]):
            if size not in known:
                raise Fault("checkpoint-missing", f"there is no checkpoint of {size} events")
        if not grows(known[g["from"]], known[g["to"]], g["hashes"]):
            raise Fault("log-rewritten", f"the log of {g['to']} events does not go on from the one of {g['from']}")
        steps.append((g["from"], g["to"]))
        report.counts["logs that go on"] += 1
    reached, before = {max(known)}, set()
    while reached != before:
        before = set(reached)
        reached |= {old for old, new in steps if new in before}
    return reached


def check_held(p: dict, record: Record, report: Report) -> None:
    """What the proof says of this record's events, and up to where its streams are in the log."""
    upto: dict[str, int] = {}
    for h in p["inclusion"]:
        e = record.find(h["stream"], h["version"])
        if e and e.stream == h["stream"]:
            if e.hash != h["hash"]:
                raise e.fault("other-event", "the server's log has another event at this place")
            upto[e.stream] = max(e.version, upto.get(e.stream, 0))
    for s in record.streams.values():
        last = record.last(s.name)
        if s.table == record.table and upto.get(s.name, s.fork) < last:
            report.skip("receipts", f"versions {upto.get(s.name, s.fork) + 1} to {last} of {s.name}: no proof that they are in the log")


class Unreachable(Exception):
    """A server that cannot be asked, or that does not have what it is asked for."""


class Server:
    """A running server as anybody may ask it: what it answers is made a proof, which is checked as any other."""

    def __init__(self, base: str):
        if not re.match("https?://[^/]", base):
            raise Unreachable(f"--server {base}: write it as https://games.example.org")
        self.base, self.note, self.asked = base.rstrip("/") + "/api/v1/", "", ""

    def ask(self, path: str, **query: Any) -> bytes | None:
        """An answer, or None for what it does not have or show."""
        url = self.base + path + ("?" + urllib.parse.urlencode(query) if query else "")
        try:
            with urllib.request.urlopen(url, timeout=30) as answer:
                return answer.read(1 << 30)
        except urllib.error.HTTPError as why:
            if why.code == 404:
                return None
            raise Unreachable(f"{url}: the server answers {why.code}") from None
        except OSError as why:
            raise Unreachable(f"{url}: {why}") from None

    def json(self, path: str, **query: Any) -> Any:
        text = self.ask(path, **query)
        try:
            return text if text is None else parse(text.decode("utf-8"))
        except ValueError as why:
            raise Unreachable(f"{self.base}{path}: {why}") from None

    def record(self, table: str) -> bytes:
        text = self.ask(f"tables/{table}/record")
        if text is None:
            raise Unreachable(f"table {table}: the server has no such table, or does not show it to everybody")
        self.asked = table
        return text

    def proofs(self, kept: str, record: Record | None) -> tuple[str]:
        """A proof that its log goes on from what was kept, and holds what it has of the record."""
        now = self.json("checkpoint")
        try:
            self.note, key, size = now["note"], bytes.fromhex(now["public_key"]), int(now["size"])
        except (KeyError, TypeError, ValueError):
            raise Unreachable("the server has signed no checkpoint yet, or shows none") from None
        growth = []
        for old in sorted({read_note(m.group(), key).size for m in NOTE.finditer(kept)}):
            if old > size:
                raise Fault("log-rewritten", f"the log had {old} events, and has {size}")
            if 0 < old < size:
                step = self.json("checkpoint/proof", **{"from": old, "to": size})
                growth.append(dict(step or {"hashes": []}, **{"from": old, "to": size}))
        held = [h for s in record.streams.values() if s.table == record.table and (h := self.held(record, s, size))] if record else []
        return (json.dumps({"format": PROOF, "key": base64.b64encode(key).decode(), "checkpoints": [self.note],
                            "consistency": growth, "inclusion": held}),)

    def held(self, record: Record, s: Stream, size: int) -> dict | None:
        """The last event of a stream that the log of so many events has: mostly the very last."""
        best, low, high, attempt = None, s.fork + 1, record.last(s.name), record.last(s.name)
        while low <= high:
            h = self.json(f"tables/{record.table}/inclusion", stream=s.name, version=attempt, size=size)
            if h is None:
                high = attempt - 1
            else:
                best, low = dict(h, stream=s.name, version=attempt, size=size), attempt + 1
            attempt = (low + high) // 2
        return best


def check_proofs(proofs: list[str], kept: str, record: Record | None, report: Report) -> None:
    for text in proofs:
        check_proof(read_proof(text), kept, record, report)
    if record is None and not kept.strip():
        report.say("no checkpoint that somebody kept: the proof shows what one server says now, by a key that it names itself")


# ---------------------------------------------------------------------------------------------------
# All checks, in the order of the page (section 14)
# ---------------------------------------------------------------------------------------------------

def read_whole(path: Path, report: Report) -> list[Record]:
    """Records whose form, headers and chains are right, or the first fault."""
    records = read(path, report)
    for record in records:
        check_whole(record, Report())
    return records


def check_whole(record: Record, report: Report) -> None:
    check_header(record)
    check_chain(record, report)


def verify(path: Path | bytes | None, receipts: list[str], others: list[Path], proofs: tuple = (), kept: str = "",
           server: "Server | None" = None, keys: tuple = ()) -> Report:
    """A file with a record, or with several, or proofs of the log alone; held against a running server, if there is one."""
    report, record = Report(), None
    try:
        if path is None:
            proofs += server.proofs(kept, None) if server else ()
            for text in proofs:
                check_known(read_proof(text)["key"], keys)
            check_proofs(proofs, kept, None, report)
            return report
        records = read(path, report)
        if server and server.asked not in ("", records[-1].table):
            raise Fault("other-table", f"the server answers with the record of another table: {records[-1].table}")
        proved: set[str] = set()       # the hashes of events that their own tables' records prove
        tables: list[Table] = []
        for record in records:
            part, last = Report(), record is records[-1]
            try:
                check_whole(record, part)
                tables.append(verify_record(record, part, receipts, records))
                for other in others if last else []:
                    proved |= compare(record, tables[-1], other, part)
                say_limits(record, tables[-1], proved, part)
            finally:
                report.join(part, "" if last else record.table)
            if part.status() == 0:
                proved |= {e.hash for e in record.own()}
        check_bundle(records, tables)
        check_key(records[-1], tables[-1], keys, report)
        check_proofs(proofs + server.proofs(kept, record) if server else proofs, kept, record, report)
    except Fault as fault:
        if record and fault.line == 1:
            fault.line = record.first
        report.fault = fault
    except (KeyError, TypeError, IndexError, ValueError, AttributeError, ArithmeticError) as why:
        report.fault = Fault("unreadable", f"the record cannot be what a server wrote: {why!r}")
    return report


def verify_record(record: Record, report: Report, receipts: list[str], records: list[Record]) -> Table:
    """One record, whose form and chain are right, by itself."""
    check_parts(record, report)
    table = Table(record)
    if table.until is table.opening:                         # not even its opening is known here
        check_header_receipts(record, table, report)
        return table
    check_header_of_table(record, table)
    check_handover(record)
    check_closing(record, table)
    check_viewer(record, table)
    check_closed(record, table)
    check_branch(record, table)
    check_lines(record, table)
    count_taken_back(record, table, report)
    check_times(record, table, report)
    check_deadlines(record, table, report)
    check_header_receipts(record, table, report)
    check_former_receipts(record, table, report)
    check_brought_receipts(record, table, report, receipts, [r.table for r in records])
    check_branch_options(record, table)
    check_rules(table, report, True)
    check_play(record, table, report)
    check_rules(table, report, False)
    return table


def check_branch_options(record: Record, table: Table) -> None:
    """A branch has the options of the game whose set-up it holds, as far as that says them."""
    opening, lines = table.opening, table.final.lines
    first = record.find(lines[0].name, 1) if table.branch and lines else None
    body = first.data.get("body") if first and known_type(opening.data["rulebook"], first) else None
    if not isinstance(body, dict):
        return
    said = body.get("choices") or body.get("view", {}).get("options") or ({"play": body["play"]} if "play" in body else {})
    options = dict(opening.data["options"])
    if options.get("solo") == "on":
        options["farmers"] = "off"                            # whatever the option says
    else:
        said = {name: value for name, value in said.items() if name not in ("colours", "followers")}
    if any(options.get(name) != value for name, value in said.items()):
        raise opening.fault("branch-options", "the options are others than those of the game that it goes on from")


def count_taken_back(record: Record, table: Table, report: Report) -> None:
    """Section 8: how many steps were taken back before a draw. Where a table does not keep its luck, each of them
    gave other draws than those that were to come."""
    back = most = total = 0
    for line in table.final.lines:
        back += line.undone
        if back and any(isinstance(e.data.get("draws"), list) and e.data["draws"] for e in record.of.get(line.name, {}).values()):
            most, total, back = max(most, back), total + back, 0
    if total:
        report.counts["steps taken back before a draw"] = total
        report.counts["of these before the same draw, at most"] = most
        if not table.keeps_luck:
            report.say(f"{total} steps were taken back before a draw, at most {most} before the same: at a table that an "
                       "older program opened, each of them gave other draws")


def check_known(key: bytes, keys: tuple, *trusted: bytes, line: int = 0) -> None:
    """Whether a key, or one of those that gave something to it, is among those that somebody knows, if any."""
    if keys and not {key, *trusted} & set(keys):
        raise Fault("other-key", f"it is signed with another key: {base64.b64encode(key).decode()}", line=line)


def check_key(record: Record, table: Table, keys: tuple, report: Report) -> None:
    """Whether the record is of a server that is known, or of one to which that one gave the table."""
    trusted = [unbase64(record.header["key"])]
    for e in reversed(table.formers):
        if e.version not in table.gave:
            break                                            # nothing shows that it was given away
        trusted.append(unbase64(e.data["key"]))
    check_known(trusted[0], keys, *trusted, line=record.first)
    if not keys and not report.hands:
        report.say(f"nobody said which server's key is expected; this record is signed by {record.header['key']}")


def check_bundle(records: list[Record], tables: list[Table]) -> None:
    """Several records are the handover of a branch and the finished tables that it goes on from (section 13)."""
    before: dict[str, Record] = {}
    for record, table in zip(records, tables) if len(records) > 1 else ():
        last, branch = record is records[-1], table.branch

        def need(holds: Any, kind: str, text: str) -> None:
            if not holds:
                raise Fault("bundle-" + kind, text, record.table, 1, record.first)

        need(bool(record.header.get("handover")) == last and (branch or not last), "form",
             "several records are the handover of a branch and the tables that it goes on from, and nothing else")
        shut = any(p.text is None for e in record.events for p in e.parts)
        need(last or table.open() and not shut, "open",
             "a table that the branch goes on from has not ended, or its secrets are not open")
        need(record.header["key"] == records[-1].header["key"], "key",
             "the record of a table that the branch goes on from is of another server")
        need(record.table not in before, "twice", "the table is recorded twice")
        need(last or any(stands_on(r, t, record.table) for r, t in zip(records, tables)), "stranger",
             "nothing here goes on from the table")
        if branch:
            source = before.get(branch["table"])
            need(source, "missing", "the record of the table that it goes on from is missing before it")
            line = source.streams.get(branch["line"])
            need(line and line.kind == "line" and line.table == source.table and source.find(line.name, branch["version"]), "fork",
                 "the record of the table that it goes on from does not hold where it forked")
        check_retold(record, before)
        before[record.table] = record


def check_retold(record: Record, before: dict[str, Record]) -> None:
    """What a record holds of other tables is what their own records hold."""
    for s in record.streams.values():
        if s.table != record.table and s.table not in before:
            raise Fault("bundle-missing", "the record of the table that it goes on from is missing before it", s.name,
                        s.fork + 1, record.first)
    for e in record.events:
        own = before.get(record.streams[e.stream].table)
        twin = own.of.get(e.stream, {}).get(e.version) if own else e
        if twin is None or twin.hash != e.hash:
            raise e.fault("bundle-other", "the event is another one than in the record of its own table")


def stands_on(record: Record, table: Table, other: str) -> bool:
    """Whether a record's table goes on from another."""
    return bool(table.branch) and table.branch["table"] == other or \
        record.table != other and any(s.table == other for s in record.streams.values())


def compare(record: Record, table: Table, path: Path, report: Report) -> set[str]:
    """Another record against this one: where both hold a version of a stream, it is the same event. The hashes
    of its own events are the result, if it is proved by itself."""
    whole = verify(path, [], [])
    if whole.fault:
        raise Fault("other-record", f"the other record is at fault: {path.name}: {whole.fault}")
    others = read_whole(path, Report())
    parted: set[str] = set()           # a table that was handed over goes on differently at the two servers
    for e in record.events:
        twin = next((t for o in others if (t := o.of.get(e.stream, {}).get(e.version))), None)
        pair = sorted((e, twin), key=lambda x: x.type) if twin else []
        if pair and pair[0].type.startswith("table.arrived.v") and pair[1].type == "table.handed-over.v1":
            closing = closing_hash(table, e) if pair[0] is e else ""
            if closing and closing != twin.hash:
                raise e.fault("other-history", "another record has another event here: the history was told in two ways")
            parted.add(e.stream)
        if e.stream in parted:
            continue
        if twin and twin.hash != e.hash:
            raise e.fault("other-history", "another record has another event here: the history was told in two ways")
        report.counts["events compared with other records"] += twin is not None
    if not report.counts["events compared with other records"]:
        report.say("the other records hold no event of this one: they are of other tables")
    return {e.hash for other in others for e in other.own()} if whole.status() == 0 else set()


def say_limits(record: Record, table: Table, proved: set[str], report: Report) -> None:
    for kind in sorted(table.strange):
        report.skip("unknown", f"events of the type {kind}: this verifier does not know it, and nothing that the table did after it")
    foreign = [e for e in record.events if record.streams[e.stream].table != record.table and e.hash not in proved]
    if foreign:
        report.skip("elsewhere", f"{len(foreign)} events that another table wrote: their luck is proved by that table's own record")
    if table.branch and table.opening.data.get("rulebook") == "catan":
        report.say("the deal of a Catan branch: its draws' numbers, and that all cards together are what they were, but "
                   "not who got which, which needs the game")
    if "given" in table.opening.data:
        report.say("the game began from a position set by hand: of its set-up only the numbers of the draws were checked")
    if table.seed is None and table.until is not table.opening:
        report.skip("luck", "the luck: the seed is not open")


LEFT = "whether each move was legal, who made it, and what followed from it without chance, all points too: posthorn verify does"


def show(report: Report) -> None:
    if report.fault:
        print(report.fault)
    for text in report.hands:
        print(text)
    for what, n in report.counts.items():
        print(f"checked: {n} {what}")
    for text in report.said:
        print(f"note: {text}")
    for text in report.unchecked:
        print(f"unchecked: {text}")
    if report.open:
        print("left open:", ", ".join(report.open))
    if report.counts["lines"]:
        print("never checked here:", LEFT)
    print("result:", ("no fault, and all checked but the rules of the games and who moved" if report.counts["lines"] else "proved", "fault", "", "no fault, but not everything could be checked")[report.status()])


def show_json(report: Report) -> None:
    f = report.fault
    print(json.dumps({
        "status": report.status(), "checked": dict(report.counts), "hands": report.hands, "notes": report.said, "unchecked": report.unchecked, "open": report.open,
        "never_checked": [LEFT] if report.counts["lines"] else [],
        "fault": f and {"kind": f.kind, "stream": f.stream, "version": f.version, "line": f.line, "text": f.text},
    }, ensure_ascii=False, indent=1))


def receipts_of(path: Path) -> str:
    """A text that holds receipts, all of them whole."""
    text = path.read_text(encoding="utf-8", errors="replace")
    whole, broken = receipts_in(text)
    if broken or not whole:
        raise ValueError(f"{path}: {len(whole)} whole receipts, and {broken} that are not whole")
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description="Verify the record of a Posthorn table, or how a server's whole log has grown.")
    parser.add_argument("record", type=Path, nargs="?")
    parser.add_argument("--receipts", type=Path, action="append", default=[], metavar="FILE",
                        help="receipts, also in a pasted mail")
    parser.add_argument("--key", action="append", default=[], metavar="KEY", help="the server's key that you know, in base64")
    parser.add_argument("--against", type=Path, nargs="+", action="extend", default=[], metavar="OTHER.jsonl",
                        help="other records of the same play")
    parser.add_argument("--proof", type=Path, action="append", default=[], metavar="FILE",
                        help="a proof of the server's log (posthorn-proof-1), with the record or without one")
    parser.add_argument("--checkpoint", type=Path, action="append", default=[], metavar="FILE",
                        help="checkpoints that you kept, with --proof")
    parser.add_argument("--json", action="store_true", help="the report as JSON")
    parser.add_argument("--server", metavar="URL",
                        help="a running server, to be asked for the proof; RECORD may then be the name of a table")
    args = parser.parse_args()
    if not args.record and not args.proof and not args.server or args.checkpoint and not args.proof and not args.server:
        parser.error("name a record, or a proof of the log with --proof, or a server with --server")
    try:
        proofs = [p.read_text(encoding="utf-8", errors="replace") for p in args.proof]
        kept = "\n".join(p.read_text(encoding="utf-8", errors="replace") for p in args.checkpoint)
        texts = [receipts_of(p) for p in args.receipts]
        server, path = Server(args.server) if args.server else None, args.record
        if server and path and re.fullmatch("[0-9a-f]{32}", str(path)):
            path = server.record(str(path))
        report = verify(path, texts, args.against, tuple(proofs), kept, server, tuple(unbase64(k) for k in args.key))
    except (OSError, Unreachable, ValueError) as e:
        print(f"verify.py: {e}", file=sys.stderr)
        return 2
    (show_json if args.json else show)(report)
    if server and server.note and not report.fault and not args.json:
        print(f"\nKeep this: with it the server can never deny what it has shown today.\n\n{server.note}", end="")
    return report.status()


if __name__ == "__main__":
    sys.exit(main())
