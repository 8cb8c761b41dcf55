#!/usr/bin/env python3
"""Checks a bundle of evidence about one shipment, offline.

Written from docs/guides/ledger-format.md alone. Needs Python 3.8 or later and the command `openssl`,
version 3 or later, for Ed25519.

    python3 verify_bundle.py FOLDER|BUNDLE.zip [--key KEY] [--witness KEY]...
                             [--checkpoint FILE]... [--consistency FILE]...

Exit code 0: nothing is wrong. 1: something is. 2: it could not be decided. 64: wrong usage.
"""
import argparse
import base64
import binascii
import functools
import hashlib
import hmac
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from datetime import datetime, timezone


class Unreadable(Exception):
    """Something that is needed to decide cannot be read: exit code 2."""


class Report:
    """What was found so far. Checks go on after a problem, so that all are reported."""

    def __init__(self):
        self.problems = []
        self.undecided = []
        self.notes = []

    def demand(self, is_right, otherwise):
        if not is_right:
            self.problems.append(otherwise)
        return bool(is_right)

    @property
    def exit_code(self):
        return 1 if self.problems else 2 if self.undecided else 0


# ---- Conventions ---------------------------------------------------------------------------------

BUNDLE_BYTES_MAX = 256 * 1024 * 1024


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def from_base64(text):
    """The bytes, or None unless the text is the one right form of them."""
    try:
        decoded = base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        return None
    return decoded if base64.b64encode(decoded).decode() == text else None


def is_time(text):
    form = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
    if not isinstance(text, str) or not re.fullmatch(form, text, re.ASCII):
        return False
    try:
        datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")
        return True
    except ValueError:
        return False


def is_hash(text):
    return isinstance(text, str) and re.fullmatch(r"[0-9a-f]{64}", text) is not None


def is_count(value):
    return type(value) is int and 0 <= value < 2**53


def is_uuid(text):
    return isinstance(text, str) and re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text)


def is_text_or_null(value):
    return value is None or isinstance(value, str)


