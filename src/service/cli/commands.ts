import type { Command } from './command.ts'
import { courierAdd, courierCheckCommand, courierList } from './couriers/courier-commands.ts'
import { deliveriesList, deliveriesRedeliver } from './deliveries-commands.ts'
import { copy } from './ledger/copy-command.ts'
import { diffCommand } from './ledger/diff-command.ts'
import { evidence } from './ledger/evidence-command.ts'
import { exportCommand } from './ledger/export-command.ts'
import { recover } from './ledger/recover-command.ts'
import { replay } from './ledger/replay-command.ts'
import { verify } from './ledger/verify-command.ts'
import { witness } from './ledger/witness-command.ts'
import {
  operationsList,
  operationsLook,
  operationsResolve,
  operationsShow,
} from './operations/operations-commands.ts'
import {
  operationsAssign,
  operationsComment,
  operationsSnooze,
} from './operations/operations-work-commands.ts'
import { auditList } from './organizations/audit-command.ts'
import { keyCreate, keyList, keyRevoke, keyRoll } from './organizations/key-commands.ts'
import { operatorCreate, operatorDisable, operatorList } from './organizations/operator-commands.ts'
import { orgCreate, orgList, orgSetPlan, orgSuspend } from './organizations/org-commands.ts'
import { planCreate, planList, planUpdate } from './organizations/plan-commands.ts'
import { erase } from './personal-data/erase-command.ts'
import { holdLift, holdList, holdPlace } from './personal-data/hold-commands.ts'
import { databaseMigrate } from './storage/database-command.ts'
import { eventStoreUserCreate } from './storage/event-store-command.ts'
import { projectionsRebuild, projectionsStatus } from './storage/projections-commands.ts'
import { secretsRotate } from './storage/secrets-command.ts'

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
  keyRoll,
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
  recover,
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
