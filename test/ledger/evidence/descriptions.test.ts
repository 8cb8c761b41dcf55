import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { JsonObject } from '../../../src/service/domain/decider.ts'
import { languages } from '../../../src/service/domain/language.ts'
import { shipmentEventSchemas } from '../../../src/service/domain/shipment/shipment-events.ts'
import type { LedgerEvent } from '../../../src/service/event-store/codec.ts'
import type { StoredEvent } from '../../../src/service/event-store/event-store.ts'
import { ledgerEventsOf } from '../../../src/service/ledger/evidence/history.ts'
import { describeActor } from '../../../src/service/ledger/evidence/report/event-labels.ts'
import { summary } from '../../../src/service/ledger/evidence/report/summary.ts'
import { describeEvent } from '../../../src/service/ledger/evidence/report/timeline.ts'
import { timesIn } from '../../../src/service/ledger/evidence/report/times.ts'

const times = timesIn('America/Lima')
if (times === null) throw new Error('the zone is unknown')

/** An event of every type and version. */
const stored: readonly StoredEvent[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'domain', 'fixtures', 'events.json'), 'utf8'),
)
const events = ledgerEventsOf(
  stored.filter(({ type }) => Object.hasOwn(shipmentEventSchemas, type)),
)
const kept = (ref: string | null): JsonObject | null =>
  ref === null ? null : { note: 'X', decided_by: 'Y' }
const names = new Map<string, string>()

const [inEnglish, inSpanish] = languages.map((language) => ({
  describe: (event: LedgerEvent) => describeEvent(event, { times, kept, language }),
  summarize: (event: LedgerEvent) => summary([event], { times, names, language }),
  actor: (event: LedgerEvent) => describeActor(event, names, language)[0],
}))
if (inEnglish === undefined || inSpanish === undefined) throw new Error('two languages')

for (const event of events) {
  t.test(`${event.type} ${event.id} is described in Spanish as in English`, async (t) => {
    const [english, spanish] = [inEnglish.describe(event), inSpanish.describe(event)]
    t.match(spanish.what, /^[A-ZÁÉÍÓÚ].*\.$/)
    t.not(spanish.what, english.what)
    t.equal(spanish.why === '', english.why === '', 'both give a reason, or none')
    if (spanish.why !== '') t.not(spanish.why, english.why)
    t.strictSame(valuesIn(spanish), valuesIn(english), 'the same values')
    t.not(inSpanish.actor(event), inEnglish.actor(event))
    const [short, brief] = [inEnglish.summarize(event), inSpanish.summarize(event)]
    t.equal(brief === '', short === '')
    if (brief !== '') t.not(brief, short)
    t.notMatch(`${spanish.what} ${spanish.why} ${brief}`, /\b(the|and|is|was|guide|of)\b/)
  })
}

/** Numbers and what has a digit, such as ids, times and amounts. */
function valuesIn({ what, why }: { readonly what: string; readonly why: string }) {
  return (`${what} ${why}`.match(/[\w:-]*\d[\w.:-]*/g) ?? [])
    .map((value) => value.replace(/[.:]+$/, ''))
    .sort()
}
