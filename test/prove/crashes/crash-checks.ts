import type { SimulatorRecord } from '../../../src/simulator/simulator-record.ts'
import type { Answer, ApiClient } from '../../support/api-client.ts'
import type { CrashOperation, Subject } from './crash-subjects.ts'

/** An operation that was stopped, and every answer that its callers got. */
export type CaseAnswers = {
  readonly subject: Subject
  /** A description of where it was stopped. */
  readonly where: string
  readonly answers: readonly Answer[]
}

/** Outcomes of courier calls that were executed or refused for good. */
const executed = new Set(['created', 'nothing_created', 'destination_suspended'])
/** How often a request is repeated after a refusal that is safe to retry. */
const repeatsMax = 4

/**
 * The violations of a shipment after its workspace's clock has passed every deadline. The courier's
 * record is the truth, with which every answer must agree.
 */
export async function violationsOf(
  record: SimulatorRecord,
  shop: ApiClient,
  operation: CrashOperation,
  caseAnswers: CaseAnswers,
): Promise<readonly string[]> {
  const found: string[] = []
  const { subject } = caseAnswers
  const check = (isSo: boolean, what: string) => {
    if (!isSo) found.push(`${operation.name} ${subject.scenario}, ${caseAnswers.where}: ${what}`)
  }
  const answers = [...caseAnswers.answers]
  const isAsked = operation.name === 'creation' || operation.name === 'cancellation'
  if (isAsked) answers.push(await repeated(shop, operation, subject))
  const { status, body } = await shop.call(`/v1/shipments/${subject.shipmentId}`)
  const guides = record.guidesOf(subject.shipmentId)
  const calls = record.callsOf(subject.shipmentId)
  const makesTwoGuides = subject.scenario === 'duplicate_guides'
  check(status === 200, `the ledger has the request, but the answer is ${status}`)
  check(guides.length <= (makesTwoGuides ? 2 : 1), `${guides.length} guides`)
  const times = calls.filter(({ outcome }) => executed.has(outcome)).length
  check(times <= 1, `executed ${times} times`)
  const voided = calls.filter(({ outcome }) => outcome === 'cancelled').length
  check(voided <= 1, `cancelled ${voided} times`)
  for (const answer of answers) checkAnswer(check, answer, guides)
  if (status !== 200) return found
  const truth = truthsOf(subject, guides)
  check(truth.includes(body.status), `${body.status} with ${guides.length} guides`)
  if (body.status === 'created') {
    check(body.guide_number === guides[0]?.guideNumber, 'not the guide that the courier has')
  }
  for (const { guideNumber } of guides) {
    const person = record.personOf(subject.shipmentId, guideNumber)
    const isSame = person?.firstName === body.recipient?.first_name
    check(isSame, 'the label names a different person than the ledger')
  }
  if (body.operation_id !== null) {
    const open = await shop.call(`/v1/operations/${body.operation_id}`)
    check(open.body.result === 'human_review', `an operation is open: ${open.body.status}`)
    const needsPerson = makesTwoGuides || subject.scenario === 'lost_response_human_review'
    check(needsPerson, 'it needs review without a reason')
  }
  return found
}

/** Repeats the request while the answer says that nothing was executed. */
export async function repeated(
  shop: ApiClient,
  operation: CrashOperation,
  subject: Subject,
): Promise<Answer> {
  let answer = await operation.perform(shop, subject)
  for (let n = 1; n < repeatsMax && answer.status === 503; n++) {
    answer = await operation.perform(shop, subject)
  }
  return answer
}

function checkAnswer(
  check: (isSo: boolean, what: string) => void,
  { status, body }: Answer,
  guides: readonly { readonly guideNumber: string; readonly cancelledAt: Date | null }[],
): void {
  const said = `${status} ${body.reason ?? ''}`
  check(status !== 500, `answered ${said}`)
  if (status === 201) {
    check(guides.length === 1, `an answer names a guide, but there are ${guides.length}`)
    check(body.guide_number === guides[0]?.guideNumber, 'an answer names a different guide')
  }
  if (status === 200 && body.object === 'shipment') {
    check(guides[0]?.cancelledAt != null, 'an answer says cancelled, but the guide is valid')
  }
}

/** The statuses that a shipment may have, given the courier's guides. */
function truthsOf(
  { scenario }: Subject,
  guides: readonly { readonly cancelledAt: Date | null }[],
): readonly string[] {
  const [guide, ...others] = guides
  if (guide === undefined) return ['rejected', 'not_created', 'not_executed']
  if (others.length > 0) return ['unknown_outcome']
  if (guide.cancelledAt !== null) return ['cancelled']
  // An operation whose looks fail for twenty hours needs review after eight.
  return scenario === 'lost_response_human_review' ? ['unknown_outcome', 'created'] : ['created']
}