def parse_json(text, allows_proto=False):
    def members(pairs):
        names = [name for name, _ in pairs]
        if len(set(names)) < len(names) or ("__proto__" in names and not allows_proto):
            raise ValueError("an object has a name twice, or one that is not allowed")
        return dict(pairs)

    def refuse(constant):
        raise ValueError(f"{constant} is not JSON")

    def number(digits):
        value = float(digits)
        if value in (float("inf"), float("-inf")):
            raise ValueError("a number is too large")
        return int(value) if value.is_integer() and abs(value) < 2**53 else value

    try:
        value = json.loads(
            text,
            object_pairs_hook=members,
            parse_constant=refuse,
            parse_int=number,
            parse_float=number,
        )
        # Half of a character has no bytes.
        json.dumps(value, ensure_ascii=False).encode("utf-8")
        return value
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def canonical(value):
    """RFC 8785, as text."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number_text(float(value))
    return json.dumps(value, ensure_ascii=False)


def number_text(number):
    """A number as ECMAScript writes it."""
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    mantissa, _, exponent = repr(abs(number)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    # The value is 0.<digits> times ten to the power of `point`.
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        text = digits + "0" * (point - len(digits))
    elif 0 < point <= 21:
        text = f"{digits[:point]}.{digits[point:]}"
    elif -6 < point <= 0:
        text = f"0.{'0' * -point}{digits}"
    else:
        rest = f".{digits[1:]}" if len(digits) > 1 else ""
        text = f"{digits[0]}{rest}e{point - 1:+d}"
    return sign + text


# ---- The tree ------------------------------------------------------------------------------------


def node_hash(left, right):
    return sha256(b"\x01", left, right)


def left_size(size):
    return 1 << ((size - 1).bit_length() - 1)


def root_from_inclusion(hashed, index, size, proof):
    """The root to which the proof leads, or None."""
    if size == 1:
        return hashed if not proof else None
    if not proof:
        return None
    half, rest, beside = left_size(size), proof[:-1], proof[-1]
    if index < half:
        inner = root_from_inclusion(hashed, index, half, rest)
        return inner and node_hash(inner, beside)
    inner = root_from_inclusion(hashed, index - half, size - half, rest)
    return inner and node_hash(beside, inner)


def roots_from_consistency(size, later, proof, old):
    """The roots of both trees to which the proof leads, or None."""
    if size == later:
        path = proof if old is None else [old] + proof
        return (path[0], path[0]) if len(path) == 1 else None
    if not proof:
        return None
    half, rest, beside = left_size(later), proof[:-1], proof[-1]
    if size <= half:
        roots = roots_from_consistency(size, half, rest, old)
        return roots and (roots[0], node_hash(roots[1], beside))
    roots = roots_from_consistency(size - half, later - half, rest, None)
    return roots and (node_hash(beside, roots[0]), node_hash(beside, roots[1]))


def is_beginning(size, root, later_size, later_root, proof):
    if not 1 <= size <= later_size:
        return False
    return roots_from_consistency(size, later_size, proof, root) == (root, later_root)


# ---- Signed notes --------------------------------------------------------------------------------

LEDGER_KEY = 1
WITNESS_KEY = 4
SECONDS_MAX = 8_640_000_000_000
NOTE_MEMBERS = ("resolution_ref", "comment_ref")


# A process for each signature is slow, and some are asked about twice.
@functools.lru_cache(maxsize=1000)
def is_ed25519(public_key, message, signature):
    if len(signature) != 64:
        return False
    der = bytes.fromhex("302a300506032b6570032100") + public_key
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for name, content in (("key", der), ("message", message), ("signature", signature)):
            paths[name] = os.path.join(folder, name)
            with open(paths[name], "wb") as file:
                file.write(content)
        command = ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-rawin"]
        command += ["-inkey", paths["key"], "-in", paths["message"], "-sigfile", paths["signature"]]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            raise Unreadable("the command openssl is needed, version 3 or later") from error
    said = (done.stdout + done.stderr).decode(errors="replace")
    if done.returncode == 0:
        return True
    if "Signature Verification Failure" in said:
        return False
    raise Unreadable(f"openssl cannot check a signature: {said.strip()[:200]}")


class Key:
    def __init__(self, text, kind):
        name, key_id, encoded = (text.split("+", 2) + ["", ""])[:3]
        content = from_base64(encoded)
        if content is None or len(content) != 33 or content[0] != kind or re.search(r"\s", name):
            raise ValueError("not a key of this kind")
        if not name or sha256(name.encode(), b"\n", content)[:4].hex() != key_id:
            raise ValueError("the id is not that of the key")
        self.text, self.name, self.id, self.public_key = text, name, key_id, content[1:]


class Note:
    def __init__(self, text):
        body, separator, signatures = text.partition("\n\n")
        if not separator or not signatures.endswith("\n"):
            raise ValueError("not a signed note")
        self.text = body + "\n"
        self.signatures = []
        for line in signatures[:-1].split("\n"):
            match = re.fullmatch(r"— ([^\s+]+) (\S+)", line)
            content = from_base64(match.group(2)) if match else None
            if content is None or len(content) <= 4:
                raise ValueError("not a signature line")
            self.signatures.append((match.group(1), content[:4].hex(), content[4:]))

    def lines_of(self, key):
        return [
            content for name, key_id, content in self.signatures if (name, key_id) == (key.name, key.id)
        ]

    def signers(self, keys, name):
        """The keys of that name that signed it; none if a line in the name of one is not its own."""
        signers = []
        for key in keys:
            lines = self.lines_of(key) if key.name == name else []
            if not all(is_ed25519(key.public_key, self.text.encode(), line) for line in lines):
                return []
            if lines:
                signers.append(key)
        return signers

    def cosigned_at(self, witness):
        """Seconds since 1970; None = not cosigned; -1 = a cosignature is not valid."""
        result = None
        for content in self.lines_of(witness):
            seconds = int.from_bytes(content[:8], "big")
            text = f"cosignature/v1\ntime {seconds}\n{self.text}".encode()
            is_own = len(content) == 72 and is_ed25519(witness.public_key, text, content[8:])
            if not is_own or seconds > SECONDS_MAX:
                return -1
            result = seconds if result is None else result
        return result


class Checkpoint(Note):
    form = re.compile(r"(\S+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\ntime (\S+)\n", re.ASCII)

    def __init__(self, text):
        super().__init__(text)
        match = self.form.fullmatch(self.text)
        root = from_base64(match.group(3)) if match else None
        if root is None or not is_time(match.group(4)):
            raise ValueError("not a checkpoint")
        self.origin, self.size, self.root = match.group(1), int(match.group(2)), root
        self.time = match.group(4)

    @property
    def line(self):
        return f"checkpoint {self.size} {base64.b64encode(self.root).decode()}"

    def signed_by(self, keys):
        return self.signers(keys, self.origin)


# ---- The parts of a bundle -----------------------------------------------------------------------


def has_members(value, required, optional=()):
    if not isinstance(value, dict):
        return False
    return set(required) <= set(value) <= set(required) | set(optional)


def is_header(line):
    scope = ("organization_id", "shipment_id", "from", "to")
    members = ("format", "exported_at", "scope", "checkpoint", "keys")
    return (
        has_members(line, members, ("consistency",))
        and line["format"] == "shipping-ledger-export/2"
        and is_time(line["exported_at"])
        and has_members(line["scope"], scope)
        and is_text_or_null(line["scope"]["organization_id"])
        and isinstance(line["scope"]["shipment_id"], str)
        and line["scope"]["from"] is None
        and line["scope"]["to"] is None
        and isinstance(line["checkpoint"], str)
        and isinstance(line["keys"], list)
        and all(
            has_members(key, ("verifier", "introduced_by"))
            and isinstance(key["verifier"], str)
            and is_text_or_null(key["introduced_by"])
            for key in line["keys"]
        )
        and isinstance(line.get("consistency", []), list)
        and all(
            has_members(entry, ("size", "root", "proof"))
            and is_count(entry["size"])
            and is_hash(entry["root"])
            and is_proof(entry["proof"])
            for entry in line.get("consistency", [])
        )
    )


def is_proof(value):
    return isinstance(value, list) and all(is_hash(one) for one in value)


ACTORS = ("api_key", "operator", "cli", "reconciliation", "poller", "system")
TEXTS = ("type", "correlation_id", "position")
TEXTS_OR_NULL = ("shipment_id", "workspace_id", "request_id", "causation_id")
TIMES = ("recorded_at", "occurred_at", "created_at")
EVENT = (
    ("id", "object", "schema", "livemode", "revision", "actor", "data", "leaf")
    + TEXTS
    + TEXTS_OR_NULL
    + TIMES
)


def is_actor(actor):
    return (
        has_members(actor, ("type", "key_id"), ("operator_id", "system_user"))
        and actor["type"] in ACTORS
        and is_text_or_null(actor["key_id"])
        and all(isinstance(actor.get(name, ""), str) for name in ("operator_id", "system_user"))
    )


def is_event(event):
    return (
        has_members(event, EVENT)
        and is_uuid(event["id"])
        and event["object"] == "ledger_event"
        and is_count(event["schema"])
        and event["schema"] > 0
        and isinstance(event["livemode"], bool)
        and is_count(event["revision"])
        and is_hash(event["leaf"])
        and isinstance(event["data"], dict)
        and is_actor(event["actor"])
        and all(isinstance(event[name], str) for name in TEXTS)
        and all(is_text_or_null(event[name]) for name in TEXTS_OR_NULL)
        and all(is_time(event[name]) for name in TIMES)
        and event["created_at"] == event["recorded_at"]
    )


def is_event_line(line):
    return (
        has_members(line, ("stream", "organization_id", "leaf_index", "proof", "event"))
        and isinstance(line["stream"], str)
        and isinstance(line["organization_id"], str)
        and is_count(line["leaf_index"])
        and is_proof(line["proof"])
        and is_event(line["event"])
    )


def is_stream_line(line):
    return (
        has_members(line, ("stream", "first_revision", "last_revision"))
        and isinstance(line["stream"], str)
        and is_count(line["first_revision"])
        and is_count(line["last_revision"])
    )


def is_footer(line):
    return (
        has_members(line, ("events", "not_sealed", "statement"))
        and is_count(line["events"])
        and is_count(line["not_sealed"])
        and isinstance(line["statement"], str)
    )


class History:
    def __init__(self, content):
        lines = content.decode("utf-8").split("\n")
        if lines.pop() != "":
            raise ValueError("it does not end with a line feed")
        if b"\r" in content:
            raise ValueError("it has a carriage return")
        parsed = [parse_json(line) for line in lines]
        if len(parsed) < 2 or not is_header(parsed[0]) or not is_footer(parsed[-1]):
            raise ValueError("its first or last line is not what it should be")
        self.header, self.footer = parsed[0], parsed[-1]
        between = parsed[1:-1]
        count = next((at for at, line in enumerate(between) if not is_event_line(line)), len(between))
        self.lines, self.streams = between[:count], between[count:]
        if not all(is_stream_line(line) for line in self.streams):
            raise ValueError("a line is not what it should be")
        self.events = [line["event"] for line in self.lines]


def trusted_keys(entries, known, report):
    try:
        keys = [Key(entry["verifier"], LEDGER_KEY) for entry in entries]
    except ValueError as error:
        report.problems.append(f"a key in the history: {error}")
        return []
    texts = [key.text for key in keys]
    if not keys or (known and known.text not in texts):
        report.problems.append("the history was not signed with the key that you trust")
        return []

    def signers_of(note, among):
        try:
            return Checkpoint(note).signed_by(among)
        except ValueError:
            return []

    introduced = entries[0]["introduced_by"]
    is_introduced = introduced is None or signers_of(introduced, keys[:1])
    report.demand(is_introduced, f"what introduces {keys[0].id} is not a checkpoint that it signed")

    def is_linked(later):
        signers = signers_of(entries[later]["introduced_by"] or "", keys[later - 1 : later + 1])
        return report.demand(len(signers) == 2, f"no other key vouches for {keys[later].id}")

    first = last = texts.index(known.text) if known else len(keys) - 1
    while first > 0 and is_linked(first):
        first -= 1
    while last + 1 < len(keys) and is_linked(last + 1):
        last += 1
    return keys[first : last + 1]


class Manifest:
    form = re.compile(
        r"(?P<origin>\S+)/evidence\n"
        r"shipment (?P<shipment>shp_\w+)\n"
        r"(?P<checkpoint>checkpoint [1-9]\d{0,15} [A-Za-z0-9+/]{43}=)\n"
        r"(?P<files>(?:file [A-Za-z0-9+/]{43}= [A-Za-z0-9][\w.-]*\n)+)"
        r"(?P<witnesses>(?:witness \S+\n)*)"
        r"time (?P<time>\S+)\n",
        re.ASCII,
    )

    def __init__(self, content):
        self.note = Note(content.decode("utf-8"))
        match = self.form.fullmatch(self.note.text)
        if match is None or len(self.note.signatures) != 1 or not is_time(match.group("time")):
            raise ValueError("manifest.txt is not a manifest")
        self.origin, self.shipment = match.group("origin"), match.group("shipment")
        self.checkpoint = match.group("checkpoint")
        files = [line.split(" ") for line in match.group("files").splitlines()]
        witnesses = [line.split(" ")[1] for line in match.group("witnesses").splitlines()]
        names = [name for _, _, name in files]
        for texts in (names, witnesses):
            if texts != sorted(set(texts)):
                raise ValueError("the lines of manifest.txt are out of order")
        if "manifest.txt" in names:
            raise ValueError("manifest.txt lists itself")
        self.files = {name: digest for _, digest, name in files}
        self.witnesses = [Key(text, WITNESS_KEY) for text in witnesses]


ALWAYS = ("README.md", "checkpoint.txt", "history.ndjson", "report.pdf", "verify.mjs")


def check_manifest(manifest, files, keys, report):
    signers = manifest.note.signers(keys, manifest.origin)
    report.demand(signers, "manifest.txt is not signed with a key that can be trusted")
    for name in ALWAYS:
        report.demand(name in manifest.files, f"manifest.txt does not list {name}")
    for name, digest in manifest.files.items():
        if report.demand(name in files, f"{name} is missing"):
            content = files[name]
            is_same = content is not None and base64.b64encode(sha256(content)).decode() == digest
            report.demand(is_same, f"{name} was changed")
    for name in files:
        is_listed = name == "manifest.txt" or name in manifest.files
        report.demand(is_listed, f"{name} does not belong to the bundle")


def check_events(history, checkpoint, report):
    scope = history.header["scope"]
    shipment = scope["shipment_id"]
    last_index = -1
    for place, (line, event) in enumerate(zip(history.lines, history.events)):
        first = history.events[0]

        def demand(is_right, what):
            report.demand(is_right, f"event {place} ({event['type']}): {what}")

        hashed = {name: event[name] for name in event if name not in ("position", "leaf")}
        leaf = bytes.fromhex(event["leaf"])
        demand(sha256(canonical(hashed).encode()) == leaf, "its content was changed")
        index, proof = line["leaf_index"], [bytes.fromhex(one) for one in line["proof"]]
        root = None
        if index < checkpoint.size:
            root = root_from_inclusion(sha256(b"\x00", leaf), index, checkpoint.size, proof)
        demand(root == checkpoint.root, "its proof does not lead to the checkpoint")
        demand(index > last_index, "it is out of order")
        last_index = index
        demand(event["revision"] == place, "its revision is not the next one")
        demand(event.get("correlation_id") == first.get("id"), "its correlation_id")
        demand(event.get("shipment_id") == shipment, "its shipment")
        demand(line["stream"] == "shipment-" + shipment[len("shp_") :], "its stream")
        owner = line["organization_id"]
        demand(owner == first["data"].get("organization_id"), "its organization")
        demand(scope["organization_id"] in (None, owner), "its organization and the scope")


def check_statement(history, checkpoint, keys, report):
    footer, streams = history.footer, history.streams
    report.demand(footer["events"] == len(history.events), "the history was cut off")
    expected = [
        {
            "stream": line["stream"],
            "first_revision": 0,
            "last_revision": len(history.lines) - 1,
        }
        for line in history.lines[:1]
    ]
    report.demand(streams == expected, "events are missing at the end")
    lines = "".join(f"{canonical(line)}\n" for line in streams)
    digest = base64.b64encode(sha256(lines.encode())).decode()
    text = (
        f"{checkpoint.origin}/streams\nscope {canonical(history.header['scope'])}\n"
        f"{checkpoint.line}\nstreams {len(streams)} {digest}\ntime "
    )
    try:
        note = Note(footer["statement"])
    except ValueError:
        note = None
    is_right = (
        note is not None
        and note.text.startswith(text)
        and is_time(note.text[len(text) : -1])
        and len(note.signatures) == 1
        and note.signers(keys, checkpoint.origin)
    )
    report.demand(is_right, "the signed statement is not about these events")
    if footer["not_sealed"]:
        report.notes.append(f"{footer['not_sealed']} later events were not sealed yet")


def check_witnesses(checkpoint, apart, manifest, given, report):
    texts = [witness.text for witness in given]
    listed = [one for one in (manifest.witnesses if manifest else []) if one.text not in texts]
    for witness in [*given, *listed]:
        times = [note.cosigned_at(witness) for note in (checkpoint, apart) if note]
        valid = [time for time in times if time is not None]
        if -1 in times:
            report.problems.append(f"a cosignature of {witness.name} is not valid")
        elif valid:
            # The year 9999 is the last that Python can represent.
            at = datetime.fromtimestamp(min(valid[0], 253402300799), timezone.utc).isoformat()
            report.notes.append(f"the witness {witness.name} has cosigned at {at}")
        elif witness.text in texts:
            report.undecided.append(f"the witness {witness.name} has not cosigned")
        else:
            report.notes.append(f"the witness {witness.name} has not cosigned")
    if not given:
        report.notes.append("no witness was given: the manifest's come only from the service")


def check_held(history, checkpoint, keys, held, answers, report):
    roots = {checkpoint.size: checkpoint.root}
    for entry in history.header.get("consistency", []):
        root, proof = bytes.fromhex(entry["root"]), [bytes.fromhex(one) for one in entry["proof"]]
        size = entry["size"]
        holds = is_beginning(size, root, checkpoint.size, checkpoint.root, proof)
        if report.demand(holds, f"the proof about the first {size} events does not hold"):
            roots[size] = root
    for one in held:
        name = f"your checkpoint of {one.size} events"
        old, later = sorted((one, checkpoint), key=lambda tree: tree.size)
        proofs = [proof for sizes, proof in answers if sizes == (old.size, later.size)]
        if one.origin != checkpoint.origin:
            report.problems.append(f"{name} is of another ledger")
        elif not one.signed_by(keys):
            report.problems.append(f"{name} is not signed with a key of this ledger")
        elif one.size in roots:
            report.demand(roots[one.size] == one.root, f"{name} is of another history")
        elif proofs:
            holds = any(
                is_beginning(old.size, old.root, later.size, later.root, proof) for proof in proofs
            )
            report.demand(holds, f"the proof does not lead from or to {name}")
        else:
            report.undecided.append(f"{name}: a consistency proof is needed")


def references_in(data):
    """Pairs of the member's name and the reference."""
    for name, value in data.items():
        if isinstance(value, str) and name.endswith("_ref"):
            yield name, value
        elif isinstance(value, dict):
            yield from references_in(value)


