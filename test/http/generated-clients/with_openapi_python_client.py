"""Creates a shipment, lists it, and asks for one that does not exist, with the client that
openapi-python-client made of docs/openapi.json. The body of the creation is the argument."""

import json
import os
import sys

from shipping_ledger_client import AuthenticatedClient
from shipping_ledger_client.api.shipments import create_shipment, get_shipment, list_shipments
from shipping_ledger_client.models import ShipmentRequest

order = ShipmentRequest.from_dict(json.loads(sys.argv[1]))
key = order.external_reference
client = AuthenticatedClient(
    base_url=os.environ["SHIPPING_LEDGER_URL"],
    token=os.environ["SHIPPING_LEDGER_KEY"],
)
created = create_shipment.sync(client=client, body=order, idempotency_key=key)
listed = list_shipments.sync(client=client, workspace_id=order.workspace_id, idempotency_key=key)
missing = get_shipment.sync(client=client, id="shp_0000000000000000000000")
print(
    json.dumps(
        {
            "created": created.guide_number,
            "listed": [one.external_reference for one in listed.data],
            "refused": missing.reason,
        }
    )
)
