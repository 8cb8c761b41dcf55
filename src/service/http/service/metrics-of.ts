import type { Kysely } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import { lastCheckpoint } from '../../ledger/checkpoints.ts'
import type { Verifier } from '../../ledger/signed-note.ts'
import { witnessStates } from '../../ledger/witnesses/stored-cosignatures.ts'
import { erasureMetrics } from '../../processes/erasure/erasure-rows.ts'
import { findFirstCounts, noCounts, readCondition } from '../../processes/recovery/damages.ts'
import {
  operationStatusCounts,
  projectionLags,
  secondsBehind,
} from '../../processes/service-metrics.ts'
import { operationMetrics } from '../../processes/statistics/open-operations.ts'
import { unwritableFiles } from '../../processes/unwritable-files.ts'
import { webhookMetrics } from '../../webhooks/delivery-metrics.ts'
import type { ReadinessCheck } from '../api-services.ts'
import { disksOf } from './disk.ts'
import { answersOf } from './health-routes.ts'
import { type ServiceMetrics, serviceMetrics } from './metrics.ts'

type Sources = {
  readonly dataDir?: string | undefined
  readonly checkpointDir?: string | undefined
  readonly witnesses?: readonly Verifier[]
}

/**
 * The metrics of a process, read from its database, its folders and the parts that it has when they
 * are read.
 */
export function metricsOf(
  { dataDir, checkpointDir, witnesses = [] }: Sources,
  db: Kysely<Tables>,
  partsOf: () => {
    readonly store: EventStore
    readonly readiness: Readonly<Record<string, ReadinessCheck>>
  },
): ServiceMetrics {
  return serviceMetrics({
    isReady: async () => (await answersOf(partsOf().readiness)).areOk,
    disks: () => disksOf({ data: dataDir, checkpoints: checkpointDir }),
    unwritableFiles: () => unwritableFiles(db),
    projections: () => projectionLags(db, partsOf().store),
    operations: () => operationStatusCounts(db),
    attention: () => operationMetrics(db),
    webhooks: () => webhookMetrics(db),
    erasures: () => erasureMetrics(db),
    witnesses: () => witnessStates(db, witnesses),
    unsealedSeconds: async () =>
      await secondsBehind(db, partsOf().store, (await lastCheckpoint(db))?.position ?? null),
    ledger: async () => {
      const { damage, findFirst } = await readCondition(db)
      const counts = findFirst === null ? noCounts : await findFirstCounts(db, findFirst.damageId)
      return { isDamaged: damage !== null, findFirst: counts }
    },
  })
}