def digest_of(key, prefix, content):
    return hmac.new(key, prefix.encode() + content, hashlib.sha256).hexdigest()


def kept_items(personal, report):
    """Reference → (key of its row, content, reference of its row)."""
    kept, seen = {}, set()

    def is_new(reference):
        is_first = report.demand(reference not in seen, f"{reference} occurs twice")
        seen.add(reference)
        return is_first

    rows = [row["reference"] for row in personal["rows"]]
    report.demand(len(set(rows)) == len(rows), "a row of personal.json occurs twice")
    for row in personal["rows"]:
        for item in row["items"]:
            reference, content = item["reference"], from_base64(item["bytes"])
            is_row = reference == row["reference"]
            if not is_new(reference):
                continue
            if not report.demand(is_row or reference not in rows, f"{reference}: another row"):
                continue
            is_right = content is not None and is_stored(item, content, is_row)
            if report.demand(is_right, f"{reference} is malformed or shows something else"):
                kept[reference] = bytes.fromhex(row["commitment_key"]), content, row["reference"]
    for reference in [*personal["erased"], *personal["missing"]]:
        is_new(reference)
    return kept


def stored_json(content):
    """The object, or None; a client may have chosen the name `__proto__`."""
    try:
        value = parse_json(content.decode("utf-8"), allows_proto=True)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def is_stored(item, content, is_row):
    is_shown = "json" in item or "text" in item
    if not is_row and content[:1] == b"\x01":
        return not is_shown
    if not is_row and content[:1] != b"\x00":
        return False
    own = content if is_row else content[1:]
    value = stored_json(own)
    if value is None:
        return False
    if "text" in item:
        return item["text"].encode("utf-8") == own
    return "json" not in item or canonical(item["json"]) == canonical(value)


