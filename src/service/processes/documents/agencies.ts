import type { Catalogue } from '../../couriers/catalogue.ts'

type NamedAgency = { readonly name: string; readonly address: string }

type Route = {
  readonly providerCode: string
  readonly originId: string
  readonly destinationId: string
}

/** The agencies of these routes by id, as far as the courier lists them. */
export async function agenciesOf(
  catalogue: Pick<Catalogue, 'agency'>,
  livemode: boolean,
  routes: readonly Route[],
): Promise<ReadonlyMap<string, NamedAgency>> {
  const wanted = new Map(
    routes.flatMap(({ providerCode, originId, destinationId }) => [
      [originId, providerCode],
      [destinationId, providerCode],
    ]),
  )
  const found = [...wanted].map(async ([id, providerCode]) => {
    const answer = await catalogue.agency({ livemode, providerCode }, id)
    if (answer.kind !== 'found') return []
    const { name, address, district, province, department } = answer.item
    return [[id, { name, address: [address, district, province, department].join(', ') }] as const]
  })
  return new Map((await Promise.all(found)).flat())
}
