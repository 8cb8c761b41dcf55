import pg from 'pg'
import t from 'tap'
import { service } from '../support/service.ts'

t.test(
  'the owner finds a shipment whose vault row a restore lost, without personal data',
  async (t) => {
    // The read models stop here, as in a database that is older than its event store.
    const before = await service(t, { roles: ['api'] })
    const { body: kept } = await before.create('kept')
    const { body: lost } = await before.create('lost')
    const owner = new pg.Client({ connectionString: before.database.adminUrl })
    await owner.connect()
    t.teardown(() => owner.end())
    await owner.query('DELETE FROM vault WHERE shipment_id = $1', [lost.id])
    await before.stop()

    const shop = await service(t, { after: before })
    t.match((await shop.call(`/v1/shipments/${lost.id}`)).body, { id: lost.id, recipient: null })
    t.match((await shop.call(`/v1/shipments/${kept.id}`)).body.recipient, kept.recipient)
    const { rows } = await shop.parts.pool.query('SELECT shipment_id FROM vault')
    t.same(
      rows.map(({ shipment_id }) => shipment_id).toSorted(),
      [kept.id, lost.id].toSorted(),
      'one row each, as before',
    )
  },
)
