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
import type { ApiServices, App } from '../api-services.ts'
import { connections } from '../connections/connection-schema.ts'
import { filterText, idOf, listOf, listQuery } from '../openapi/schemas.ts'
import { courierFailed } from '../problems/courier-failed.ts'
import { answerList } from '../rules/answer-list.ts'
import { authenticated } from '../rules/authenticate.ts'
import { agencyObject, agencySchema } from './agency-schema.ts'

/** The longest search text, and the longest name of a place. */
const searchLengthMax = 100

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

export function listAgenciesRoute(app: App, deps: ApiServices): void {
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
          description: `Only agencies that match these words, at most ${searchWordsMax}. Each must be the start of a word in the name, address, district, province or department. Punctuation only separates words. A search without a word returns every agency.`,
        }),
        department: place('department'),
        province: place('province'),
        district: place('district'),
        capability: z
          .enum(['drop_off', 'pickup'])
          .optional()
          .meta({ description: 'Only agencies where parcels can be dropped off, or picked up.' }),
      }),
      response: { 200: listOf(agencySchema, 'A page of agencies, best match first.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      const connection = await connections.find(deps, principal, query.courier_connection_id)
      const agencies = await agenciesOf(deps, principal, connection.provider_code)
      return await answerList(request, deps, {
        read: async ({ after, limit }) => {
          const page = agencies.page(query, { after: after?.[0] ?? null, limit })
          // The last agency of the previous page has closed since then, so the place to continue
          // from is unknown.
          if (page === null) throw new Problem('invalid_cursor')
          return page
        },
        sortKey: ({ id }) => [id],
        show: (page) => page.map((agency) => agencyObject(agency, principal.livemode)),
      })
    },
  })
}

async function agenciesOf(
  deps: ApiServices,
  { livemode }: Principal,
  providerCode: string,
): Promise<AgencyIndex<Agency>> {
  const listed = await deps.catalogue.agencies({ livemode, providerCode })
  if (listed.kind === 'listed') return listed.index
  if (listed.kind === 'absent') return await agencyIndex([])
  throw courierFailed(listed)
}
