import t from 'tap'
import {
  aConnection,
  aKey,
  anOrganization,
  aWorkspace,
  client,
  serverUnderTest,
} from '../server-under-test.ts'

const server = await serverUnderTest(t)

async function aShop() {
  const organizationId = await anOrganization(server)
  const { key } = await aKey(server, organizationId, {})
  const call = client(server.app, key)
  return { call, workspaceId: await aWorkspace(call, 'shop') }
}

function body(workspaceId: string, credentials: object) {
  return { workspace_id: workspaceId, provider_code: 'mock', display_name: 'Account', credentials }
}

t.test('the list of couriers shows what an account needs', async (t) => {
  const { call } = await aShop()
  const { body } = await call('GET', '/v1/couriers')
  t.match(body.data, [
    {
      capabilities: { cash_on_delivery: true, declared_value: true, recipient_phone: true },
      credential_fields: [
        { name: 'username', label: 'User name', secret: false, required: true },
        { name: 'password', label: 'Password', secret: true, required: true },
      ],
    },
  ])
})

t.test(
  'credentials that the courier does not ask for, or lacks, are refused by name',
  async (t) => {
    const { call, workspaceId } = await aShop()
    const refused = async (credentials: object, errors: readonly (readonly [string, string])[]) => {
      const answer = await call('POST', '/v1/courier-connections', body(workspaceId, credentials))
      t.equal(answer.status, 422)
      t.match(
        answer.body.errors,
        errors.map(([pointer, reason]) => ({ pointer, reason })),
      )
      t.notMatch(JSON.stringify(answer.body), /canary/)
    }
    await refused({ username: 'canary' }, [['/credentials/password', 'required']])
    await refused({}, [
      ['/credentials/username', 'required'],
      ['/credentials/password', 'required'],
    ])
    await refused({ username: 'canary', password: 'canary', api_key: 'canary' }, [
      ['/credentials/api_key', 'unknown_field'],
    ])
    await refused({ username: 'canary', password: 7 }, [['/credentials/password', 'invalid_type']])
    const id = await aConnection(call, workspaceId)
    const changed = await call('PATCH', `/v1/courier-connections/${id}`, {
      credentials: { username: 'canary', token: 'canary' },
    })
    t.equal(changed.status, 422)
    t.match(changed.body.errors, [
      { pointer: '/credentials/token', reason: 'unknown_field' },
      { pointer: '/credentials/password', reason: 'required' },
    ])
    t.notMatch(JSON.stringify(changed.body), /canary/)
  },
)
