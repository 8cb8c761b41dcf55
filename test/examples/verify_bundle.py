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
import subprocess
import sys
import tempfile
import zipfile
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


def parse_json(text):
    def members(pairs):
        names = [name for name, _ in pairs]
        if len(set(names)) < len(names) or "__proto__" in names:
            raise ValueError("an object has a name twice, or one that is not allowed")
        return dict(pairs)

    def refuse(constant):
        raise ValueError(f"{constant} is not JSON")

    return json.loads(text, object_pairs_hook=members, parse_constant=refuse)


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
NOTES_OF_OPERATIONS = ("OperationResolved", "OperationCommented")


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

    def signer(self, keys, name):
        """The first of the keys of that name that signed it, or None."""
        for key in keys:
            for signature_name, key_id, content in self.signatures:
                is_named = key.name == name == signature_name and key.id == key_id
                if is_named and is_ed25519(key.public_key, self.text.encode(), content):
                    return key
        return None

    def cosigned_at(self, witness):
        """Seconds since 1970; None = not cosigned; -1 = the cosignature is not valid."""
        result = None
        for name, key_id, content in self.signatures:
            if (name, key_id) != (witness.name, witness.id):
                continue
            result = -1
            seconds = int.from_bytes(content[:8], "big")
            text = f"cosignature/v1\ntime {seconds}\n{self.text}".encode()
            if len(content) == 72 and is_ed25519(witness.public_key, text, content[8:]):
                return seconds
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

    def is_signed(self, keys):
        return self.signer(keys, self.origin) is not None


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
        and isinstance(line["scope"]["shipment_id"], str)
        and line["scope"]["from"] is None
        and line["scope"]["to"] is None
        and isinstance(line["checkpoint"], str)
        and isinstance(line["keys"], list)
        and all(
            has_members(key, ("verifier", "introduced_by")) and isinstance(key["verifier"], str)
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


def is_event_line(line):
    members = ("stream", "organization_id", "leaf_index", "proof", "event")
    if not has_members(line, members) or not isinstance(line["event"], dict):
        return False
    event = line["event"]
    return (
        is_count(line["leaf_index"])
        and is_proof(line["proof"])
        and is_count(event.get("revision"))
        and is_hash(event.get("leaf"))
        and isinstance(event.get("data"), dict)
        and isinstance(event.get("type"), str)
        and all(is_time(event.get(name)) for name in ("recorded_at", "occurred_at", "created_at"))
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

    def is_linked(later):
        try:
            note = Checkpoint(entries[later]["introduced_by"] or "")
        except ValueError:
            note = None
        pair = keys[later - 1], keys[later]
        is_signed = note is not None and all(note.is_signed([key]) for key in pair)
        return report.demand(is_signed, f"no other key vouches for {keys[later].id}")

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
        r"(?P<files>(?:file [A-Za-z0-9+/]{43}= [\w.-]+\n)+)"
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
    signer = manifest.note.signer(keys, manifest.origin)
    report.demand(signer, "manifest.txt is not signed with a key that can be trusted")
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
            "stream": history.lines[0]["stream"],
            "first_revision": 0,
            "last_revision": len(history.lines) - 1,
        }
    ]
    report.demand(streams == (expected if history.lines else []), "events are missing at the end")
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
        and note.signer(keys, checkpoint.origin)
    )
    report.demand(is_right, "the signed statement is not about these events")
    if footer["not_sealed"]:
        report.notes.append(f"{footer['not_sealed']} later events were not sealed yet")


def check_witnesses(checkpoint, apart, manifest, given, report):
    for witness in given or (manifest.witnesses if manifest else []):
        times = [note.cosigned_at(witness) for note in (checkpoint, apart) if note]
        valid = [time for time in times if time is not None and time >= 0]
        if valid:
            # The year 9999 is the last that Python can represent.
            at = datetime.fromtimestamp(min(valid[0], 253402300799), timezone.utc).isoformat()
            report.notes.append(f"the witness {witness.name} has cosigned at {at}")
        elif -1 in times:
            report.problems.append(f"the cosignature of {witness.name} is not valid")
        elif given:
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
        elif not one.is_signed(keys):
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
    for name, value in data.items():
        if isinstance(value, str) and name.endswith("_ref"):
            yield value
        elif isinstance(value, dict):
            yield from references_in(value)