def is_exchange(exchange):
    names = ("request_digest", "response_digest")
    return isinstance(exchange, dict) and all(
        name in exchange and (exchange[name] is None or is_hash(exchange[name])) for name in names
    )


def body_of(response):
    """The bytes of a response; raises ValueError if it is malformed."""
    if response is None:
        return None
    if has_members(response, ("text",)) and isinstance(response["text"], str):
        return response["text"].encode()
    if has_members(response, ("base64",)) and isinstance(response["base64"], str):
        content = from_base64(response["base64"])
        if content is not None:
            return content
    raise ValueError("a response is malformed")


def check_bodies(data, kept):
    """Whether the bodies that are kept have the digests in the event."""
    if "exchanges" not in data and "exchanges_ref" not in data:
        return True
    exchanges, reference = data.get("exchanges"), data.get("exchanges_ref", 0)
    if not isinstance(exchanges, list) or not all(is_exchange(one) for one in exchanges):
        return False
    if not is_text_or_null(reference):
        return False
    if reference not in kept:
        return True
    key, content, _ = kept[reference]
    value = stored_json(content[1:]) if content[:1] == b"\x00" else None
    bodies = value.get("exchanges") if value is not None else None
    if not isinstance(bodies, list) or len(bodies) != len(exchanges):
        return False
    for exchange, entry in zip(exchanges, bodies):
        if not isinstance(entry, dict) or not {"request", "response"} <= set(entry):
            return False
        if not is_text_or_null(entry["request"]):
            return False
        request = None if entry["request"] is None else entry["request"].encode()
        pairs = (
            (exchange["request_digest"], request),
            (exchange["response_digest"], body_of(entry["response"])),
        )
        for digest, body in pairs:
            if digest != (None if body is None else digest_of(key, "body\n", body)):
                return False
    return True


