import type { FastifyRequest } from 'fastify'
import {
  defaultScenario,
  isScenarioName,
  scenarioNames,
} from '../../couriers/scenarios/scenarios.ts'
import { Problem } from '../../errors.ts'
import { headerCount } from './header-count.ts'

/**
 * The scenario that a request names in its header or, for tools that cannot set headers, in its
 * metadata. Null for a live key, which must not name one.
 */
export function scenarioOf(
  request: FastifyRequest,
  livemode: boolean,
  metadata: { readonly [key: string]: string } | null | undefined,
): string | null {
  const header = request.headers['sandbox-scenario']
  const inMetadata = metadata?.sandbox_scenario
  if (headerCount(request, 'sandbox-scenario') > 1) throw new Problem('scenario_conflict')
  if (livemode) {
    if (header !== undefined || inMetadata !== undefined) {
      throw new Problem('sandbox_only', {
        detail: 'Scenarios are for test keys. A call with a live key must not name one.',
      })
    }
    return null
  }
  if (header !== undefined && inMetadata !== undefined && header !== inMetadata) {
    throw new Problem('scenario_conflict')
  }
  const name = (Array.isArray(header) ? header[0] : header) ?? inMetadata ?? defaultScenario
  if (!isScenarioName(name)) {
    throw new Problem('unknown_scenario', {
      detail: `The scenarios are: ${scenarioNames.join(', ')}.`,
    })
  }
  return name
}
