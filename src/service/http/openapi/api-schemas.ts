import type { RouteOptions } from 'fastify'
import { core, globalRegistry } from 'zod'

/**
 * The named schemas that the routes use. Names in zod are global to the process, and the connector
 * protocol has its own `Agency`, so the API's document includes only what its routes use.
 */
export function apiSchemas() {
  const registry = new core.$ZodRegistry<{ id?: string | undefined }>()
  registry._map = globalRegistry._map
  const seen = new Set<unknown>()
  const noted: unknown[] = []
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    if (value instanceof core.$ZodType) {
      const id = globalRegistry.get(value)?.id
      if (id !== undefined) registry._idmap.set(id, value)
      // The parent of a schema that was described for one place is the schema it was made from.
      walk(value._zod.parent)
      walk(value._zod.def)
    } else for (const part of Object.values(value)) walk(part)
  }
  return {
    registry,
    note({ schema }: RouteOptions): void {
      if (schema !== undefined && !('hide' in schema)) noted.push(schema)
    },
    /**
     * Fills the registry. It is slow, because zod builds a schema on first use, so it does not
     * delay the start.
     */
    collect(): void {
      for (const schema of noted.splice(0)) walk(schema)
    },
  }
}

/** How zod schemas become JSON schemas. */
export const jsonSchemaOptions = {
  override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
    // The bounds of safe integers say nothing about the field.
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    // A number in a query arrives as text. The type already says what the text looks like.
    if (jsonSchema.type === 'integer') delete jsonSchema.pattern
  },
}
