import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import type { Log } from '../../log.ts'

/**
 * Why a label cannot be read. `too_complex`: it has more pages, nodes or unpacked bytes than any
 * real label. `ended_printer`: the printing process hung or crashed on it. `not_a_pdf`: the courier
 * sent something else, which was not stored.
 */
export type UnreadableWhy = 'too_complex' | 'ended_printer' | 'not_a_pdf'

type UnreadableLabel = {
  readonly shipmentId: string
  readonly organizationId: string
  /** The vault reference of the label; null if it was not stored. */
  readonly labelRef: string | null
  readonly why: UnreadableWhy
}

type Deps = {
  readonly db: Kysely<Tables>
  readonly log: Log
  /** For the metrics. */
  readonly counted: (why: UnreadableWhy) => void
}

/** Labels remembered per organization. A forgotten one is tried once more. */
const rememberedMax = 1_000

/** The table unreadable_labels: labels that are not tried again, and why. */
export class UnreadableLabels {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Stores, counts and logs the label. Repeating it for the same label changes and reports nothing.
   */
  async note({ shipmentId, organizationId, labelRef, why }: UnreadableLabel): Promise<void> {
    const { db, log, counted } = this.#deps
    const { numAffectedRows } = await sql`
      INSERT INTO unreadable_labels AS u (shipment_id, organization_id, label_ref, why)
      VALUES (${shipmentId}, ${organizationId}, ${labelRef}, ${why})
      ON CONFLICT (shipment_id) DO UPDATE
        SET label_ref = excluded.label_ref, why = excluded.why, noted_at = now()
        WHERE u.label_ref IS DISTINCT FROM excluded.label_ref OR u.why <> excluded.why`.execute(db)
    if (numAffectedRows === 0n) return
    counted(why)
    log.warn({ shipmentId, organizationId, reason: why }, 'a label cannot be read')
    await sql`
      DELETE FROM unreadable_labels WHERE shipment_id IN (
        SELECT shipment_id FROM unreadable_labels WHERE organization_id = ${organizationId}
        ORDER BY noted_at DESC, shipment_id OFFSET ${rememberedMax})`.execute(db)
  }

  /**
   * Whether the label with this vault reference cannot be read; null for one that was not stored.
   */
  async has(shipmentId: string, labelRef: string | null): Promise<boolean> {
    const found = await this.among([shipmentId])
    return found.has(shipmentId) && found.get(shipmentId) === labelRef
  }

  /** Those of the shipments whose label cannot be read, with its vault reference. */
  async among(shipmentIds: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const { rows } = await sql<{ shipment_id: string; label_ref: string | null }>`
      SELECT shipment_id, label_ref FROM unreadable_labels
      WHERE shipment_id = ANY (${shipmentIds}::text[])`.execute(this.#deps.db)
    return new Map(rows.map((row) => [row.shipment_id, row.label_ref]))
  }
}
