import {
  BinaryOperationNode,
  ColumnNode,
  type Kysely,
  type KyselyPlugin,
  OperationNodeTransformer,
  OperatorNode,
  ReferenceNode,
  SelectQueryNode,
  ValueNode,
} from 'kysely'
import { apiOf } from '../../../src/service/api.ts'
import { shipmentStreamPrefix } from '../../../src/service/domain/ids.ts'
import type { App } from '../../../src/service/http/api-services.ts'
import type { Services } from '../../../src/service/services.ts'
import { noLogger, type Service } from '../../support/service.ts'
import type { Reach, World } from './isolation-worlds.ts'

/** Makes every condition on the organization always true. */
class Blinding extends OperationNodeTransformer {
  protected override transformBinaryOperation(
    ...args: Parameters<OperationNodeTransformer['transformBinaryOperation']>
  ): BinaryOperationNode {
    const node = super.transformBinaryOperation(...args)
    const { leftOperand: left } = node
    const isOwner =
      ReferenceNode.is(left) &&
      ColumnNode.is(left.column) &&
      left.column.column.name === 'organization_id'
    if (!isOwner) return node
    const one = ValueNode.createImmediate(1)
    return BinaryOperationNode.create(one, OperatorNode.create('='), one)
  }
}

const blindingPlugin: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => new Blinding().transformNode(node, queryId),
  transformResult: async ({ result }) => result,
}

/** The same, only for the vault's query for the owner of a shipment. */
const blindingOwnersPlugin: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => {
    const isOfVault = SelectQueryNode.is(node) && JSON.stringify(node.from).includes('"vault"')
    return isOfVault ? new Blinding().transformNode(node, queryId) : node
  },
  transformResult: async ({ result }) => result,
}

/** A database that ignores further plugins, so that the tenant restriction has no effect. */
function unfenced<Tables>(db: Kysely<Tables>): Kysely<Tables> {
  return replacing(db, { withPlugin: () => unfenced(db) })
}

type Layers = { readonly conditions: boolean; readonly fence: boolean }

function weakened<Tables>(db: Kysely<Tables>, { conditions, fence }: Layers): Kysely<Tables> {
  const asked = conditions ? db : db.withPlugin(blindingPlugin)
  return fence ? asked : unfenced(asked)
}

async function apiFrom(parts: Services): Promise<{ readonly app: App; close(): Promise<void> }> {
  const { app, keys } = apiOf(parts, noLogger())
  await app.ready()
  return {
    app,
    close: async () => {
      await app.close()
      await keys.close()
    },
  }
}

/** The service's API without one or both of the layers that separate organizations. */
export function apiWithout({ parts }: Service, layers: Layers) {
  return apiFrom({ ...parts, db: weakened(parts.db, layers) })
}

export type Owners = { readonly ofVault: boolean; readonly ofStreams: boolean }

/** The same, where the vault, the shipment's stream, or both claim that the caller is the owner. */
export function apiWithoutOwners(
  { parts }: Service,
  owners: Owners,
  { own }: Reach,
  organizationId: string,
) {
  const { store } = parts
  const db = owners.ofVault ? parts.db : unfenced(parts.db.withPlugin(blindingOwnersPlugin))
  if (owners.ofStreams) return apiFrom({ ...parts, db })
  const readStream: typeof store.readStream = async (...args) => {
    const events = await store.readStream(...args)
    if (!args[0].startsWith(shipmentStreamPrefix)) return events
    return events.map((event) => ({
      ...event,
      data: ownedBy(event.data, own, organizationId),
      metadata: ownedBy(event.metadata, own, organizationId),
    }))
  }
  const forged = replacing(store, { readStream })
  return apiFrom({ ...parts, db, store: forged })
}

function ownedBy<Data>(data: Data, own: World, organizationId: string): Data {
  if (typeof data !== 'object' || data === null || !('organization_id' in data)) return data
  return { ...data, organization_id: organizationId, workspace_id: own.workspace }
}

/** A copy with one method replaced, whether its methods are own or inherited. */
function replacing<Thing extends object>(thing: Thing, other: Partial<Thing>): Thing {
  return new Proxy(thing, {
    get: (target, name) => {
      if (name in other) return Reflect.get(other, name)
      const found: unknown = Reflect.get(target, name, target)
      return typeof found === 'function' ? found.bind(target) : found
    },
  })
}
