"""A complete connector: translates the courier connector protocol into one courier's own API.

COURIER_URL=http://127.0.0.1:4100 CONNECTOR_TOKEN=secret python3 connector.py 4000
"""

import json
import os
import sys
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.request import Request, urlopen

COURIER_URL = os.environ.get("COURIER_URL", "http://127.0.0.1:4100")
TOKEN = os.environ.get("CONNECTOR_TOKEN")
# The ledger gives up after 10 s, so the courier gets less.
COURIER_SECONDS = 8
BODY_MAX = 96 * 1024
CURRENCY = "PEN"
SERVICE = {"mode": "terrestrial", "payer": "sender"}


def success(**body):
    return 200, {"success": True, **body}


def refusal(code, status=200, **more):
    """Understood, and certainly not executed."""
    return status, {"success": False, "code": code, **more}


TOO_LATE = refusal("too_late", status=412, executed=False)

# The courier's refusals, by our codes.
REFUSALS = {
    "BAD_OFFICE": "unknown_agency",
    "BAD_BOX": "unknown_package_product",
    "TOO_HEAVY": "package_exceeds_product",
    "NO_ORDER": "guide_not_found",
}


class Refused(Exception):
    """Ends a call early, with its answer."""

    def __init__(self, answer):
        super().__init__("refused")
        self.answer = answer


# Only after these two calls it may be unknown what the courier did: then `courier` raises a plain
# error, which becomes 500. Another call that fails has executed nothing.
EXECUTING = {"place", "void"}


def courier(path, key="", **body):
    """Calls the courier once."""
    headers = {"content-type": "application/json", "x-api-key": key}
    request = Request(f"{COURIER_URL}/{path}", json.dumps(body).encode(), headers, method="POST")
    try:
        with urlopen(request, timeout=COURIER_SECONDS) as response:
            answer = response.read()
            is_file = response.headers["content-type"] == "application/pdf"
            return answer if is_file else json.loads(answer)
    except HTTPError as error:
        if error.code == 403:
            raise Refused(refusal("credentials_refused", status=401)) from error
        if error.code in (404, 422):
            code = REFUSALS.get(json.load(error)["error"], "refused_by_courier")
            raise Refused(refusal(code)) from error
        failure = error
    except (OSError, ValueError) as error:
        failure = error
    if path in EXECUTING:
        raise failure
    raise Refused(refusal("courier_unavailable", status=429)) from failure


def key_of(body):
    return body.get("credentials", {}).get("api_key", "")


def own_order(body, key):
    """The courier's own order, if it is under this reference."""
    for one in courier("search", key, ref=body["client_reference"])["orders"]:
        if one["order"] == body["guide_number"]:
            return one["order"]
    raise Refused(refusal("guide_not_found"))


def parcel_of(body):
    parcel = body["package"]
    asked = {
        "from": body["origin"]["agency_code"],
        "to": body["destination"]["agency_code"],
        "sku": parcel["product_code"],
        "kilos": parcel["weight_kg"] * parcel["quantity"],
    }
    # The courier charges for what it collects from the recipient.
    collected = body.get("cash_on_delivery")
    if collected is not None:
        if collected["currency"] != CURRENCY:
            raise Refused(refusal("currency_not_accepted", message=f"We collect {CURRENCY} only."))
        asked["collect"] = collected["amount"]
    return asked


def money(amount):
    return {"amount": amount, "currency": CURRENCY}


def guide_of(order):
    return {
        "guide_number": order["order"],
        "pickup_code": order["pin"],
        "price": money(order["cents"]),
        "status": "active" if order["state"] == "OPEN" else "cancelled",
    }


def is_late(body):
    """Asked just before the call that executes: nothing may be made after `not_after`."""
    return datetime.now(timezone.utc) > datetime.fromisoformat(body["not_after"])


def describe(_body, _key):
    names = ["find", "cancel", "tracking", "label", "quote", "cash_on_delivery", "recipient_phone"]
    capabilities = {name: True for name in names}
    fields = [{"name": "api_key", "label": "API key", "secret": True, "required": True}]
    courier_is = {"name": "Example courier", "capabilities": capabilities}
    return 200, {"protocol": "v1", **courier_is, "credential_fields": fields}


def agencies(_body, _key):
    def agency(office, title, street, **place):
        capabilities = ["drop_off", "pickup"]
        return dict(place, code=office, name=title, address=street, capabilities=capabilities)

    return success(agencies=[agency(**office) for office in courier("offices")["offices"]])