def check_announced(data, announced):
    """Whether each request to make a guide is the one that was recorded before it was sent."""
    operation = data.get("operation_id")
    if not isinstance(operation, str) or operation not in announced:
        return True
    # None: the person was erased before the answer came.
    return all(
        one["request_digest"] in (None, announced[operation])
        for one in data.get("exchanges", [])
        if one.get("call") == "create"
    )


def is_list_of_texts(value):
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def is_item(item):
    return (
        has_members(item, ("reference", "kind", "bytes"), ("json", "text"))
        and all(isinstance(item[name], str) for name in ("reference", "kind", "bytes"))
        and isinstance(item.get("json", {}), dict)
        and isinstance(item.get("text", ""), str)
        and not {"json", "text"} <= set(item)
    )


def is_personal(value):
    return (
        has_members(value, ("shipment_id", "rows", "erased", "missing"))
        and isinstance(value["shipment_id"], str)
        and isinstance(value["rows"], list)
        and is_list_of_texts(value["erased"])
        and is_list_of_texts(value["missing"])
        and all(
            has_members(row, ("reference", "commitment_key", "items"))
            and isinstance(row["reference"], str)
            and is_hash(row["commitment_key"])
            and isinstance(row["items"], list)
            and all(is_item(item) for item in row["items"])
            for row in value["rows"]
        )
    )


