import type { Kysely } from 'kysely'
import { projections } from '../../../../projections/all.ts'
import type { Tables } from '../../../../projections/tables.ts'
import { findableDays } from '../../couriers/protocol-codes.ts'
import { rfc3339 } from '../../domain/decider.ts'
import { platform } from '../../domain/ids.ts'
import { recoverLedger } from '../../ledger/recovery/recover-ledger.ts'
import { type Survey, surveyLedger } from '../../ledger/recovery/survey.ts'
import { damageSentence } from '../../processes/recovery/damages.ts'
import { asRequired, operatorActing } from '../acting.ts'
import {
  type Call,
  type Command,
  type CommandResult,
  counted,
  noteIn,
  readTime,
  UsageError,
} from '../command.ts'
import { progressFlag, progressWriter } from '../progress.ts'

const dayMs = 24 * 60 * 60_000

export const recover: Command = {
  name: 'recover',
  summary:
    'Recovers a ledger that has lost events, so that the service can create shipments again.',
  flags: {
    check: { description: 'Only shows what is missing and how it was detected. Changes nothing.' },
    note: { value: 'TEXT', description: 'The reason; stored encrypted. Required without --check.' },
    until: {
      value: 'TIME',
      description: `Until then, the courier is asked about unknown idempotency keys before anything is created. Default: ${findableDays} days from now.`,
    },
    'allow-blind': {
      value: 'CODE',
      isList: true,
      description:
        'A courier that cannot be asked and may create anyway. A key may then get a second guide.',
    },
    ...asRequired,
    ...progressFlag,
  },
  examples: [
    'recover --check',
    "recover --note 'standby promoted after the outage of 3 May' --as opr_4Zb1cD2eF3gH4iJ5kL6mN7",
    "recover --note 'restored to yesterday' --allow-blind post --as opr_4Zb1cD2eF3gH4iJ5kL6mN7",
  ],
  run: async (call) => (call.flags.has('check') ? await check(call) : await recovered(call)),
}

async function check(call: Call): Promise<CommandResult> {
  for (const flag of ['note', 'until', 'allow-blind']) {
    if (call.flags.has(flag) || call.lists.has(flag)) {
      throw new UsageError(`--${flag} cannot be used with --check, which changes nothing.`)
    }
  }
  const { db, store, checkpointDir, verifiers } = await call.open()
  const survey = await surveyLedger({ db, store, checkpointDir, verifiers })
  return {
    json: surveyJson(survey),
    text: survey.isIntact
      ? 'The ledger has every event that was recorded elsewhere.'
      : surveyText(survey),
    exit: survey.isIntact ? 'fine' : 'found',
  }
}

async function recovered(call: Call): Promise<CommandResult> {
  const actorOn = operatorActing(call)
  const note = noteIn(call)
  const until = call.flags.get('until')
  const findFirstUntil =
    until === undefined ? Date.now() + findableDays * dayMs : readTime('until', until)
  if (findFirstUntil <= Date.now()) throw new UsageError('--until must be in the future.')
  const blindCouriers = call.lists.get('allow-blind') ?? []
  const { db, store, pool, vault, checkpointDir, verifiers } = await call.open()
  await requireCouriers(db, blindCouriers)
  const actor = await actorOn(platform)
  const write = progressWriter(call)
  const order = { actor, note, findFirstUntil: new Date(findFirstUntil), blindCouriers }
  const told = (what: string, done: number) =>
    write(done === 0 ? `${what} …` : `${what}: ${counted(done, 'event')}`)
  const { damageId, proven, lostSize, rebuilt } = await recoverLedger(
    { db, store, pool, vault, checkpointDir, verifiers, projections },
    order,
    told,
  )
  return {
    json: {
      status: 'recovered',
      damage_id: damageId,
      proven_size: proven.size,
      lost_size: lostSize,
      rebuilt: [...rebuilt],
      find_first_until: rfc3339(findFirstUntil),
      blind_couriers: [...blindCouriers],
    },
    text: [
      `The ledger is recovered. ${gapText(proven.size, lostSize)}`,
      `Rebuilt: ${rebuilt.join(', ')}, and the due work.`,
      `Running processes continue within 5 seconds. Until ${rfc3339(findFirstUntil)}, the courier is asked about unknown idempotency keys before anything is created.`,
      'Run verify and diff now.',
    ].join('\n'),
  }
}

