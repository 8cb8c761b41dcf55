import type pg from 'pg'
import { applicationRole } from '../../src/service/embedded-postgres/embedded.ts'

/**
 * Converts due work and the texts of webhook events to the form before there was one list: read
 * models `timers` and `tracking`, and lists of polls and labels. The migration must take over all
 * of it.
 */
export async function dueInManyLists(
  admin: pg.Client,
  { readModels = true }: { readonly readModels?: boolean } = {},
): Promise<void> {
  await admin.query(`
    CREATE TABLE polls (
      shipment_id text COLLATE "C" PRIMARY KEY, last_checked_at timestamptz,
      next_check_at timestamptz NOT NULL, failures int NOT NULL DEFAULT 0,
      workspace_id text COLLATE "C" NOT NULL, livemode boolean NOT NULL,
      guide_number text COLLATE "C", has_slot boolean NOT NULL DEFAULT false);
    CREATE TABLE label_requests (
      shipment_id text COLLATE "C" PRIMARY KEY, requested_at timestamptz, next_at timestamptz,
      workspace_id text COLLATE "C" NOT NULL, livemode boolean NOT NULL);
    CREATE TABLE follow_progress (position text COLLATE "C" NOT NULL);
    INSERT INTO polls SELECT shipment_id, last_checked_at, coalesce(check_at, '9999-12-31Z'),
        failures, workspace_id, livemode, guide_number, has_slot
      FROM due WHERE guide_number IS NOT NULL;
    INSERT INTO label_requests SELECT shipment_id, label_requested_at, label_at, workspace_id, livemode
      FROM due WHERE label_at IS NOT NULL OR label_requested_at IS NOT NULL;
    INSERT INTO follow_progress SELECT position FROM projections WHERE name = 'due';
    ALTER TABLE erasures ADD COLUMN due_at timestamptz;
    UPDATE erasures e SET due_at = d.erase_at FROM due d WHERE d.shipment_id = e.shipment_id;
    DROP INDEX erasures_pending;
`)
  if (readModels)
    await admin.query(`
    CREATE TABLE projections.timers_g1 AS
      SELECT shipment_id, workspace_id, livemode, reconcile_at AS due_at FROM due;
    CREATE TABLE projections.tracking_g1 AS
      SELECT d.shipment_id, d.workspace_id, d.livemode, ''::text AS position, d.guide_number,
        s.created_at AS followed_from, d.check_at AS first_check_at, d.check_at IS NOT NULL AS is_followed
      FROM due d JOIN projections.shipments s USING (shipment_id) WHERE d.guide_number IS NOT NULL;
    CREATE VIEW projections.timers AS SELECT * FROM projections.timers_g1;
    CREATE VIEW projections.tracking AS SELECT * FROM projections.tracking_g1;
    DROP VIEW projections.shipments;
    ALTER TABLE projections.shipments_g1 DROP COLUMN is_open, ADD COLUMN state json;
    CREATE VIEW projections.shipments AS SELECT * FROM projections.shipments_g1;
    ALTER VIEW projections.shipments OWNER TO ${applicationRole};
    UPDATE projections SET version = 8 WHERE name = 'shipments';`)
  await admin.query(`
    DELETE FROM projections WHERE name = 'due';
    DROP TABLE due;
    ALTER TABLE claims DROP COLUMN held;
    ALTER TABLE sandbox_attempts DROP COLUMN is_withdrawn;
    UPDATE webhook_events SET body = '{}' WHERE body IS NULL;
    ALTER TABLE webhook_events ALTER COLUMN body SET NOT NULL,
      DROP COLUMN shipment_version, DROP COLUMN sequence`)
  for (const more of ['', ', text[]']) {
    await admin.query(
      `CREATE FUNCTION projection_apply(text, integer, boolean, text, text, text[], json[]${more})
       RETURNS boolean LANGUAGE sql AS 'SELECT false'`,
    )
  }
}
