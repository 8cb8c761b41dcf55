import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import t from 'tap'
import { byCli } from '../../../src/service/cli/acting.ts'
import { createOperator } from '../../../src/service/security/operators.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import type { Services } from '../../../src/service/services.ts'
import { eventStoreStandIn } from '../../eventstoredb-stand-in/stand-in.ts'
import type { Answer } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { fleet, type ServiceProcess } from '../../support/processes.ts'

const waitMs = 60_000
const kept = ['one']
const lost = ['two', 'three']

/** What still remembers the end that the node has lost. */
const memories = [
  { who: 'a running process', isRestarted: false, hasFiles: true },
  { who: 'a process that starts, by the files of checkpoints', isRestarted: true, hasFiles: true },
  { who: 'a process that starts, by the rows of its database', isRestarted: true, hasFiles: false },
] as const

async function platformOperator(parts: Services): Promise<string> {
  const by = { actor: byCli.actor, requestId: null } as const
  const { id } = await createOrganization(parts, { name: 'Platform', type: 'platform' }, by)
  const person = { organizationId: id, name: 'Operator', email: 'operator@ledger.example' }
  return (await createOperator(parts, person, by)).id
}

for (const { who, isRestarted, hasFiles } of memories) {
  t.test(
    `a node put back to an older backup is noticed by ${who}, and no key gets a second guide`,
    async (t) => {
      const standIn = await eventStoreStandIn(t)
      // The fleet inherits these variables.
      process.env.EVENT_STORE_URL = standIn.url
      process.env.EVENT_STORE_NAMESPACE = `lost-${randomBytes(4).toString('hex')}`
      const shop = await fleet(t)
      const operatorId = await platformOperator(shop.parts)
      let service: ServiceProcess = await shop.start()
      const guides = new Map<string, string>()
      const create = async (key: string) => {
        const { status, body } = await service.create(key)
        t.equal(status, 201, key)
        guides.set(key, body.guide_number)
      }
      const sealed = () => service.call('/v1/ledger/checkpoint')
      const sizeOf = ({ status, body }: Answer) =>
        status === 200 ? Number(String(body.note).split('\n')[1]) : 0
      for (const key of kept) await create(key)
      const before = sizeOf(await eventually(sealed, (answer) => sizeOf(answer) > 0, waitMs))
      const backup = standIn.log.backUp()
      for (const key of lost) await create(key)
      await eventually(sealed, (answer) => sizeOf(answer) > before, waitMs)

      if (isRestarted) {
        service.signal('SIGKILL')
        await service.ended
      }
      await standIn.stop()
      standIn.log.restore(backup)
      standIn.log.writeEpoch()
      await standIn.start()
      if (!hasFiles) rmSync(shop.checkpointDir, { recursive: true })
      if (isRestarted) service = await shop.start()
      const readiness = async () => JSON.stringify((await service.call('/readyz')).body)
      await eventually(readiness, (text) => text.includes('ledger_damaged'), waitMs)
      for (const key of [...lost, 'four']) {
        t.match(await service.create(key), {
          status: 503,
          body: { reason: 'ledger_damaged', outcome: 'not_executed', retryable: true },
        })
      }
      t.equal((await service.create('one')).body.guide_number, guides.get('one'), 'what is there')

      const checked = await shop.command('recover', '--check').ended
      t.equal(checked.code, 1, checked.stderr)
      const note = 'The node was put back.'
      const recovered = await shop.command('recover', '--as', operatorId, '--note', note).ended
      t.equal(recovered.code, 0, recovered.stderr)
      await eventually(
        async () => (await service.call('/readyz')).status,
        (status) => status === 200,
        waitMs,
      )
      for (const [key, guide] of guides) {
        const { status, body } = await service.create(key)
        t.strictSame([status, body.guide_number], [201, guide], key)
      }
      t.equal((await service.create('four')).status, 201)
      t.strictSame(shop.record.doubled(), [])
      for (const command of ['diff', 'verify']) {
        const { code, stdout, stderr } = await shop.command(command).ended
        t.equal(code, 0, `${command}: ${stdout}${stderr}`)
      }
    },
  )
}