def digest_of(key, prefix, content):
    return hmac.new(key, prefix.encode() + content, hashlib.sha256).hexdigest()


def kept_items(personal, report):
    """Reference → (key of its row, content)."""
    kept = {}
    for row in personal["rows"]:
        for item in row["items"]:
            reference, content = item["reference"], from_base64(item["bytes"])
            if not report.demand(content is not None, f"{reference}: its bytes are malformed"):
                continue
            report.demand(reference not in kept, f"{reference} occurs twice")
            is_row = reference == row["reference"]
            report.demand(is_readable(item, content, is_row), f"{reference} shows something else")
            kept[reference] = bytes.fromhex(row["commitment_key"]), content
    return kept


def is_readable(item, content, is_row):
    if "json" not in item and "text" not in item:
        return True
    if not is_row and content[:1] != b"\x00":
        return False
    own = content[0 if is_row else 1 :].decode("utf-8")
    if "text" in item:
        return item["text"] == own and "json" not in item
    return canonical(item["json"]) == canonical(json.loads(own))


def check_bodies(exchanges, key, content):
    kept = parse_json(content[1:].decode("utf-8"))["exchanges"]
    if len(kept) != len(exchanges):
        return False
    for exchange, bodies in zip(exchanges, kept):
        response = bodies["response"]
        if response is not None:
            response = response["text"].encode() if "text" in response else from_base64(response["base64"])
        pairs = (
            (exchange["request_digest"], bodies["request"].encode()),
            (exchange["response_digest"], response),
        )
        for digest, body in pairs:
            expected = None if body is None else digest_of(key, "body\n", body)
            if digest != expected:
                return False
    return True


def is_personal(value):
    return (
        has_members(value, ("shipment_id", "rows", "erased", "missing"))
        and all(isinstance(value[name], list) for name in ("rows", "erased", "missing"))
        and all(
            has_members(row, ("reference", "commitment_key", "items"))
            and is_hash(row["commitment_key"])
            and isinstance(row["items"], list)
            and all(
                has_members(item, ("reference", "kind", "bytes"), ("json", "text"))
                and isinstance(item["reference"], str)
                and isinstance(item["bytes"], str)
                for item in row["items"]
            )
            for row in value["rows"]
        )
    )


def check_personal(content, history, report):
    try:
        personal = parse_json(content.decode("utf-8"))
        if not is_personal(personal):
            raise ValueError
        kept = kept_items(personal, report)
    except ValueError:
        report.problems.append("personal.json is malformed")
        return
    shipment = history.header["scope"]["shipment_id"]
    report.demand(personal["shipment_id"] == shipment, "personal.json is about another shipment")
    erasures = [event for event in history.events if event["type"] == "PersonalDataErased"]
    named, matching = set(), 0
    for place, event in enumerate(history.events):
        if event["type"] == "PersonalDataErased":
            continue
        data, where = event["data"], f"event {place} ({event['type']})"
        commitments = data.get("commitments", {})
        for reference in references_in(data):
            named.add(reference)
            if reference in kept:
                if reference in commitments:
                    key, stored = kept[reference]
                    is_same = digest_of(key, f"vault {reference}\n", stored) == commitments[reference]
                    report.demand(is_same, f"{reference} is not what {where} committed to")
                    matching += is_same
                continue
            is_note = event["type"] in NOTES_OF_OPERATIONS and reference in commitments
            is_erased = any(not is_note or one["data"].get("includes_notes") for one in erasures)
            if not is_erased or reference in personal["missing"]:
                report.undecided.append(f"personal.json does not have {reference} of {where}")
        if data.get("exchanges_ref") in kept:
            try:
                is_right = check_bodies(data["exchanges"], *kept[data["exchanges_ref"]])
            except (ValueError, KeyError, TypeError):
                is_right = False
            report.demand(is_right, f"the bodies are not those of {where}")
    for reference in kept:
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
    if checkpoint is None or not checkpoint.is_signed(keys):
        report.problems.append("the checkpoint is not signed with a key that can be trusted")
        return report
    if apart:
        is_same = apart.text == checkpoint.text and apart.is_signed(keys)
        report.demand(is_same, "checkpoint.txt is not the checkpoint of the history")
    if manifest:
        shipment = history.header["scope"]["shipment_id"]
        report.demand(manifest.origin == checkpoint.origin, "the manifest is of another ledger")
        report.demand(manifest.checkpoint == checkpoint.line, "the manifest: another checkpoint")
        report.demand(manifest.shipment == shipment, "the manifest is about another shipment")
    check_events(history, checkpoint, report)
    check_statement(history, checkpoint, keys, report)
    check_witnesses(checkpoint, apart, manifest, witnesses, report)
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
    files = {}
    with zipfile.ZipFile(path) as bundle:
        if sum(entry.file_size for entry in bundle.infolist()) > BUNDLE_BYTES_MAX:
            raise Unreadable(f"{path} is too large")
        for entry in bundle.infolist():
            if entry.filename in files:
                raise Unreadable(f"{path} has {entry.filename} twice")
            try:
                files[entry.filename] = bundle.read(entry)
            except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError):
                files[entry.filename] = None
    return files


