"""A shop that ships each order once, whatever fails and whenever it is killed.

The table of orders is also its queue: `due` counts the reasons to ship an order or to go on.
"""

import collections, contextlib, json, os, pathlib, signal, sqlite3, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, unquote

from shipping_ledger import Client, ShippingLedgerError, WebhookRefused, is_newer, verify_webhook

env = os.environ
client = Client(env["SHIPPING_LEDGER_URL"], env["SHIPPING_LEDGER_KEY"])
account = {"workspace_id": env["WORKSPACE_ID"], "courier_connection_id": env["CONNECTION_ID"]}
data = pathlib.Path(env["SHOP_DATA"])
(data / "labels").mkdir(parents=True, exist_ok=True)
storing, at_once = threading.Lock(), threading.Semaphore(20)
shipping = collections.defaultdict(threading.Lock)


def sql(statement, *values):
    """Runs a statement, which is a transaction of its own."""
    with contextlib.closing(sqlite3.connect(data / "shop.db", timeout=60, isolation_level=None)) as db:
        db.row_factory = sqlite3.Row
        return db.execute(statement, values).fetchall()


def find(order_id):
    for order in sql("SELECT * FROM orders WHERE id = ?", order_id):
        texts = {name: json.loads(order[name]) for name in ("label", "request", "shipment")}
        return {**order, **texts, "key": f"{order_id}-{order['attempt']}"}


def store(shipment, _operation=None):
    """Stores a shipment from an answer or a webhook, unless a newer version is known."""
    with storing:
        order = find(shipment["external_reference"])
        if order and order["key"] == shipment["idempotency_key"] and is_newer(order["shipment"], shipment):
            sql("UPDATE orders SET shipment = ? WHERE id = ?", json.dumps(shipment), order["id"])


def add_reason(order_id):
    for _ours in sql("UPDATE orders SET due = due + 1 WHERE id = ? RETURNING id", order_id):
        threading.Thread(target=ship, args=[order_id], daemon=True).start()


def ship(order_id):
    with shipping[order_id], at_once:
        due, action = find(order_id)["due"], "same_key"
        while action in ("same_key", "follow", "new_key"):
            action = try_to_ship(find(order_id))
        sql("UPDATE orders SET action = ?, due = due - ? WHERE id = ?", action, due, order_id)


def try_to_ship(order):
    """Returns what is to be done about the order; None if nothing."""
    end = client.ensure_shipped(order["key"], order["request"], on_change=store)
    if end.kind == "created":
        return save_label(order["id"], end.shipment["id"])
    if end.kind == "nothing_created" and order["attempt"] < 3:
        # The attempt, which is part of the key, is stored before the key is used.
        sql("UPDATE orders SET attempt = attempt + 1, shipment = 'null' WHERE id = ?", order["id"])
        return "new_key"
    return {"rejected": "fix", "nothing_created": "person"}.get(end.kind) or end.action


def save_label(order_id, shipment_id):
    """Writes the file first: it is whole if `label` is true."""
    try:
        pdf = client.documents.get_label(id=shipment_id, format="pdf", wait=False)
    except ShippingLedgerError as error:
        # The webhook `label.ready` comes when it is.
        return None if error.reason == "label_not_ready" else error.action
    (data / "labels" / f"{quote(order_id, safe='')}.pdf").write_bytes(pdf)
    sql("UPDATE orders SET label = 'true' WHERE id = ?", order_id)


def receive(event):
    """A repeated or late event is harmless, because only a higher version is stored."""
    if event["resource"]["type"] in ("shipment", "tracking"):
        store(client.shipments.get(id=event["resource"]["id"]))
    if event["type"] in ("label.ready", "operation.resolved", "shipment.reconciled"):
        add_reason(event["data"]["object"]["external_reference"])


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        order = find(unquote(self.path.removeprefix("/orders/")))
        self.answer(200 if order else 404, order)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path == "/orders":
            order = json.loads(body)
            request = json.dumps({**order["shipment"], **account, "external_reference": order["id"]})
            sql("INSERT OR IGNORE INTO orders (id, request) VALUES (?, ?)", order["id"], request)
            add_reason(order["id"])
            return self.answer(202, {"id": order["id"]})
        try:
            receive(verify_webhook(body, dict(self.headers), env["WEBHOOK_SECRET"]))
            self.answer(204)
        except (WebhookRefused, ShippingLedgerError):
            self.answer(400)

    def answer(self, status, value=None):
        self.send_response_only(status)
        self.end_headers()
        self.wfile.write(json.dumps(value).encode() if value else b"")


sql("CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, request TEXT, attempt INT DEFAULT 1, "
    "due INT DEFAULT 0, action TEXT, label TEXT DEFAULT 'false', shipment TEXT DEFAULT 'null')")
for order in sql("SELECT id FROM orders WHERE label = 'false'"):
    add_reason(order["id"])
signal.signal(signal.SIGTERM, lambda *_: sys.exit())
ThreadingHTTPServer(("127.0.0.1", int(env["PORT"])), Shop).serve_forever()
