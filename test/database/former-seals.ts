import type pg from 'pg'
import { migrationNames, migrationText } from '../../src/service/database/migrate.ts'
import { applicationRole } from '../../src/service/embedded-postgres/embedded.ts'

const sinceBatches = '0027'

/** Takes back what the migrations from 0065 on have added. */
export async function undoFrom0065(admin: pg.Client): Promise<void> {
  await undoFrom0066(admin)
  await admin.query('ALTER TABLE courier_invoice_lines DROP COLUMN at_stake')
  await admin.query('DROP INDEX courier_invoice_lines_differing, courier_invoice_lines_of_shipment')
  await admin.query(
    `CREATE INDEX courier_invoice_lines_decided ON courier_invoice_lines (invoice_id, version, decision)
     WHERE decision IS NOT NULL`,
  )
}

/** Takes back what the migrations from 0061 on have added. */
export async function undoFrom0061(admin: pg.Client): Promise<void> {
  await undoFrom0065(admin)
  await admin.query(
    'ALTER TABLE webhook_leases DROP COLUMN session_pid, DROP COLUMN session_started',
  )
  await admin.query('DROP FUNCTION ledger.append_with_items')
  await admin.query(
    'DROP FUNCTION ledger.append_beside, ledger.store_first, ledger.store_beside, ledger.lock_organizations',
  )
}

/** Takes back what the migrations from 0066 on have added. */
export async function undoFrom0066(admin: pg.Client): Promise<void> {
  await undoFrom0072(admin)
  await admin.query('DROP TABLE request_traces, sign_in_codes; DROP INDEX operators_by_email')
  await admin.query('ALTER TABLE operators DROP COLUMN subject')
  await admin.query(
    'ALTER TABLE api_keys DROP COLUMN name, DROP COLUMN role, DROP COLUMN replaced_by_key_id, DROP COLUMN from_sign_in',
  )
}

/** Takes back what the migrations from 0074 on have added. */
export async function undoFrom0074(admin: pg.Client): Promise<void> {
  await admin.query(
    'ALTER TABLE courier_invoice_lines DROP COLUMN at_stake, DROP COLUMN kind CASCADE',
  )
  const [addAtStake = ''] = migrationText('0065-invoice-money').split('\n\n')
  await admin.query(addAtStake)
  await admin.query(
    `CREATE INDEX courier_invoice_lines_decided ON courier_invoice_lines (invoice_id, version, decision)
     INCLUDE (finding, decided_finding, currency, amount, at_stake) WHERE decision IS NOT NULL`,
  )
}

/** Takes back what the migrations from 0072 on have added. */
export async function undoFrom0072(admin: pg.Client): Promise<void> {
  await undoFrom0074(admin)
  await admin.query(
    `ALTER TABLE workspaces DROP COLUMN label_format, DROP COLUMN tracking_page_enabled,
       DROP COLUMN tracking_page_shop_name, DROP COLUMN tracking_page_support_url,
       DROP COLUMN tracking_page_accent`,
  )
}

/** Converts seals to the form before they were stored in batches: one row per event. */
export async function sealsOneByOne(admin: pg.Client): Promise<void> {
  await undoFrom0061(admin)
  const [table = ''] = migrationText('0014-seal').split('\n\n')
  await admin.query(table)
  await admin.query(
    `INSERT INTO sealed_events (tree_index, position, stream, revision, leaf)
     SELECT first_index + n - 1, position, stream, revision,
       substring(leaves FROM 32 * n::int - 31 FOR 32)
     FROM sealed_batches CROSS JOIN LATERAL
       unnest(positions, streams, revisions) WITH ORDINALITY AS event(position, stream, revision, n)`,
  )
  await admin.query(
    'DROP TABLE sealed_batches, checkpoint_cosignatures, vault_sweep, workspace_hold_notes, webhook_statistics',
  )
  await admin.query('ALTER TABLE workspaces DROP COLUMN legal_hold_since')
  await admin.query(
    'ALTER TABLE api_keys DROP COLUMN operator_id, DROP COLUMN created_by_key_id, DROP COLUMN created_by_operator_id',
  )
  await admin.query(
    'ALTER TABLE webhook_lanes DROP COLUMN counted_failures, DROP COLUMN counted_at',
  )
  await admin.query('ALTER TABLE quota_thresholds DROP COLUMN enqueued_at')
  await admin.query(
    'DROP TABLE operators, request_log, alerts, batch_lanes, batch_orders, batch_lines, batches, unwritable_files, unreadable_labels',
  )
  await admin.query(
    'DROP TABLE lost_sealed_batches, lost_checkpoints, ledger_damages; DROP FUNCTION ledger.cut_seal',
  )
  await admin.query(
    'DROP TRIGGER event_is_of_its_position ON merkle_tree; DROP FUNCTION ledger.forget_former_event',
  )
  await admin.query(
    'ALTER TABLE merkle_tree DROP COLUMN event_id; ALTER TABLE projections DROP COLUMN event_id, DROP COLUMN event_position',
  )
  await admin.query(
    'DROP TABLE courier_invoice_invalid_lines, courier_invoice_lines, courier_invoice_versions, courier_invoices',
  )
  await admin.query('ALTER TABLE projections DROP COLUMN stopped_at')
  await admin.query(
    'ALTER TABLE sandbox_clocks DROP COLUMN advanced_to, DROP COLUMN steps_done, DROP COLUMN skipped, DROP COLUMN skipped_more',
  )
  await admin.query(
    'DROP FUNCTION ledger.lock_vault_rows, ledger.erase_vault_rows, ledger.delete_vault_orphans, ledger.rewrap_vault_keys',
  )
  await admin.query(`GRANT UPDATE, DELETE ON vault, vault_items TO ${applicationRole}`)
  const later = migrationNames().filter((name) => name >= sinceBatches)
  await admin.query('DELETE FROM migrations.kysely_migration WHERE name = ANY ($1)', [later])
}
