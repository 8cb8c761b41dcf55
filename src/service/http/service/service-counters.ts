import { Counter, type Registry } from 'prom-client'
import { anomalyTexts } from '../../domain/tracking/tracking.ts'
import type { UnreadableWhy } from '../../processes/labels/unreadable-labels.ts'

const unreadableWhys: readonly UnreadableWhy[] = ['too_complex', 'ended_printer', 'not_a_pdf']

/** The counters of a process other than those of requests and appends. */
export function serviceCounters(registers: Registry[]) {
  return {
    submissions: witnessSubmissions(registers),
    dropped: droppedRequests(registers),
    anomalies: trackingAnomalies(registers),
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

function droppedRequests(registers: Registry[]): Counter {
  return new Counter({
    name: 'request_log_dropped_total',
    help: 'Answered requests that could not be recorded in the request log',
    registers,
  })
}

/** Every series begins at 0, so that an alert sees its first increase. */
function trackingAnomalies(registers: Registry[]) {
  const counter = new Counter({
    name: 'tracking_anomalies_total',
    help: 'Tracking reads that found a new anomaly, by mode and code',
    labelNames: ['livemode', 'code'] as const,
    registers,
  })
  for (const code of Object.keys(anomalyTexts)) {
    for (const livemode of ['true', 'false']) counter.inc({ livemode, code }, 0)
  }
  return counter
}

function unreadableLabels(registers: Registry[]) {
  const counter = new Counter({
    name: 'labels_unreadable_total',
    help: 'Labels that cannot be read, by why',
    labelNames: ['why'] as const,
    registers,
  })
  for (const why of unreadableWhys) counter.inc({ why }, 0)
  return counter
}
