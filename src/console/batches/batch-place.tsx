import { i18n } from '@lingui/core'
import { NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
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
      <SimpleGrid minColWidth="15rem" spacing="sm">
        <WorkspaceChoice
          label={i18n.t('Workspace')}
          value={workspaceId}
          error={null}
          onChange={(id) => change({ workspaceId: id, connectionId: null })}
        />
        {connections.mayRead ? (
          <NativeSelect
            label={i18n.t('Courier connection')}
            description={i18n.t('Used for every line that does not name another.')}
            disabled={workspaceId === ''}
            value={connectionId}
            data={[
              { value: '', label: i18n.t('Choose a connection') },
              ...connections.listed.map(({ id, display_name: name, status }) => ({
                value: id,
                label: status === 'active' ? name : `${name} · ${connectionState(status)}`,
              })),
            ]}
            onChange={(event) => change({ connectionId: event.currentTarget.value })}
          />
        ) : (
          <TextInput
            label={i18n.t('Courier connection')}
            description={i18n.t('The id of a connection: ccn_…')}
            spellCheck={false}
            value={connectionId}
            onChange={(event) => change({ connectionId: event.currentTarget.value.trim() })}
          />
        )}
      </SimpleGrid>
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
      const name = what === 'agencies' ? i18n.t('agencies.csv') : i18n.t('products.csv')
      saveFile(name, 'text/csv', `\ufeff${text}`)
    },
    gcTime: 0,
  })
  return (
    <Stack gap="2xs">
      <p className="reason">
        {i18n.t(
          'In the file, write agencies and kinds of parcel by name or by id. These lists have both:',
        )}
      </p>
      <div className="actions">
        {(['agencies', 'products'] as const).map((what) => (
          <SteadyButton
            key={what}
            isOff={save.isPending}
            icon={<IconDownload size={14} />}
            onPress={() => save.mutate(what)}
          >
            {what === 'agencies' ? i18n.t('Agencies') : i18n.t('Kinds of parcel')}
          </SteadyButton>
        ))}
      </div>
      <Refused error={save.error} />
    </Stack>
  )
}

/** The state of a connection that cannot be used now. */
function connectionState(status: string): string {
  const words: Readonly<Record<string, string>> = {
    needs_reauth: i18n.t('needs new credentials'),
    disabled: i18n.t({ id: 'disabled (connection)', message: 'disabled' }),
  }
  return words[status] ?? status.replaceAll('_', ' ')
}

function capabilityWord(capability: string): string {
  const words: Readonly<Record<string, string>> = {
    drop_off: i18n.t('drop_off'),
    pickup: i18n.t('pickup'),
  }
  return words[capability] ?? capability
}

async function agencyList(client: Client, connectionId: string): Promise<string> {
  const rows: string[][] = []
  const about = { courier_connection_id: connectionId, limit: pageItems }
  for await (const one of client.couriers.listAgencies(about)) {
    const { id, name, address, district, province, department } = one
    rows.push([
      id,
      name,
      address,
      district,
      province,
      department,
      one.capabilities.map(capabilityWord).join(' '),
    ])
  }
  const names = [
    ...['id', i18n.t('name'), i18n.t('address'), i18n.t('district'), i18n.t('province')],
    ...[i18n.t('department'), i18n.t('capabilities')],
  ]
  return csvOf(names, rows)
}

async function productList(client: Client, connectionId: string): Promise<string> {
  const rows: string[][] = []
  const about = { courier_connection_id: connectionId, limit: pageItems }
  for await (const one of client.couriers.listPackageProducts(about)) {
    const sizes = [one.max_weight_kg, one.max_height_m, one.max_length_m, one.max_width_m]
    rows.push([one.id, one.name, ...sizes.map(String)])
  }
  const names = [
    ...['id', i18n.t('name'), i18n.t('max_weight_kg'), i18n.t('max_height_m')],
    ...[i18n.t('max_length_m'), i18n.t('max_width_m')],
  ]
  return csvOf(names, rows)
}