def erasures_in(events):
    """Whether the person was erased, and the place of the last erasure that included notes."""
    erased = [at for at, event in enumerate(events) if event["type"] == "PersonalDataErased"]
    notes = [at for at in erased if events[at]["data"].get("includes_notes") is True]
    return len(erased) > 0, max(notes, default=-1)


def is_erased_by(erasures, place, name, is_committed):
    """Whether an erasure explains that what an event left in the vault is gone."""
    person, notes_at = erasures
    return notes_at > place if is_committed and name in NOTE_MEMBERS else person


def check_personal(content, history, report):
    try:
        personal = parse_json(content.decode("utf-8"))
        if not is_personal(personal):
            raise ValueError
    except ValueError:
        report.problems.append("personal.json is malformed")
        return
    kept = kept_items(personal, report)
    shipment = history.header["scope"]["shipment_id"]
    report.demand(personal["shipment_id"] == shipment, "personal.json is about another shipment")
    erasures = erasures_in(history.events)
    named, matching = set(), 0
    request_row = history.events[0]["data"].get("vault_ref") if history.events else None
    # Operation → the digest of the body that was to be sent.
    announced = {}
    for place, event in enumerate(history.events):
        if event["type"] == "PersonalDataErased":
            continue
        data, where = event["data"], f"event {place} ({event['type']})"
        commitments = data.get("commitments", {})
        if not report.demand(isinstance(commitments, dict), f"the commitments of {where}"):
            continue
        for name, reference in references_in(data):
            named.add(reference)
            is_committed = reference in commitments
            is_erased = is_erased_by(erasures, place, name, is_committed)
            row = reference if name in ("vault_ref", *NOTE_MEMBERS) else request_row
            if "commitments" in data and not is_committed:
                report.problems.append(f"{where} does not commit to {reference}")
            elif reference not in kept:
                if not is_erased or reference in personal["missing"]:
                    report.undecided.append(f"personal.json does not have {reference} of {where}")
            elif is_erased:
                report.problems.append(f"{reference} of {where} is there after its erasure")
            elif is_committed and kept[reference][2] != row:
                report.problems.append(f"{reference} of {where} lies in another row")
            elif is_committed:
                key, stored, _ = kept[reference]
                is_same = digest_of(key, f"vault {reference}\n", stored) == commitments[reference]
                report.demand(is_same, f"{reference} is not what {where} committed to")
                matching += is_same
            else:
                report.notes.append(f"{reference} of {where} is from before there were commitments")
        try:
            are_right = check_bodies(data, kept)
        except ValueError:
            are_right = False
        if report.demand(are_right, f"the bodies are not those of {where}"):
            is_announced = check_announced(data, announced)
            report.demand(is_announced, f"a request of {where} is not the one that was announced")
        if event["type"] == "GuideRequested" and "request_digest" in data:
            if isinstance(data.get("operation_id"), str):
                announced[data["operation_id"]] = data["request_digest"]
    rows = [row["reference"] for row in personal["rows"]]
    for reference in {*rows, *kept, *personal["erased"], *personal["missing"]}:
        report.demand(reference in named, f"no event names {reference}")
    report.notes.append(f"{matching} entries of personal.json are what the events committed to")


