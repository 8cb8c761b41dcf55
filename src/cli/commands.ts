import { auditList } from './audit.ts'
import type { Command } from './command.ts'
import { copy } from './copy.ts'
import { courierAdd, courierCheckCommand, courierList } from './courier.ts'
import { databaseMigrate } from './database.ts'
import { deliveriesList, deliveriesRedeliver } from './deliveries.ts'
import { diffCommand } from './diff.ts'
import { erase } from './erase.ts'
import { eventStoreUserCreate } from './event-store.ts'
import { exportCommand } from './export.ts'
import { holdLift, holdList, holdPlace } from './hold.ts'
import { keyCreate, keyList, keyRevoke } from './key.ts'
import { operationsList, operationsLook, operationsResolve, operationsShow } from './operations.ts'
import { operatorCreate, operatorDisable, operatorList } from './operator.ts'
import { orgCreate, orgList, orgSetPlan, orgSuspend } from './org.ts'
import { planCreate, planList, planUpdate } from './plan.ts'
import { projectionsRebuild, projectionsStatus } from './projections.ts'
import { replay } from './replay.ts'
import { secretsRotate } from './secrets.ts'
import { verify } from './verify.ts'
import { witness } from './witness.ts'

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
  deliveriesList,
  deliveriesRedeliver,
  projectionsStatus,
  projectionsRebuild,
  replay,
  diffCommand,
  verify,
  exportCommand,
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
