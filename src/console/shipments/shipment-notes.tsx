import { i18n } from '@lingui/core'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas, Shipment } from '../../client/methods.ts'
import { Masked, MaskedUntilRevealed, RevealButton } from '../parts/masked.tsx'
import { Panel } from '../parts/panel.tsx'
import { useMay } from '../parts/scopes.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { useCreationId } from './act-reason.tsx'

/** The comments on the shipment's creation, such as the reasons for a cancellation or erasure. */
export function ShipmentNotes({ shipment }: { readonly shipment: Shipment }) {
  const { client } = useSession()
  const creationId = useCreationId(shipment)
  const mayRead = useMay('operations:read')
  const { id, version } = shipment
  const notes = useQuery({
    queryKey: ['shipment', id, 'notes', creationId, version],
    queryFn: ({ signal }) =>
      client.operations.listComments({ id: creationId ?? '', limit: notesMax }, { signal }),
    enabled: mayRead && creationId !== null,
    gcTime: 0,
  })
  const comments = notes.data?.data ?? []
  if (comments.length === 0) return null
  return (
    <MaskedUntilRevealed>
      <Panel title={i18n.t('Notes')} aside={<RevealButton word={i18n.t('Show the notes')} />}>
        <Stack component="ol" gap="xs">
          {comments.map((comment) => (
            <li key={comment.id}>
              <Text c="dimmed" fz="sm" mb={0}>
                <bdi>{authorOf(comment)}</bdi>, <Time at={comment.created_at} />
              </Text>
              <p>
                <Masked value={comment.text} />
              </p>
            </li>
          ))}
        </Stack>
      </Panel>
    </MaskedUntilRevealed>
  )
}

/** The API's largest page. */
const notesMax = 100

function authorOf({ by }: Schemas['OperationComment']): string {
  return by.name ?? by.operator_id ?? by.key_id ?? i18n.t('the command line')
}
