import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import t, { type Test } from 'tap'
import { projectRoot } from '../support/source-files.ts'

const client = join(projectRoot, 'src', 'client-python')
const installed = join(projectRoot, 'node_modules', '.bin')
const env = { ...process.env, PATH: `${installed}${delimiter}${process.env.PATH}` }

type Report = {
  readonly generalDiagnostics: readonly {
    readonly file: string
    readonly message: string
    readonly range: { readonly start: { readonly line: number } }
  }[]
}

/** Checks the client and these programs in strict mode. */
function checked(
  t: Test,
  programs: Readonly<Record<string, string>>,
): Report['generalDiagnostics'] {
  const folder = mkdtempSync(join(tmpdir(), 'python-types-'))
  t.teardown(async () => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(client, 'shipping_ledger'), join(folder, 'shipping_ledger'), { recursive: true })
  const settings = { typeCheckingMode: 'strict', pythonVersion: '3.11' }
  writeFileSync(join(folder, 'pyrightconfig.json'), JSON.stringify(settings))
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text)
  const { stdout } = spawnSync('pyright', ['--outputjson', '-p', folder], { env, encoding: 'utf8' })
  return (JSON.parse(stdout) as Report).generalDiagnostics
}

t.test('each object inside a request of the Python client has a type of its own', async (t) => {
  const types = readFileSync(join(client, 'shipping_ledger', '_types.py'), 'utf8')
  for (const name of ['ShipmentRequest', 'QuoteRequest', 'BatchLine', 'CourierInvoiceRequest']) {
    const [text = ''] = new RegExp(`^${name} = TypedDict\\([^]+?^\\)`, 'm').exec(types) ?? []
    t.match(text, `"${name}"`)
    t.notMatch(text, 'Any')
  }
})

t.test('the Python client and its sample pass a strict type checker', async (t) => {
  const readme = readFileSync(join(client, 'README.md'), 'utf8')
  const [, sample = ''] = /```python\n(.+?)```/s.exec(readme) ?? []
  t.same(checked(t, { 'sample.py': sample }), [])
})

t.test('a strict type checker finds what is wrong in a Python program', async (t) => {
  const program = `
from typing import assert_never

from shipping_ledger import Client, is_newer, types

client = Client("http://127.0.0.1:3000", "svc_test_")
package: types.ShipmentRequestPackage = {
    "product_id": "pkg_1",
    "quantity": 1,
    "weight_kg": 0.8,
    "height_m": 0.05,
    "length_m": 0.2,
    "width_m": 0.15,
}
request: types.ShipmentRequest = {
    "workspace_id": "ws_1",
    "courier_connection_id": "ccn_1",
    "external_reference": "order-1",
    "origin": {"agency_id": "agy_1"},
    "destination": {"agency_id": "agy_2"},
    "package": package,
    "service": {"mode": "terrestrial", "payer": "sender"},
    "declared_content": "Books",
    "recipient": {
        "document_type": "DNI",
        "document": "45678912",
        "first_name": "Ana",
        "last_name": "Torres",
    },
}
request["destination"] = {"agency_id": 2}  # wrong
request["service"] = {"mode": "sea", "payer": "sender"}  # wrong
request["origin"] = {"agency_id": "agy_1", "name": "Lima"}  # wrong
client.shipments.create(idempotency_key="order-1", **request)
client.shipments.create(idempotency_key="order-1", weight=1, **request)  # wrong
client.courier_connections.update(id="ccn_1", credentials={"user": "a"})  # wrong
result = client.ensure_shipped("order-1", request, timeout="long")  # wrong
if result.kind == "created":
    print(result.shipment["guide_number"].lower())
    print(result.error)  # wrong
elif result.kind == "rejected":
    print(result.error.action == "ship")  # wrong
elif result.kind == "needs_attention":
    print(result.action, result.operation)
elif result.kind == "nothing_created":
    print(is_newer(None, result.shipment) if result.shipment else "")
else:
    assert_never(result)
`
  const wrong = program.split('\n').flatMap((line, at) => (line.includes('# wrong') ? [at] : []))
  const found = checked(t, { 'program.py': program }).map(({ range }) => range.start.line)
  t.same(
    [...new Set(found)].sort((a, b) => a - b),
    wrong,
  )
})
