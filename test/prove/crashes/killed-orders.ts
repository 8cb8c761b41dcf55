import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type ApiClient, isFinal } from '../../support/api-client.ts'
import type { Fleet } from '../../support/processes.ts'
import { type CaseAnswers, violationsOf } from './crash-checks.ts'
import { crashOperations, type Subject } from './crash-subjects.ts'

/** How long a shop repeats its key: an orphan's call deadline and some starts. */
const shopGivesUpMs = 60_000
const askAgainMs = 500

const operationNamed = (name: 'creation' | 'cancellation') => {
  const found = crashOperations.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no operation ${name}`)
  return found
}
const creation = operationNamed('creation')
const cancellation = operationNamed('cancellation')

/** Repeats the key as the answers advise, until an answer is final. */
async function insist(ask: () => Promise<Answer>): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  const until = performance.now() + shopGivesUpMs
  while (performance.now() < until) {
    const answer = await ask().catch(() => null)
    if (answer !== null) answers.push(answer)
    if (answer !== null && isFinal(answer)) return answers
    await delay(askAgainMs)
  }
  return answers
}

/** Creates and, if the scenario requires it, cancels. */
export async function shipOrder(shop: ApiClient, subject: Subject): Promise<CaseAnswers> {
  const order = { subject, where: subject.key }
  const created = await insist(() => creation.perform(shop, subject))
  const isCancelled = subject.scenario === 'cancel_response_lost' && created.at(-1)?.status === 201
  if (!isCancelled) return { ...order, answers: created }
  const answers = await insist(() => cancellation.perform(shop, subject))
  return { ...order, answers: [...created, ...answers] }
}

/** The violations after the clock has passed every deadline; `shop` uses a running process. */
export async function violationsOfOrders(
  { record }: Fleet,
  shop: ApiClient,
  orders: readonly CaseAnswers[],
): Promise<readonly string[]> {
  const found: string[] = []
  for (const order of orders) {
    const lastAnswer = order.answers.at(-1)
    const isAnswered = lastAnswer !== undefined && isFinal(lastAnswer)
    // If the machine was too busy before, this request is answered now, when there is nothing left
    // to wait for.
    const last = isAnswered ? lastAnswer : await creation.perform(shop, order.subject)
    if (!isFinal(last))
      found.push(`${order.where}: the shop got no final answer, but ${last.status}`)
    found.push(...(await violationsOf(record, shop, creation, order)))
  }
  const mayBeTwo = orders.filter(({ subject }) => subject.scenario === 'duplicate_guides').length
  const doubled = record.doubled().length
  if (doubled > mayBeTwo) found.push(`${doubled} shipments have two guides`)
  return found
}
