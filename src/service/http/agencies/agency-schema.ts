import { z } from 'zod'
import type { Agency } from '../../couriers/catalogue.ts'
import { exampleAgency } from '../openapi/courier-examples.ts'
import { livemode, openEnum, ownId, providerCode, timestamp, typeOf } from '../openapi/schemas.ts'

export const agencySchema = z
  .object({
    id: ownId('agy'),
    object: typeOf('agency'),
    livemode,
    name: z.string().meta({ description: 'Its name at the courier.' }),
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
    description: 'A branch of a courier, where parcels are dropped off or picked up.',
  })

export function agencyObject(agency: Agency, livemode: boolean): z.infer<typeof agencySchema> {
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
