import type { FastifyRequest, RouteOptions } from 'fastify'
import { Problem } from '../../errors.ts'

type KnownPath = { readonly pattern: RegExp; readonly methods: Set<string> }

/** Records the methods of each path, so that a wrong method is 405 with `Allow` instead of 404. */
export function knownPaths() {
  const paths = new Map<string, KnownPath>()
  return {
    note({ url, method }: RouteOptions): void {
      const path = paths.get(url) ?? { pattern: patternOf(url), methods: new Set() }
      for (const one of [method].flat()) path.methods.add(one.toUpperCase())
      paths.set(url, path)
    },
    refuse(request: FastifyRequest): never {
      const [address = ''] = request.url.split('?', 1)
      const allowed = [...paths.values()].filter(({ pattern }) => pattern.test(address))
      const methods = new Set(allowed.flatMap((path) => [...path.methods]))
      // A path with a wildcard matches every file, including files that do not exist.
      if (allowed.length === 0 || methods.has(request.method)) {
        throw new Problem('not_found', {
          detail: 'There is no such route. /openapi.json lists all routes.',
        })
      }
      throw new Problem('method_not_allowed', {
        headers: { allow: [...methods].sort().join(', ') },
      })
    },
  }
}

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('/')}$`)
}
