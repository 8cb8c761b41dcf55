import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Client } from '../../client/create-client.ts'
import { beginPlay, type Place, type Play, playCall } from '../../client/play-scenario.ts'
import { useSendOnce } from '../forms/use-send-once.ts'
import { useSession } from '../session.tsx'
import type { FirstSteps } from './use-first-steps.ts'

/** The scenario in which nothing goes wrong. */
const firstScenario = 'happy_path'

export type FirstGuide = { readonly shipmentId: string; readonly guideNumber: string | null }

/** Creates the first test shipment. However often it is pressed, it is the same shipment. */
export function useFirstShipment(connection: FirstSteps['connection']) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [made, setMade] = useState<FirstGuide | null>(null)
  const begun = useRef<Play>(null)
  const sending = useSendOnce({
    send: async () => {
      if (connection === null) throw new Error('A shipment needs a courier connection.')
      const place = { workspaceId: connection.workspaceId, connectionId: connection.id }
      begun.current ??= await beginFirst(client, place)
      return await createFirst(client, begun.current)
    },
    onSent: async (guide) => {
      setMade(guide)
      await queries.invalidateQueries({ queryKey: ['shipments'] })
    },
  })
  return { made, sending }
}

async function beginFirst(client: Client, place: Place): Promise<Play> {
  const { data } = await client.sandbox.listScenarios()
  const scenario = data.find(({ name }) => name === firstScenario)
  if (scenario === undefined) throw new Error(`The service has no scenario ${firstScenario}.`)
  return await beginPlay(client, scenario, place)
}

async function createFirst(client: Client, play: Play): Promise<FirstGuide> {
  const [call] = play.scenario.calls
  if (call === undefined) throw new Error(`The scenario ${firstScenario} makes no call.`)
  const { shipmentId, answers } = await playCall(client, play, call)
  if (shipmentId === null) {
    throw answers.at(-1)?.error ?? new Error('No shipment was created.')
  }
  const { guide_number: guideNumber } = await client.shipments.get({ id: shipmentId })
  return { shipmentId, guideNumber }
}
