"""Each way that an order can end, against a service: see shop.py."""

import threading
import unittest

from shipping_ledger import Client, ShippingLedgerError

from .shop import KEY, LosingProxy, client, order


class Changes(list):
    """Stores what `on_change` is called with, and advances the clock when an operation is seen."""

    def __init__(self, advance=None):
        self.advance = advance

    def __call__(self, shipment, operation):
        self.append((shipment, operation))
        if operation is not None and self.advance is not None:
            by, self.advance = self.advance, None
            advance(shipment["workspace_id"], by)

    @property
    def statuses(self):
        return [shipment["status"] for shipment, _ in self]


def advance(workspace_id, by):
    clock = client.sandbox.advance_clock(workspace_id=workspace_id, by=by)
    while clock["advancing_to"] is not None:
        clock = client.sandbox.get_clock(workspace_id=workspace_id)


class EnsureShipped(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        workspace = client.workspaces.create(name="Ensured", external_reference="ensured")
        connection = client.courier_connections.create(
            workspace_id=workspace["id"],
            provider_code="mock",
            display_name="Simulated courier",
            credentials={"username": "sandbox", "password": "any"},
        )
        cls.places = {
            "workspace_id": workspace["id"],
            "courier_connection_id": connection["id"],
        }

    def request(self, key):
        return {**order(key), **self.places}

    def ensure(self, key, scenario=None, through=client, **options):
        return through.ensure_shipped(key, self.request(key), scenario=scenario, **options)

    def test_creates_once_and_says_so_each_time(self):
        changes = Changes()
        first = self.ensure("made", on_change=changes)
        again = self.ensure("made")
        self.assertEqual((first.kind, again.kind), ("created", "created"))
        self.assertEqual(first.shipment["guide_number"], again.shipment["guide_number"])
        self.assertEqual([(one["id"], of) for one, of in changes], [(first.shipment["id"], None)])

    def test_follows_a_lost_answer_to_its_guide(self):
        changes = Changes()
        result = self.ensure("lost", "lost_response_guide_created", on_change=changes)
        self.assertEqual(result.kind, "created")
        self.assertEqual(changes.statuses[0], "unknown_outcome")
        self.assertEqual(changes[-1][0], result.shipment)
        self.assertEqual(changes[-1][1]["result"], "guide_exists")
        seen = [(one["version"], of["version"] if of else 0) for one, of in changes]
        self.assertEqual(seen, sorted(set(seen)))

    def test_a_refusal_by_the_courier_is_final(self):
        result = self.ensure("refused", "courier_rejected")
        self.assertEqual((result.kind, result.error.reason), ("rejected", "courier_rejected"))
        self.assertEqual(result.shipment["status"], "rejected")
        self.assertEqual(self.ensure("refused", "courier_rejected").kind, "rejected")

    def test_a_quote_whose_price_changed_is_a_refusal(self):
        fields = ("workspace_id", "courier_connection_id", "origin", "destination", "package")
        request = self.request("price")
        quote = client.quotes.create(
            scenario="quote_partial", **{name: request[name] for name in fields}
        )
        result = client.ensure_shipped(
            "price", {**request, "quote_id": quote["id"]}, scenario="quote_partial"
        )
        self.assertEqual((result.kind, result.error.reason), ("rejected", "quote_price_changed"))

    def test_a_wrong_request_is_to_be_fixed_and_its_key_is_free(self):
        wrong = {**self.request("wrong"), "declared_content": ""}
        result = client.ensure_shipped("wrong", wrong)
        self.assertEqual((result.kind, result.action), ("needs_attention", "fix"))
        self.assertEqual(result.error.errors[0]["pointer"], "/declared_content")
        result = client.ensure_shipped("wrong", {"weight": 1})
        self.assertEqual((result.kind, result.action), ("needs_attention", "fix"))
        self.assertIn("/recipient", [one["pointer"] for one in result.error.errors])
        self.assertEqual(self.ensure("wrong").kind, "created")

    def test_a_courier_that_refuses_the_credentials_needs_a_person(self):
        connection = self.places["courier_connection_id"]
        result = self.ensure("parked", "credentials_invalid")
        self.assertEqual((result.kind, result.action), ("needs_attention", "person"))
        self.assertEqual(result.error.reason, "connection_needs_reauth")
        self.assertEqual(result.shipment["status"], "not_executed")
        credentials = {"username": "sandbox", "password": "another"}
        client.courier_connections.update(id=connection, credentials=credentials)
        self.assertEqual(self.ensure("parked", "credentials_invalid").kind, "created")

    def test_says_when_it_is_certain_that_nothing_was_created(self):
        changes = Changes(advance="PT5M")
        result = self.ensure("none", "lost_response_nothing_created", on_change=changes)
        self.assertEqual(result.kind, "nothing_created")
        self.assertEqual(result.operation["result"], "nothing_created")
        self.assertEqual(result.shipment["status"], "not_created")
        self.assertEqual(changes.statuses[0], "unknown_outcome")
        again = self.ensure("none", "lost_response_nothing_created")
        self.assertEqual((again.kind, again.operation), ("nothing_created", None))

    def test_an_operation_in_review_may_end_later(self):
        scenario = "lost_response_human_review"
        lost = self.ensure("reviewed", scenario, timeout=0)
        advance(lost.shipment["workspace_id"], "PT8H1M")
        first = self.ensure("reviewed", scenario, timeout=10)
        self.assertEqual((first.kind, first.action), ("needs_attention", "person"))
        self.assertEqual(first.operation["result"], "human_review")
        self.assertEqual(first.shipment["status"], "unknown_outcome")
        advance(first.shipment["workspace_id"], "PT17H")
        self.assertEqual(self.ensure("reviewed", scenario).kind, "created")

    def test_what_is_still_reconciling_at_the_timeout_is_to_be_followed(self):
        result = self.ensure("early", "lost_response_nothing_created", timeout=0)
        self.assertEqual((result.kind, result.action), ("needs_attention", "follow"))
        self.assertEqual(result.shipment["operation_id"], result.operation["id"])
        self.assertIsNone(result.error)

    def test_waits_for_a_courier_that_cannot_be_reached(self):
        early = self.ensure("unreachable", "courier_unreachable", timeout=1)
        self.assertEqual((early.kind, early.action), ("needs_attention", "same_key"))
        self.assertEqual(early.error.reason, "courier_unreachable")
        self.assertEqual(self.ensure("unreachable", "courier_unreachable").kind, "created")

    def test_repeats_what_a_lost_connection_left_open(self):
        proxy = LosingProxy(losses=2)
        self.addCleanup(proxy.close)
        through = Client(proxy.url, KEY)
        self.assertEqual(self.ensure("cut", through=through).kind, "created")
        self.assertEqual(proxy.requests, ["cut"] * 3)

        def cut(_shipment, operation):
            # Each answer about the operation is followed by a lost one.
            proxy.losses = 0 if operation is None else 1

        scenario = "lost_response_guide_created"
        result = self.ensure("cut-2", scenario, through=through, on_change=cut)
        self.assertEqual(result.kind, "created")

    def test_a_service_that_is_away_until_the_timeout(self):
        proxy = LosingProxy(losses=0)
        proxy.close()
        result = self.ensure("away", through=Client(proxy.url, KEY), timeout=0.2)
        self.assertEqual((result.kind, result.action), ("needs_attention", "same_key"))
        self.assertEqual(result.error.reason, "connection_lost")
        self.assertIsNone(result.shipment)

    def test_a_stop_event_ends_the_waiting(self):
        stop = threading.Event()
        scenario = "lost_response_nothing_created"
        with self.assertRaises(ShippingLedgerError) as caught:
            self.ensure("stopped", scenario, stop=stop, on_change=lambda *_: stop.set())
        error = caught.exception
        self.assertEqual((error.reason, error.outcome), ("aborted", "unknown"))
        self.assertEqual((error.action, error.retryable), ("same_key", True))
        result = self.ensure("stopped", scenario, on_change=Changes(advance="PT5M"))
        self.assertEqual(result.kind, "nothing_created")

    def test_what_on_change_raises_ends_the_call(self):
        full = ShippingLedgerError(
            "The disk is full.", reason="connection_lost", outcome=None, retryable=True
        )

        def store(_shipment, _operation):
            raise full

        with self.assertRaises(ShippingLedgerError) as caught:
            self.ensure("unstored", on_change=store)
        self.assertIs(caught.exception, full)
        self.assertEqual(self.ensure("unstored").kind, "created")