def package_products(_body, _key):
    def product(sku, label, kilos, cm):
        length, width, height = (size / 100 for size in cm)
        sizes = {"max_length_m": length, "max_width_m": width, "max_height_m": height}
        return {"code": sku, "name": label, "max_weight_kg": kilos, **sizes}

    return success(package_products=[product(**box) for box in courier("boxes")["boxes"]])


def quote(body, key):
    asked = body["service"] or SERVICE
    if asked != SERVICE:
        unserved = {"service": asked, "reason": "not_served", "text": None}
        return success(rates=[], errors=[unserved])
    price = courier("price", key, **parcel_of(body))
    rate = {
        "service": SERVICE,
        "price": money(price["cents"]),
        "breakdown": [{"code": "freight", "amount": price["cents"]}],
        "transit_days": {"min": price["days"][0], "max": price["days"][1]},
    }
    return success(rates=[rate], errors=[])


def create_guide(body, key):
    if body["service"] != SERVICE:
        return refusal("unknown_service")
    parcel = parcel_of(body)
    price = money(courier("price", key, **parcel)["cents"])
    if body["quoted_amount"] not in (None, price):
        return refusal("quote_price_changed", price=price)
    person = body["recipient"]
    name = f"{person['first_name']} {person['last_name']}"
    recipient = {"name": name, "document": person["document"], "contents": body["declared_content"]}
    if "phone" in person:
        recipient["mobile"] = person["phone"]
    if is_late(body):
        return TOO_LATE
    order = courier("place", key, ref=body["client_reference"], **parcel, **recipient)
    return success(guide=guide_of(order))


def find_guides(body, key):
    if "client_reference" not in body:
        return refusal("invalid_request")
    orders = courier("search", key, ref=body["client_reference"])["orders"]
    shown = [one for one in orders if body.get("include_cancelled") or one["state"] == "OPEN"]
    return success(guides=[guide_of(one) for one in shown])


def cancel_guide(body, key):
    order = own_order(body, key)
    if is_late(body):
        return TOO_LATE
    courier("void", key, order=order)
    return success()


TRACKING_CODES = {"PLACED": "registered"}


def track(body, key):
    def event(what, when):
        code = TRACKING_CODES.get(what, what.lower())
        more = {"agency_code": None, "action_required": False}
        return {"id": None, "code": code, "occurred_at": when, "text": what, **more}

    scans = courier("history", key, order=own_order(body, key))["scans"]
    return success(eta=None, events=[event(**scan) for scan in scans])


def label(body, key):
    return 200, courier("label", key, order=own_order(body, key))


ROUTES = {
    "GET /": describe,
    "GET /agencies": agencies,
    "GET /package-products": package_products,
    "POST /credentials/verify": lambda _body, key: success(**courier("account", key)),
    "POST /quotes": quote,
    "POST /guides": create_guide,
    "POST /guides/find": find_guides,
    "POST /guides/cancel": cancel_guide,
    "POST /guides/tracking": track,
    "POST /guides/label": label,
}


class Connector(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        try:
            status, body = self.answer()
        except Refused as refused:
            status, body = refused.answer
        except Exception as error:  # The ledger takes 500 as: it may have been executed.
            # Log nothing of the request: it holds credentials and a person's data.
            print(f"{self.path}: {type(error).__name__}", file=sys.stderr)
            status, body = 500, {"success": False}
        is_file = isinstance(body, bytes)
        sent = body if is_file else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/pdf" if is_file else "application/json")
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    do_POST = do_GET

    def answer(self):
        length = int(self.headers.get("content-length", 0))
        route = ROUTES.get(f"{self.command} {self.path}")
        if length > BODY_MAX:
            self.close_connection = True
            return refusal("invalid_request")
        text = self.rfile.read(length)
        if TOKEN is not None and self.headers.get("authorization") != f"Bearer {TOKEN}":
            return refusal("not_allowed", status=403)
        try:
            body = json.loads(text or "{}")
        except ValueError:
            return refusal("invalid_request")
        return refusal("invalid_request") if route is None else route(body, key_of(body))

    def log_message(self, *_arguments):
        """Nothing is logged for each request."""


port = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
server = ThreadingHTTPServer(("127.0.0.1", port), Connector)
print(f"connector ready, port: {server.server_port}", flush=True)
server.serve_forever()
