"""A receiver of webhooks on Flask, with the Python client's verifier."""

import os

from flask import Flask, request
from shipping_ledger import WebhookRefused, verify_webhook

app = Flask(__name__)


@app.post("/")
def receive():
    try:
        # The raw bytes: the signature is over what was sent, before anything parses it.
        event = verify_webhook(request.get_data(), request.headers, os.environ["WEBHOOK_SECRET"])
    except WebhookRefused:
        return "", 400
    # First store it, once for each event["id"]; work on it after the answer. Let it overwrite only
    # what has a lower version than event["resource"]["version"], also if that came in an answer.
    print(event["type"], event["id"])
    return "", 204


if __name__ == "__main__":
    app.run(host="127.0.0.1", port=int(os.environ["PORT"]))
