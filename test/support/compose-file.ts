import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { keyBytes } from '../../src/service/config.ts'
import { projectRoot } from './source-files.ts'

/** Every key that a service of docker-compose.yml may have; the rules check the values. */
const serviceSchema = z.strictObject({
  build: z.string().optional(),
  image: z.string().optional(),
  profiles: z.array(z.string()).default([]),
  user: z.string().optional(),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).default([]),
  restart: z.string(),
  stop_grace_period: z.string(),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  networks: z.array(z.string()).default([]),
  network_mode: z.string().optional(),
  volumes: z.array(z.string()).default([]),
  configs: z.array(z.object({ source: z.string(), target: z.string() })).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z
    .object({ test: z.array(z.string()), timeout: z.string(), start_interval: z.string() })
    .optional(),
  logging: z.object({ driver: z.string() }),
})

/** The parts of the Compose file that are used here; the linter's schema checks the whole file. */
const composeSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) }).nullable()),
  volumes: z.record(z.string(), z.null()),
  configs: z.record(
    z.string(),
    z.object({ content: z.string().optional(), file: z.string().optional() }),
  ),
})

export type Compose = z.output<typeof composeSchema>
export type Service = z.output<typeof serviceSchema>

export const composeText = readFileSync(join(projectRoot, 'docker-compose.yml'), 'utf8')

export function readCompose(): Compose {
  return composeSchema.parse(parse(composeText, { merge: true }))
}

export type Secrets = Readonly<Record<string, string>>

/** Secrets as an operator creates them; the head of the Compose file says how. */
export function createSecrets(): Secrets {
  const keys = ['SECRETS_KEY', 'API_KEY_PEPPER', 'CHECKPOINT_KEY', 'SIMULATOR_KEY']
  const passwords = [
    'POSTGRES_PASSWORD',
    'DATABASE_OWNER_PASSWORD',
    'DATABASE_PASSWORD',
    'EVENT_STORE_ADMIN_PASSWORD',
    'EVENT_STORE_OPS_PASSWORD',
    'EVENT_STORE_PASSWORD',
  ]
  return {
    ...Object.fromEntries(keys.map((name) => [name, randomBytes(keyBytes).toString('base64')])),
    ...Object.fromEntries(passwords.map((name) => [name, randomBytes(24).toString('hex')])),
  }
}

/** A value, a word of a command or a text of the file as Compose gives it to a container. */
export function interpolate(value: string, secrets: Secrets): string {
  return value.replace(/\$\$|\$\{(\w+)[^}]*\}/g, (found, name) =>
    found === '$$' ? '$' : (secrets[name] ?? ''),
  )
}

/** The seconds of a duration such as `45s`. */
export function secondsOf(duration: string): number {
  return Number(/^(\d+)s$/.exec(duration)?.[1])
}
