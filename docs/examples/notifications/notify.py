"""Sends the recipient one e-mail for each status of the parcel.

The addresses are the shop's own: a webhook has no personal data. The table `mails` says what was sent.
"""

import json, os, pathlib, re, smtplib, sqlite3, sys
from email.message import EmailMessage
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, HTTPServer

from shipping_ledger import Client, WebhookRefused, is_newer, verify_webhook

env = os.environ
client = Client(env["SHIPPING_LEDGER_URL"], env["SHIPPING_LEDGER_KEY"])
texts = json.loads(pathlib.Path(__file__).with_name("texts.json").read_text("utf-8"))
db = sqlite3.connect(env["SHOP_DB"], isolation_level=None)
db.row_factory = sqlite3.Row
db.execute("CREATE TABLE IF NOT EXISTS mails (shipment TEXT, status TEXT, version INTEGER)")


def send(to, subject, paragraphs, message_id):
    """Returns once the relay has accepted the e-mail, or refused it for good."""
    try:
        deliver(to, subject, paragraphs, message_id)
    except (smtplib.SMTPException, ValueError) as error:
        if not is_for_good(error):
            raise
        # For the staff: the recipient was not told.
        print(f"{message_id}: refused for good ({type(error).__name__})", file=sys.stderr, flush=True)


def is_for_good(error):
    """Whether the recipient or the content is refused, however often it is tried."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    if isinstance(error, smtplib.SMTPDataError):
        return error.smtp_code >= 500
    return isinstance(error, (smtplib.SMTPNotSupportedError, ValueError))


def deliver(to, subject, paragraphs, message_id):
    if re.search(r"[\s<>]", to):
        raise ValueError("this is not an address")
    mail = EmailMessage()
    mail["From"] = sender = env.get("MAIL_FROM", "shop@shop.example")
    mail["To"], mail["Subject"], mail["Date"] = to, subject, formatdate()
    mail["Message-ID"] = f"<{message_id}@{sender.split('@')[1]}>"
    mail.set_content("\n\n".join(filter(None, paragraphs)))
    # A webhook must be answered within 15 s.
    with smtplib.SMTP(env.get("SMTP_HOST", "127.0.0.1"), int(env.get("SMTP_PORT", 25)), timeout=10) as smtp:
        smtp.send_message(mail)


def wording(language, status, code):
    """Subject and paragraphs; none if the status is not told. The pickup code is there if the shop has it."""
    subject, *paragraphs = texts.get(language, {}).get(status, [None])
    before = paragraphs.pop() if len(paragraphs) > 1 else None
    return subject, paragraphs + [before and code and before + code]


class Handler(BaseHTTPRequestHandler):
    # A connection that sends nothing would hold up the others.
    timeout = 10

    def answer(self, status):
        self.send_response_only(status)
        self.end_headers()


# The shop's own logic.
def notify(update):
    shipment_id, status, version = update["shipment_id"], update["status"], update["version"]
    told = db.execute("SELECT status, version FROM mails WHERE shipment = ?", [shipment_id]).fetchall()
    # The status was told, or a later one.
    if any(mail["status"] == status or not is_newer(mail["version"], update) for mail in told):
        return
    shipment = client.shipments.get(id=shipment_id)
    order = db.execute("SELECT * FROM orders WHERE id = ?", [shipment["external_reference"]]).fetchone()
    subject, paragraphs = wording(order and order["language"], status, shipment["pickup_code"])
    if subject and order["email"]:
        send(order["email"], subject, [*paragraphs, update["tracking_url"]], f"{shipment_id}.{status}")
        db.execute("INSERT INTO mails VALUES (?, ?, ?)", [shipment_id, status, version])


class Webhooks(Handler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        event = verify_webhook(body, dict(self.headers), env["WEBHOOK_SECRET"])
        if event["type"] == "tracking.updated":
            # A webhook whose e-mail could not be sent yet is not answered, so it comes again.
            notify(event["data"]["object"])
        self.answer(204)


# One request after the other, so that two webhooks about one status do not both find it untold.
HTTPServer(("127.0.0.1", int(env.get("PORT", 4000))), Webhooks).serve_forever()
