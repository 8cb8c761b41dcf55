import { z } from 'zod'
import { wellFormedText } from './courier-text.ts'
import { connectorLimits } from './protocol-codes.ts'

export const protocolVersion = 'v1'

/** A text written by the courier. A test checks that every text in an answer is this or a code. */
export const words = () => z.string().overwrite(wellFormedText)

const credentialName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/)
export const credentials = z.record(credentialName, z.string().max(1024)).meta({
  id: 'Credentials',
  description:
    "The courier account's own credentials: the connector's `credential_fields` by name, those that the shop has given.",
})
const credentialField = z
  .object({
    name: credentialName,
    label: words().min(1).max(100).describe('Its name for people.'),
    secret: z.boolean().describe('Whether it is hidden while it is typed.'),
    required: z.boolean(),
  })
  .meta({ id: 'CredentialField' })

/** What the simulated courier asks for, and every connector that does not say. */
export const userNameAndPassword = [
  { name: 'username', label: 'User name', secret: false, required: true },
  { name: 'password', label: 'Password', secret: true, required: true },
] as const

/** What a connector says about itself: what it can be asked for, and what an account needs. */
export const description = z
  .object({
    protocol: z.literal(protocolVersion),
    name: words().min(1).max(100),
    capabilities: z.object({
      find: z.boolean(),
      cancel: z.boolean(),
      tracking: z.boolean(),
      label: z.boolean(),
      quote: z.boolean(),
      invoices: z.boolean().default(false),
      cash_on_delivery: z.boolean().default(false),
      declared_value: z.boolean().default(false),
      recipient_phone: z
        .boolean()
        .default(false)
        .describe("Whether it takes the recipient's phone and e-mail address."),
    }),
    credential_fields: z
      .array(credentialField)
      .min(1)
      .max(connectorLimits.credentialFieldsMax)
      .refine((fields) => new Set(fields.map(({ name }) => name)).size === fields.length, {
        error: 'Two fields have one name.',
      })
      .default([...userNameAndPassword])
      .describe('What an account needs. Default: `username` and `password`, both required.'),
  })
  .meta({ id: 'Description' })
