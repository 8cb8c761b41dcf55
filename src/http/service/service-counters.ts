import { Counter, Histogram, type Registry } from 'prom-client'

/** From the time of a cached read to the longest that a request may take. */
export const requestSeconds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3, 10, 20, 40]

/** What is counted as it happens. */
export function countersOf(registers: Registry[]) {
  return {
    submissions: witnessSubmissions(registers),
    dropped: droppedRequests(registers),
    courierCalls: courierCallTimes(registers),
    unreadable: unreadableLabels(registers),
  }
}

function witnessSubmissions(registers: Registry[]) {
  return new Counter({
    name: 'ledger_witness_submissions_total',
    help: 'Checkpoints submitted to witnesses, by outcome',
    labelNames: ['witness', 'outcome'] as const,
    registers,
  })
}

function courierCallTimes(registers: Registry[]) {
  return new Histogram({
    name: 'courier_call_duration_seconds',
    help: 'Requests to couriers, by courier, operation and outcome',
    labelNames: ['provider_code', 'operation', 'outcome'] as const,
    buckets: requestSeconds,
    registers,
  })
}

function droppedRequests(registers: Registry[]): Counter {
  return new Counter({
    name: 'request_log_dropped_total',
    help: 'Answered requests that could not be noted in the request log',
    registers,
  })
}

function unreadableLabels(registers: Registry[]) {
  return new Counter({
    name: 'labels_unreadable_total',
    help: 'Labels that cannot be read, by why',
    labelNames: ['why'] as const,
    registers,
  })
}
