import type { Command } from './command.ts'
import { courierAdd, courierCheckCommand, courierList } from './couriers/courier.ts'
import { deliveriesList, deliveriesRedeliver } from './deliveries.ts'
import { copy } from './ledger/copy.ts'
import { diffCommand } from './ledger/diff.ts'
import { evidence } from './ledger/evidence.ts'
import { exportCommand } from './ledger/export.ts'
import { replay } from './ledger/replay.ts'
import { verify } from './ledger/verify.ts'
import { witness } from './ledger/witness.ts'
import {
  operationsList,
  operationsLook,
  operationsResolve,
  operationsShow,
} from './operations/operations.ts'
import {
  operationsAssign,
  operationsComment,
  operationsSnooze,
} from './operations/operations-work.ts'
import { auditList } from './organizations/audit.ts'
import { keyCreate, keyList, keyRevoke } from './organizations/key.ts'
import { operatorCreate, operatorDisable, operatorList } from './organizations/operator.ts'
import { orgCreate, orgList, orgSetPlan, orgSuspend } from './organizations/org.ts'
import { planCreate, planList, planUpdate } from './organizations/plan.ts'
import { erase } from './personal-data/erase.ts'
import { holdLift, holdList, holdPlace } from './personal-data/hold.ts'
import { databaseMigrate } from './storage/database.ts'
import { eventStoreUserCreate } from './storage/event-store.ts'
import { projectionsRebuild, projectionsStatus } from './storage/projections.ts'
import { secretsRotate } from './storage/secrets.ts'

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  orgCreate,
  orgList,
  orgSetPlan,
  orgSuspend,
  planList,
  planCreate,
  planUpdate,
  keyCreate,
  keyList,
  keyRevoke,
  operatorCreate,
  operatorList,
  operatorDisable,
  operationsList,
  operationsShow,
  operationsLook,
  operationsResolve,
  operationsAssign,
  operationsComment,
  operationsSnooze,
  deliveriesList,
  deliveriesRedeliver,
  projectionsStatus,
  projectionsRebuild,
  replay,
  diffCommand,
  verify,
  exportCommand,
  evidence,
  witness,
  erase,
  holdPlace,
  holdLift,
  holdList,
  auditList,
  secretsRotate,
  databaseMigrate,
  eventStoreUserCreate,
  copy,
  courierAdd,
  courierList,
  courierCheckCommand,
]
