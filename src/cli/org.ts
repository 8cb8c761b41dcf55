import { createApiKey, defaultScopes } from '../security/api-keys.ts'
import {
  createOrganization,
  listOrganizations,
  type Organization,
  organizationNameMax,
  organizationTypes,
} from '../security/organizations.ts'
import { byCli } from './administration.ts'
import { type Command, columns, rowsMax, UsageError } from './command.ts'

export const orgCreate: Command = {
  name: 'org create',
  summary: 'Onboards an organization and prints its first test key, once.',
  flags: {
    name: { value: 'NAME', required: true, description: 'What people call it.' },
    type: {
      value: 'TYPE',
      allowed: organizationTypes,
      description: `One of ${organizationTypes.join(', ')}; external if left out.`,
    },
  },
  examples: [
    "org create --name 'A shop'",
    "org create --name 'Our own shops' --type internal --json",
  ],
  run: async ({ flags, open }) => {
    const name = flags.get('name') ?? ''
    if (name.length > organizationNameMax) {
      throw new UsageError(`--name is longer than ${organizationNameMax} characters.`)
    }
    const type = organizationTypes.find((one) => one === flags.get('type')) ?? 'external'
    const deps = await open()
    const organization = await createOrganization(deps, { name, type }, byCli)
    const order = {
      organizationId: organization.id,
      workspaceId: null,
      livemode: false,
      scopes: defaultScopes,
      expiresAt: null,
    }
    const { id, key } = await createApiKey(deps, order, byCli)
    return {
      json: { organization: described(organization), api_key: { id, livemode: false, key } },
      text: `Organization ${organization.id} (${type})\nIts first test key, shown only now:\n${key}`,
    }
  },
}

export const orgList: Command = {
  name: 'org list',
  summary: `Lists the organizations, the oldest first, at most ${rowsMax}.`,
  flags: {},
  examples: ['org list', 'org list --json'],
  run: async ({ open }) => {
    const { db } = await open()
    const organizations = await listOrganizations(db, rowsMax)
    const rows = organizations.map(({ id, type, createdAt, name }) => [
      id,
      type,
      createdAt.toISOString(),
      name,
    ])
    return {
      json: { data: organizations.map(described) },
      text: columns([['ID', 'TYPE', 'CREATED', 'NAME'], ...rows]),
    }
  },
}

function described({ id, name, type, createdAt }: Organization) {
  return { id, object: 'organization', name, type, created_at: createdAt.toISOString() }
}
