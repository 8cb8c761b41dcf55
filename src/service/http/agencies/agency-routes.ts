import { z } from 'zod'
import {
  type AgencyIndex,
  agencyIndex,
  searchWordsMax,
  wordsOf,
} from '../../couriers/agency-index.ts'
import type { Agency } from '../../couriers/catalogue.ts'
import { Problem } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'
import { connections } from '../connections/connection-schema.ts'
import { exampleAgency } from '../openapi/courier-examples.ts'
import {
  filterText,
  idOf,
  listOf,
  listQuery,
  livemode,
  openEnum,
  ownId,
  pathId,
  providerCode,
  timestamp,
  typeOf,
} from '../openapi/schemas.ts'
import { courierFailed } from '../problems/courier-failed.ts'
import { authenticated } from '../rules/authenticate.ts'
import { listPage } from '../rules/lists.ts'
import type { App, RouteDeps } from '../server-deps.ts'

type Deps = Pick<RouteDeps, 'catalogue' | 'couriers' | 'db' | 'secrets'>

/** The longest search text, and the longest name of a place. */
const searchLengthMax = 100

const agencySchema = z
  .object({
    id: ownId('agy'),
    object: typeOf('agency'),
    livemode,
    name: z.string().meta({ description: "The courier's name for it." }),
    address: z.string().meta({ description: 'The street and number, as the courier writes them.' }),
    department: z.string().meta({ description: 'The first-level division of the country.' }),
    province: z.string().meta({ description: 'The division within the department.' }),
    district: z.string().meta({ description: 'The division within the province.' }),
    capabilities: z.array(openEnum(['drop_off', 'pickup'])).meta({
      description:
        'What it does: `drop_off` takes parcels in, so it can be an origin; `pickup` hands them out, so it can be a destination.',
    }),
    provider_code: providerCode,
    created_at: timestamp
      .nullable()
      .meta({ description: 'Always `null`: couriers do not report it.' }),
  })
  .meta({
    id: 'Agency',
    examples: [exampleAgency],
    description: "A courier's branch, where parcels are taken in or handed out.",
  })

function agencyObject(agency: Agency, livemode: boolean): z.infer<typeof agencySchema> {
  return {
    id: agency.id,
    object: 'agency',
    livemode,
    name: agency.name,
    address: agency.address,
    department: agency.department,
    province: agency.province,
    district: agency.district,
    capabilities: [...agency.capabilities],
    provider_code: agency.providerCode,
    created_at: null,
  }
}

const place = (name: string) =>
  filterText(searchLengthMax)
    .optional()
    .meta({ description: `Only agencies in this ${name}, ignoring case and accents.` })
const search = filterText(searchLengthMax).refine(
  (text) => wordsOf(text).length <= searchWordsMax,
  {
    error: `A search has at most ${searchWordsMax} words.`,
    params: { reason: 'too_many_words' },
  },
)

export function agencyRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/agencies',
    config: {
      collectionScope: null,
      problems: ['not_found', 'courier_unreachable', 'courier_throttled'],
    },
    schema: {
      operationId: 'listAgencies',
      summary: "Search the agencies of a connection's courier, best match first",
      description:
        'Use it to let a person choose where a parcel starts and where it is collected. 503 `courier_unreachable`: the list is not known yet and the courier cannot be asked now.',
      tags: ['Couriers'],
      querystring: listQuery({
        courier_connection_id: idOf('ccn').meta({
          description: 'The connection whose courier is asked.',
        }),
        search: search.optional().meta({
          description: `Only agencies that fit these words, at most ${searchWordsMax}. Each must be the start of a word in the name, address, district, province or department. Punctuation only separates words. A search without a word returns every agency.`,
        }),
        department: place('department'),
        province: place('province'),
        district: place('district'),
        capability: z
          .enum(['drop_off', 'pickup'])
          .optional()
          .meta({ description: 'Only agencies that take parcels in, or that hand them out.' }),
      }),
      response: { 200: listOf(agencySchema, 'A page of agencies, best match first.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      const connection = await connections.find(deps, principal, query.courier_connection_id)
      const agencies = await agenciesOf(deps, principal, connection.provider_code)
      return listPage({
        deps,
        principal,
        route: '/v1/agencies',
        query,
        read: async ({ after, limit }) => {
          const page = agencies.page(query, { after: after?.[0] ?? null, limit })
          // The last agency of the previous page has closed since, so the place to continue from is
          // unknown.
          if (page === null) throw new Problem('invalid_cursor')
          return page
        },
        sortKey: ({ id }) => [id],
        item: (agency) => agencyObject(agency, principal.livemode),
      })
    },
  })
  readRoute(app, deps)
}

function readRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/agencies/:id',
    config: {
      collectionScope: null,
      isVersioned: true,
      problems: ['courier_unreachable', 'courier_throttled'],
    },
    schema: {
      operationId: 'getAgency',
      summary: 'Read an agency',
      description: 'Use it to show the agency of a shipment by its id.',
      tags: ['Couriers'],
      params: pathId('agy'),
      response: { 200: agencySchema.meta({ description: 'The agency.' }) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { livemode } = principal
      for (const providerCode of deps.couriers.codes({ livemode })) {
        const found = await deps.catalogue.agency({ livemode, providerCode }, request.params.id)
        if (found.kind === 'found') return agencyObject(found.item, livemode)
      }
      throw new Problem('not_found')
    },
  })
}

async function agenciesOf(
  deps: Deps,
  { livemode }: Principal,
  providerCode: string,
): Promise<AgencyIndex<Agency>> {
  const listed = await deps.catalogue.agencies({ livemode, providerCode })
  if (listed.kind === 'listed') return listed.index
  if (listed.kind === 'absent') return await agencyIndex([])
  throw courierFailed(listed)
}
