import type { Scenario } from '../../client/play-scenario.ts'
import { ServiceText } from '../parts/service-text.tsx'
import { type ScenarioWords, scenarioWords, serviceTexts } from './scenario-words.ts'

type TextProps = { readonly scenario: Scenario; readonly part: keyof ScenarioWords }

/** A text about a scenario in the person's language; of an unknown one, as the service says it. */
export function ScenarioText({ scenario, part }: TextProps) {
  return (
    scenarioWords[scenario.name]?.[part]() ?? (
      <ServiceText>{serviceTexts(scenario)[part]}</ServiceText>
    )
  )
}
