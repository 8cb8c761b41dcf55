import { NativeSelect, TextInput } from '@mantine/core'
import IconDownload from '@tabler/icons-react/icons/IconDownload'
import { useMutation } from '@tanstack/react-query'
import type { Client } from '../../client/create-client.ts'
import { WorkspaceChoice } from '../forms/workspace-choice.tsx'
import { csvOf } from '../lists/csv.ts'
import { saveFile } from '../parts/save-file.ts'
import { Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { useSession } from '../session.tsx'
import { type BatchDraft, useConnections } from './batch-draft.ts'

/** The API's largest page. */
const pageItems = 100

type PlaceProps = { readonly of: BatchDraft }

/** Chooses the shop and its courier account. */
export function BatchPlace({ of }: PlaceProps) {
  const { workspaceId, connectionId } = of
  const change = (place: {
    readonly workspaceId?: string
    readonly connectionId: string | null
  }) => {
    // The same names may mean other agencies there.
    of.choices.forgetNames()
    of.change(place)
  }
  const connections = useConnections(workspaceId)
  return (
    <>
      <div className="choices">
        <WorkspaceChoice
          label="Workspace"
          value={workspaceId}
          error={null}
          onChange={(id) => change({ workspaceId: id, connectionId: null })}
        />
        {connections.mayRead ? (
          <NativeSelect
            label="Courier connection"
            description="Used for every line that does not name another."
            disabled={workspaceId === ''}
            value={connectionId}
            data={[
              { value: '', label: 'Choose a connection' },
              ...connections.listed.map(({ id, display_name: name, status }) => ({
                value: id,
                label: status === 'active' ? name : `${name} · ${status.replaceAll('_', ' ')}`,
              })),
            ]}
            onChange={(event) => change({ connectionId: event.currentTarget.value })}
          />
        ) : (
          <TextInput
            label="Courier connection"
            description="The id of a connection: ccn_…"
            spellCheck={false}
            value={connectionId}
            onChange={(event) => change({ connectionId: event.currentTarget.value.trim() })}
          />
        )}
      </div>
      <Refused error={connections.error} />
      {connections.mayRead && connectionId !== '' && <IdLists connectionId={connectionId} />}
    </>
  )
}

type ListsProps = { readonly connectionId: string }

/** Downloads of the names and ids that the file may contain. */
function IdLists({ connectionId }: ListsProps) {
  const { client } = useSession()
  const save = useMutation({
    mutationFn: async (what: 'agencies' | 'products') => {
      const text = await (what === 'agencies' ? agencyList : productList)(client, connectionId)
      saveFile(`${what}.csv`, 'text/csv', `\ufeff${text}`)
    },
    gcTime: 0,
  })
  return (
    <div className="id-lists">
      <p className="reason">
        In the file, write agencies and kinds of parcel by name or by id. These lists have both:
      </p>
      <div className="actions">
        {(['agencies', 'products'] as const).map((what) => (
          <SteadyButton
            key={what}
            isOff={save.isPending}
            icon={<IconDownload size={14} />}
            onPress={() => save.mutate(what)}
          >
            {what === 'agencies' ? 'Agencies' : 'Kinds of parcel'}
          </SteadyButton>
        ))}
      </div>
      <Refused error={save.error} />
    </div>
  )
}

async function agencyList(client: Client, connectionId: string): Promise<string> {
  const rows: string[][] = []
  const about = { courier_connection_id: connectionId, limit: pageItems }
  for await (const one of client.couriers.listAgencies(about)) {
    const { id, name, address, district, province, department } = one
    rows.push([id, name, address, district, province, department, one.capabilities.join(' ')])
  }
  const names = ['id', 'name', 'address', 'district', 'province', 'department', 'capabilities']
  return csvOf(names, rows)
}

async function productList(client: Client, connectionId: string): Promise<string> {
  const rows: string[][] = []
  const about = { courier_connection_id: connectionId, limit: pageItems }
  for await (const one of client.couriers.listPackageProducts(about)) {
    const sizes = [one.max_weight_kg, one.max_height_m, one.max_length_m, one.max_width_m]
    rows.push([one.id, one.name, ...sizes.map(String)])
  }
  const names = ['id', 'name', 'max_weight_kg', 'max_height_m', 'max_length_m', 'max_width_m']
  return csvOf(names, rows)
}