def read_file(path):
    if os.path.getsize(path) > BUNDLE_BYTES_MAX:
        raise Unreadable(f"{path} is too large")
    with open(path, "rb") as file:
        return file.read()


def read_held(path):
    """The checkpoints in a file, and whether it ends in the middle of one."""
    text = read_file(path).decode("utf-8-sig").replace("\r\n", "\n").strip()
    if text.startswith("{"):
        text = str(json.loads(text).get("note")).strip()
    parts = re.split(r"\n{2,}", text)
    found, is_cut = [], True
    for before, part in zip([""] + parts, parts):
        try:
            one = Checkpoint(f"{before}\n\n{part}\n") if part.startswith("— ") else None
        except ValueError:
            one = None
        is_cut = one is None or one.size == 0
        if not is_cut:
            found.append(one)
    if not found:
        raise Unreadable(f"{path} holds no signed checkpoint")
    return found, is_cut


def read_answer(path):
    answer = parse_json(read_file(path).decode("utf-8"))
    if not isinstance(answer, dict) or not is_proof(answer.get("hashes")):
        raise Unreadable(f"{path} is not an answer of GET /v1/ledger/consistency")
    proof = [bytes.fromhex(one) for one in answer["hashes"]]
    return (answer.get("from_size"), answer.get("to_size")), proof


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(64, f"{message}\n")


def main(arguments_given=None):
    arguments = Arguments(description="Checks a bundle of evidence about one shipment, offline.")
    arguments.add_argument("bundle")
    arguments.add_argument("--key", type=lambda text: Key(text, LEDGER_KEY))
    arguments.add_argument(
        "--witness", action="append", default=[], type=lambda text: Key(text, WITNESS_KEY)
    )
    arguments.add_argument("--checkpoint", action="append", default=[])
    arguments.add_argument("--consistency", action="append", default=[])
    given = arguments.parse_args(arguments_given)
    try:
        files = read_bundle(given.bundle)
        read = [(path, *read_held(path)) for path in given.checkpoint]
        held = [one for _, found, _ in read for one in found]
        answers = [read_answer(path) for path in given.consistency]
        report = verify(files, given.key, given.witness, held, answers)
        for path, _, is_cut in read:
            if is_cut:
                report.undecided.append(f"{path} ends in the middle of a checkpoint")
    except (OSError, ValueError, zipfile.BadZipFile, Unreadable) as error:
        print(f"It could not be checked: {error}", file=sys.stderr)
        return 2
    verdicts = ("Nothing is wrong.", "Something is wrong:", "It could not be decided:")
    print(verdicts[report.exit_code])
    for text in report.problems + report.undecided + report.notes:
        print("- " + "".join(one if one.isprintable() else "?" for one in text))
    return report.exit_code


if __name__ == "__main__":
    sys.exit(main())
