import { shipmentStreamPrefix } from '../src/domain/ids.ts'
import { operations } from './operations.ts'
import { type Projection, readModel } from './projection.ts'
import { settlements } from './settlements.ts'
import { shipments } from './shipments.ts'

/**
 * What is made of folded shipments: their lists, and which places in the quotas are to be given back.
 * The tables come in the order in which queries that join them name them: a swap locks their views in
 * this order, and in another the two would wait for each other.
 */
export const shipmentProjection: Projection = readModel({
  name: 'shipments',
  version: 9,
  prefixes: [shipmentStreamPrefix],
  tables: { operations, shipments, settlements },
})

/** Every read model there is. */
export const projections: readonly Projection[] = [shipmentProjection]