# ---- The whole bundle ----------------------------------------------------------------------------


def verify(files, known, witnesses, held, answers):
    report = Report()

    def read(name, reader):
        if files.get(name) is None:
            report.problems.append(f"{name} is missing or damaged")
            return None
        try:
            return reader(files[name])
        except (ValueError, KeyError, TypeError) as error:
            report.problems.append(f"{name} cannot be read: {error}")
            return None

    history = read("history.ndjson", History)
    keys = trusted_keys(history.header["keys"], known, report) if history else []
    manifest = read("manifest.txt", Manifest)
    apart = read("checkpoint.txt", lambda content: Checkpoint(content.decode("utf-8")))
    if manifest:
        check_manifest(manifest, files, keys, report)
    if history is None:
        return report
    try:
        checkpoint = Checkpoint(history.header["checkpoint"])
    except ValueError:
        checkpoint = None
    if checkpoint is None or not checkpoint.signed_by(keys):
        report.problems.append("the checkpoint is not signed with a key that can be trusted")
        return report
    if apart:
        is_same = apart.text == checkpoint.text and apart.signed_by(keys)
        report.demand(is_same, "checkpoint.txt is not the checkpoint of the history")
    if manifest:
        shipment = history.header["scope"]["shipment_id"]
        report.demand(manifest.origin == checkpoint.origin, "the manifest is of another ledger")
        report.demand(manifest.checkpoint == checkpoint.line, "the manifest: another checkpoint")
        report.demand(manifest.shipment == shipment, "the manifest is about another shipment")
    check_events(history, checkpoint, report)
    check_statement(history, checkpoint, keys, report)
    is_copy = apart and apart.text == checkpoint.text
    check_witnesses(checkpoint, apart if is_copy else None, manifest, witnesses, report)
    check_held(history, checkpoint, keys, held, answers, report)
    if not history.events:
        report.undecided.append("the history has no events")
    if "personal.json" in files:
        check_personal(files["personal.json"] or b"", history, report)
    if not known:
        report.notes.append(f"compare the key with the one that you know: {keys[-1].text}")
    return report


def read_bundle(path):
    """Name → content, or None for what is damaged or not a file."""
    if os.path.isdir(path):
        files = {}
        for name in os.listdir(path):
            inside = os.path.join(path, name)
            files[name] = None
            if os.path.isfile(inside) and not os.path.islink(inside):
                files[name] = read_file(inside)
        return files
    return read_zip(read_file(path))


ZIP_IS_BROKEN = (
    "the ZIP file is damaged or was not written by the service; unpack it and check the folder"
)
# How hard it was packed, and that names are in UTF-8.
HARMLESS_FLAGS = 0x0806


def read_zip(content):
    """The entries follow each other from the first byte, then the directory, then its end record."""
    try:
        return zip_entries(content)
    except (ValueError, struct.error, zlib.error) as error:
        raise Unreadable(ZIP_IS_BROKEN) from error