async function requireCouriers(db: Kysely<Tables>, codes: readonly string[]): Promise<void> {
  if (codes.length === 0) return
  const known = await db.selectFrom('couriers').select('provider_code').execute()
  const unknown = codes.filter((code) => !known.some((each) => each.provider_code === code))
  if (unknown.length > 0) {
    throw new UsageError(`--allow-blind names no registered courier: ${unknown.join(', ')}.`)
  }
}

function gapText(provenSize: number, lostSize: number | null): string {
  const proven = `A checkpoint proves its first ${counted(provenSize, 'event')}`
  return lostSize === null
    ? `${proven}; no checkpoint covers more.`
    : `${proven}; ${lostSize} were sealed before.`
}

function surveyJson(survey: Survey) {
  const { damage, lostPlaces, sealed, proven, lostSize, lostSignedAt } = survey
  return {
    intact: survey.isIntact,
    damage:
      damage === null
        ? null
        : {
            id: damage.id,
            noticed_at: rfc3339(damage.noticedAt.getTime()),
            source: damage.source,
            expected_position: damage.expectedPosition,
            expected_event_id: damage.expectedEventId,
            found_event_id: damage.foundEventId,
            expected_size: damage.expectedSize,
          },
    lost_places: lostPlaces.map(({ what, expected, found }) => ({
      what,
      position: expected.position,
      expected_event_id: expected.id,
      found_event_id: found,
    })),
    sealed: { size: sealed.size, held: sealed.held },
    proven: {
      size: proven.size,
      signed_at: proven.signedAt === null ? null : rfc3339(proven.signedAt),
    },
    lost_size: lostSize,
    lost_signed_at:
      lostSignedAt === null
        ? null
        : { first: rfc3339(lostSignedAt.first), last: rfc3339(lostSignedAt.last) },
    last_recorded_at: survey.lastRecordedAt,
  }
}

function surveyText(survey: Survey): string {
  const { damage, lostPlaces, sealed, proven, lostSize, lostSignedAt, lastRecordedAt } = survey
  const lines: string[] = []
  if (damage !== null) {
    lines.push(`Damaged since ${rfc3339(damage.noticedAt.getTime())}. ${damageSentence(damage)}`)
  }
  for (const { what, expected, found } of lostPlaces) {
    lines.push(
      `${what}: event ${expected.id} was at position ${expected.position}; ${found === null ? 'none is there now' : `${found} is there now`}.`,
    )
  }
  if (sealed.held < sealed.size) {
    lines.push(
      `The ledger has the first ${sealed.held} of the ${sealed.size} events that are sealed in the database.`,
    )
  }
  if (lostSize !== null) {
    const since = proven.signedAt === null ? '' : `, signed ${rfc3339(proven.signedAt)}`
    lines.push(
      `The last checkpoint that the ledger proves covers ${counted(proven.size, 'event')}${since}. Checkpoints cover up to ${lostSize}.`,
    )
  }
  if (lostSignedAt !== null) {
    lines.push(
      `The others were signed from ${rfc3339(lostSignedAt.first)} to ${rfc3339(lostSignedAt.last)}.`,
    )
  }
  lines.push(
    lastRecordedAt === null
      ? 'The ledger is empty now.'
      : `Its last event was recorded at ${lastRecordedAt}.`,
    'To recover it, run: recover --note TEXT --as OPERATOR.',
  )
  return lines.join('\n')
}
