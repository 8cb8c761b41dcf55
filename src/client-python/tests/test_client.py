"""Runs against a service: see shop.py. OPERATOR_KEY and the WEBHOOK_* of one delivery are in the environment."""

import base64
import json
import os
import socket
import threading
import unittest
import uuid

from shipping_ledger import (
    Client,
    Retry,
    ShippingLedgerError,
    WebhookRefused,
    info_of,
    is_newer,
    verify_webhook,
)

from .shop import BASE_URL, KEY, LosingProxy, client, order


class Creations(unittest.TestCase):
    def test_creates_and_repeats_with_one_key(self):
        request = order("py-1")
        first = client.shipments.create(idempotency_key="py-1", **request)
        again = client.shipments.create(idempotency_key="py-1", **request)
        self.assertEqual(first["guide_number"], again["guide_number"])
        self.assertEqual(info_of(first).status, 201)
        self.assertFalse(info_of(first).replayed)
        self.assertTrue(info_of(again).replayed)
        self.assertEqual(client.shipments.get(id=first["id"])["status"], "created")

    def test_repeats_with_the_same_key_when_the_connection_is_lost(self):
        proxy = LosingProxy(losses=2)
        self.addCleanup(proxy.close)
        through = Client(proxy.url, KEY)
        made = through.shipments.create(idempotency_key="py-3", **order("py-3"))
        self.assertEqual(proxy.requests, ["py-3"] * 3)
        self.assertEqual(info_of(made).requests, 3)

    def test_a_batch_that_is_too_large_for_json_is_sent_as_ndjson(self):
        line = order("py-large")
        of = {name: line[name] for name in ("workspace_id", "courier_connection_id")}
        metadata = {f"note-{number}": "x" * 450 for number in range(5)}
        items = [
            {**line, "external_reference": f"py-large-{number}", "metadata": metadata}
            for number in range(900)
        ]
        batch = client.batches.create(external_reference="py-large", items=items, **of)
        self.assertEqual(batch["total"], 900)
        client.batches.cancel(id=batch["id"])

    def test_checks_a_file_and_creates_nothing(self):
        of = {name: order("py-check")[name] for name in ("workspace_id", "courier_connection_id")}
        lines = b"Pedido;Peso (g);Notas\r\npy-check;800;x\r\n"
        check = client.check_batch(lines, columns={"Notas": None}, **of)
        self.assertEqual((check["lines"], check["good"]), (1, 0))
        self.assertEqual(check["columns"][1]["unit"], "g")
        reasons = {error["reason"] for error in check["errors"]}
        self.assertEqual(reasons, {"missing_column"})
        invoice = "Guía;Importe (S/)\r\nG1;29,50\r\n".encode("cp1252")
        accountant = Client(BASE_URL, os.environ["OPERATOR_KEY"])
        found = accountant.check_invoice(invoice, courier_connection_id=of["courier_connection_id"])
        self.assertEqual(found["totals"]["amounts"][0]["amount"], 2950)

    def test_repeats_a_deletion_whose_answer_was_lost(self):
        workspace = client.workspaces.list(limit=1).data[0]
        endpoint = client.webhook_endpoints.create(
            workspace_id=workspace["id"],
            url="http://127.0.0.1:9/",
            event_types=["label.ready"],
        )
        proxy = LosingProxy(losses=1)
        self.addCleanup(proxy.close)
        self.assertIsNone(Client(proxy.url, KEY).webhook_endpoints.delete(id=endpoint["id"]))
        self.assertEqual(len(proxy.requests), 2)
        with self.assertRaises(ShippingLedgerError) as caught:
            client.webhook_endpoints.delete(id=endpoint["id"])
        self.assertEqual(caught.exception.reason, "not_found")

    def test_does_not_wait_for_a_label_if_it_is_told_not_to(self):
        made = client.shipments.create(
            idempotency_key="py-7", scenario="label_delayed", **order("py-7")
        )
        proxy = LosingProxy(losses=0)
        self.addCleanup(proxy.close)
        with self.assertRaises(ShippingLedgerError) as caught:
            Client(proxy.url, KEY).documents.get_label(id=made["id"], wait=False)
        self.assertEqual(caught.exception.reason, "label_not_ready")
        self.assertEqual(len(proxy.requests), 1)

    def test_gives_up_after_its_requests_and_says_that_the_outcome_is_unknown(self):
        proxy = LosingProxy(losses=9)
        self.addCleanup(proxy.close)
        through = Client(proxy.url, KEY, Retry(requests_max=2))
        with self.assertRaises(ShippingLedgerError) as caught:
            through.shipments.create(idempotency_key="py-4", **order("py-4"))
        self.assertEqual(caught.exception.reason, "connection_lost")
        self.assertEqual(caught.exception.outcome, "unknown")
        self.assertEqual(caught.exception.idempotency_key, "py-4")
        self.assertEqual(len(proxy.requests), 2)

    def test_says_that_nothing_was_sent_if_nothing_listens(self):
        closed = socket.create_server(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        closed.close()
        nowhere = Client(url, KEY, Retry(requests_max=2))
        with self.assertRaises(ShippingLedgerError) as caught:
            nowhere.shipments.create(idempotency_key="py-9", **order("py-9"))
        self.assertIn("nothing was sent", str(caught.exception))
        self.assertEqual(caught.exception.reason, "connection_lost")
        self.assertEqual(caught.exception.outcome, "not_executed")
        self.assertEqual(caught.exception.action, "same_key")
        with self.assertRaises(ShippingLedgerError) as caught:
            nowhere.workspaces.list()
        self.assertIsNone(caught.exception.outcome)

    def test_an_earlier_request_may_be_executed_though_nothing_listens_now(self):
        gone = socket.create_server(("127.0.0.1", 0))

        def lose_one():
            connection, _ = gone.accept()
            connection.recv(100_000)
            gone.close()
            connection.close()

        losing = threading.Thread(target=lose_one)
        losing.start()
        through = Client(f"http://127.0.0.1:{gone.getsockname()[1]}", KEY, Retry(requests_max=2))
        with self.assertRaises(ShippingLedgerError) as caught:
            through.shipments.create(idempotency_key="py-10", **order("py-10"))
        losing.join()
        self.assertIn("nothing was sent", str(caught.exception))
        self.assertEqual(caught.exception.outcome, "unknown")

    def test_waits_for_a_batch(self):
        items = [order("py-batch-1"), order("py-batch-2")]
        made = client.batches.create(external_reference="py-batch", items=items)
        ended = client.wait_for_batch(made["id"], timeout=60)
        self.assertIsNotNone(ended["ended_at"])
        self.assertEqual(ended["counts"]["created"], 2)
        self.assertEqual(client.wait_for_batch(made["id"], timeout=0), ended)

    def test_says_where_a_request_is_wrong(self):
        wrong = {**order("py-5"), "external_reference": ""}
        with self.assertRaises(ShippingLedgerError) as caught:
            client.shipments.create(idempotency_key="py-5", **wrong)
        error = caught.exception
        self.assertEqual((error.status, error.reason), (422, "validation_failed"))
        self.assertEqual(error.action, "fix")
        self.assertEqual(error.outcome, "not_executed")
        self.assertEqual([one["pointer"] for one in error.errors], ["/external_reference"])
        self.assertTrue(error.request_id.startswith("req_"))

    def test_one_call_can_have_its_own_limits(self):
        proxy = LosingProxy(losses=9)
        self.addCleanup(proxy.close)
        with self.assertRaises(ShippingLedgerError) as caught:
            Client(proxy.url, KEY).workspaces.list(retry=Retry(requests_max=1))
        self.assertEqual(caught.exception.action, "same_key")
        self.assertEqual(len(proxy.requests), 1)
        silent = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(silent.close)
        waiting = Client(f"http://127.0.0.1:{silent.getsockname()[1]}", KEY)
        with self.assertRaises(ShippingLedgerError) as caught:
            waiting.workspaces.list(retry=Retry(requests_max=1), timeout=0.1)
        self.assertEqual(caught.exception.reason, "connection_lost")

    def test_a_field_that_does_not_exist_is_refused_before_it_is_sent(self):
        with self.assertRaises(TypeError):
            client.shipments.create(idempotency_key="py-8", weight=1, **order("py-8"))


class Reads(unittest.TestCase):
    def test_a_list_is_read_page_by_page(self):
        for index in range(3):
            client.shipments.create(idempotency_key=f"page-{index}", **order("pages"))
        wanted = {"external_reference": "pages"}
        for _ in range(100):
            found = client.shipments.list(limit=100, **wanted).data
            if len(found) == 3:
                break
        listed = client.shipments.list(limit=1, **wanted)
        self.assertTrue(listed.has_more)
        self.assertEqual([one["id"] for one in listed], [one["id"] for one in found])
        self.assertEqual(len({one["id"] for one in found}), 3)

    def test_a_label_is_bytes(self):
        made = client.shipments.create(idempotency_key="py-6", **order("py-6"))
        label = client.documents.get_label(id=made["id"])
        self.assertEqual(label[:5], b"%PDF-")
        self.assertEqual(info_of(label).content_type, "application/pdf")
        self.assertRegex(info_of(label).file_name or "", r"^label-.*\.pdf$")

    def test_a_manifest_is_printed_in_the_language_of_lang(self):
        shipment = client.shipments.create(idempotency_key="py-es", **order("py-es"))
        spanish = client.documents.print_manifest(shipment_ids=[shipment["id"]], lang="es")
        self.assertIn(b"/Lang (es)", spanish)
        with self.assertRaises(ShippingLedgerError) as refused:
            client.documents.print_manifest(shipment_ids=[shipment["id"]], lang="fr")
        self.assertEqual(refused.exception.errors[0]["pointer"], "#/query/lang")

    def test_an_unknown_key_and_a_missing_id_are_errors(self):
        stranger = Client(BASE_URL, "svc_test_" + "0" * 49)
        with self.assertRaises(ShippingLedgerError) as caught:
            stranger.workspaces.list()
        self.assertEqual(caught.exception.reason, "unauthenticated")
        self.assertIsNone(caught.exception.outcome)
        with self.assertRaises(TypeError):
            client.shipments.get(id="")

    def test_a_live_key_is_not_sent_unencrypted(self):
        live = "svc_live_" + "0" * 49
        with self.assertRaises(ValueError):
            Client("http://ledger.example", live)
        Client("https://ledger.example", live)


class Versions(unittest.TestCase):
    def test_the_higher_version_is_newer_wherever_it_comes_from(self):
        shipment = {"id": "shp_1", "version": 4}
        event = {"resource": {"type": "shipment", "id": "shp_1", "version": 4}}
        about = {"reason": "unknown_outcome", "outcome": "unknown", "retryable": False}
        error = ShippingLedgerError("", problem={"shipment_version": 4}, **about)
        for seen in (shipment, event, error):
            self.assertTrue(is_newer(None, seen))
            self.assertTrue(is_newer(3, seen))
            self.assertTrue(is_newer({"version": 3}, seen))
            self.assertFalse(is_newer(4, seen))
            self.assertFalse(is_newer(shipment, seen))
        self.assertFalse(is_newer(None, ShippingLedgerError("", **about)))
        self.assertFalse(is_newer(None, {"resource": {"type": "quota", "version": None}}))


class Webhooks(unittest.TestCase):
    body = base64.b64decode(os.environ["WEBHOOK_BODY"])
    headers = json.loads(os.environ["WEBHOOK_HEADERS"])
    secret = os.environ["WEBHOOK_SECRET"]

    def refused(self, body=None, headers=None, secrets=None, **options):
        with self.assertRaises(WebhookRefused) as caught:
            verify_webhook(
                self.body if body is None else body,
                self.headers if headers is None else headers,
                self.secret if secrets is None else secrets,
                **options,
            )
        return caught.exception.reason

    def test_a_delivery_is_verified(self):
        other = "whsec_" + base64.b64encode(uuid.uuid4().bytes * 2).decode()
        event = verify_webhook(self.body, self.headers, [other, self.secret])
        self.assertEqual(event["type"], "label.ready")
        self.assertEqual(self.refused(secrets=other), "wrong_signature")

    def test_what_is_not_a_delivery_is_refused(self):
        self.assertEqual(self.refused(body=self.body + b" "), "wrong_signature")
        self.assertEqual(self.refused(headers={}), "header_missing")
        sent = int(self.headers["webhook-timestamp"])
        self.assertEqual(self.refused(now=sent + 301), "outside_tolerance")
        self.assertEqual(self.refused(now=sent - 301), "outside_tolerance")
        with self.assertRaises(ValueError) as caught:
            verify_webhook(self.body, self.headers, "secret")
        self.assertNotIn("'secret'", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
