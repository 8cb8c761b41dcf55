import { creationScenarios } from './creation-scenarios.ts'
import { laterScenarios } from './later-scenarios.ts'
import type { Scenario } from './scenario.ts'

export type { Scenario, ScenarioEnd } from './scenario.ts'

export const scenarioNames = [
  'happy_path',
  'slow_success',
  'courier_rejected',
  'credentials_invalid',
  'courier_throttled',
  'courier_unreachable',
  'lost_response_guide_created',
  'lost_response_nothing_created',
  'lost_response_late_guide',
  'lost_response_human_review',
  'duplicate_guides',
  'malformed_success',
  'label_delayed',
  'quote_partial',
  'cancel_response_lost',
  'delivery_exception',
  'not_collected_returned',
  'lost_parcel',
  'noisy_tracking',
] as const
export type ScenarioName = (typeof scenarioNames)[number]
export const defaultScenario: ScenarioName = 'happy_path'

/**
 * The scenarios, used by the simulated courier, the sandbox route, its page, and the test that
 * plays them all.
 */
export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  ...creationScenarios,
  ...laterScenarios,
}

export function isScenarioName(text: string): text is ScenarioName {
  return Object.hasOwn(scenarios, text)
}
