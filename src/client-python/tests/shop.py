"""A shop of the service whose BASE_URL and SHOP_KEY are in the environment."""

import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from shipping_ledger import Client

BASE_URL = os.environ["BASE_URL"]
KEY = os.environ["SHOP_KEY"]
client = Client(BASE_URL, KEY)


def order(reference):
    workspace = client.workspaces.list(limit=1).data[0]
    connection = client.courier_connections.list(workspace_id=workspace["id"], limit=1).data[0]
    of = {"courier_connection_id": connection["id"]}
    origin, destination = client.couriers.list_agencies(**of, limit=2).data
    product = client.couriers.list_package_products(**of, limit=1).data[0]
    return {
        "workspace_id": workspace["id"],
        "courier_connection_id": connection["id"],
        "external_reference": reference,
        "origin": {"agency_id": origin["id"]},
        "destination": {"agency_id": destination["id"]},
        "package": {
            "product_id": product["id"],
            "quantity": 1,
            "weight_kg": 0.5,
            "height_m": 0.05,
            "length_m": 0.2,
            "width_m": 0.15,
        },
        "service": {"mode": "terrestrial", "payer": "sender"},
        "declared_content": "Books",
        "recipient": {
            "document_type": "DNI",
            "document": "45678912",
            "first_name": "Ana",
            "last_name": "Torres",
        },
    }


class LosingProxy:
    """Passes requests on and loses the first answers."""

    def __init__(self, losses):
        outer = self
        self.requests = []
        self.losses = losses

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("content-length", "0"))) or None
                outer.requests.append(self.headers["idempotency-key"])
                headers = {name: value for name, value in self.headers.items() if name != "host"}
                passed = Request(BASE_URL + self.path, body, headers, method=self.command)
                try:
                    answer = urlopen(passed)
                except HTTPError as error:
                    answer = error
                with answer:
                    status, content = answer.status, answer.read()
                    retry_after = answer.headers["retry-after"]
                if outer.losses > 0:
                    outer.losses -= 1
                    self.connection.close()
                    return
                self.send_response(status)
                self.send_header("content-type", "application/json")
                if retry_after is not None:
                    self.send_header("retry-after", retry_after)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_DELETE = do_GET = do_POST

            def log_message(self, *_arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()