def zip_entries(content):
    def demand(is_right):
        if not is_right:
            raise ValueError("it is not as it should be")

    end = len(content) - 22
    demand(end >= 0)
    sign, disks, here, count, length, directory, comment = struct.unpack_from("<4sIHHIIH", content, end)
    demand(sign == b"PK\x05\x06" and disks == 0 and here == count and comment == 0)
    demand(directory + length == end)
    files, at, following, total = {}, directory, 0, 0
    for _ in range(count):
        demand(content[at : at + 4] == b"PK\x01\x02")
        demand(content[following : following + 4] == b"PK\x03\x04")
        flags, method, _, crc, packed_size, size, name_length = struct.unpack_from(
            "<HHIIIIH", content, at + 8
        )
        extra_and_comment, disk = struct.unpack_from("<IH", content, at + 30)
        (local,) = struct.unpack_from("<I", content, at + 42)
        demand(extra_and_comment == 0 and disk == 0 and local == following)
        demand(content[local + 4 : local + 30] == content[at + 6 : at + 32])
        name = content[at + 46 : at + 46 + name_length]
        begin = local + 30 + name_length
        demand(content[local + 30 : begin] == name and flags & ~HARMLESS_FLAGS == 0)
        total += size
        demand(total <= BUNDLE_BYTES_MAX and name.decode("latin-1") not in files)
        following = begin + packed_size
        packed = content[begin:following]
        demand(method in (0, 8))
        unpacked = packed if method == 0 else inflated(packed, size)
        demand(len(unpacked) == size and zlib.crc32(unpacked) == crc)
        files[name.decode("latin-1")] = unpacked
        at += 46 + name_length
    demand(at == end and following == directory)
    return files


def inflated(packed, size):
    inflate = zlib.decompressobj(-15)
    content = inflate.decompress(packed, size + 1)
    if not inflate.eof or inflate.unused_data or inflate.unconsumed_tail:
        raise ValueError("it is longer than it says, or something follows")
    return content


def read_file(path):
    if os.path.getsize(path) > BUNDLE_BYTES_MAX:
        raise Unreadable(f"{path} is too large")
    with open(path, "rb") as file:
        return file.read()


def read_held(path):
    """The checkpoints in a file, and whether more is damaged than a crash of the service does."""
    text = read_file(path).decode("utf-8-sig", errors="replace").replace("\r\n", "\n").strip()
    if text.startswith("{"):
        text = str(json.loads(text).get("note")).strip()
    found, is_damaged, is_cut, head = [], False, False, None
    for part in re.split(r"\n{2,}", text):
        is_cut = not part.startswith("— ") or not all(map(is_whole, part.split("\n")))
        if not part.startswith("— "):
            head = part
            continue
        try:
            one = None if head is None or is_cut else Checkpoint(f"{head}\n\n{part}\n")
        except ValueError:
            one = None
        if one is not None and one.size > 0:
            found.append(one)
        elif head is None or not is_cut:
            is_damaged = True
        head = None
    if not found:
        raise Unreadable(f"{path} holds no signed checkpoint")
    return found, is_damaged or is_cut


def is_whole(line):
    """Whether a line is as long as a signature line: one that was cut off is not."""
    content = from_base64((line.split(" ") + ["", ""])[2])
    return content is not None and len(content) >= 4 + 64


def read_answer(path):
    answer = parse_json(read_file(path).decode("utf-8-sig"))
    is_answer = isinstance(answer, dict) and is_proof(answer.get("hashes"))
    sizes = (answer.get("from_size"), answer.get("to_size")) if is_answer else ()
    if not is_answer or not all(is_count(size) and size > 0 for size in sizes):
        raise Unreadable(f"{path} is not an answer of GET /v1/ledger/consistency")
    return sizes, [bytes.fromhex(one) for one in answer["hashes"]]


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(64, f"{message}\n")


def main(arguments_given=None):
    sys.setrecursionlimit(10_000)
    description = "Checks a bundle of evidence about one shipment, offline."
    arguments = Arguments(description=description, allow_abbrev=False)
    arguments.add_argument("bundle")
    arguments.add_argument(
        "--key", action="append", default=[], type=lambda text: Key(text, LEDGER_KEY)
    )
    arguments.add_argument(
        "--witness", action="append", default=[], type=lambda text: Key(text, WITNESS_KEY)
    )
    arguments.add_argument("--checkpoint", action="append", default=[])
    arguments.add_argument("--consistency", action="append", default=[])
    given = arguments.parse_args(arguments_given)
    if len(given.key) > 1:
        arguments.error("--key was given twice")
    if given.consistency and not given.checkpoint:
        arguments.error("--consistency is for use with --checkpoint")
    known = given.key[0] if given.key else None
    try:
        files = read_bundle(given.bundle)
        read = [(path, *read_held(path)) for path in given.checkpoint]
        held = [one for _, found, _ in read for one in found]
        answers = [read_answer(path) for path in given.consistency]
        report = verify(files, known, given.witness, held, answers)
        for path, _, is_damaged in read:
            if is_damaged:
                report.undecided.append(f"{path} was cut off or damaged")
    except (OSError, ValueError, Unreadable) as error:
        print(f"It could not be checked: {error}", file=sys.stderr)
        return 2
    verdicts = ("Nothing is wrong.", "Something is wrong:", "It could not be decided:")
    print(verdicts[report.exit_code])
    for text in report.problems + report.undecided + report.notes:
        print("- " + "".join(one if one.isprintable() else "?" for one in text))
    return report.exit_code


if __name__ == "__main__":
    sys.exit(main())
