import { Progress as ProgressBar, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { toHex } from '../../verifier/verify.mjs'
import { useUrlFilters } from '../lists/url-filters.ts'
import { Copyable } from '../parts/copyable.tsx'
import { Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { useSession } from '../session.tsx'
import { type Verdict, verifyShipment } from './verify-shipment.ts'

const idForm = /^shp_[0-9A-Za-z]+$/

type Progress = { readonly done: number; readonly of: number }

/** Checks a shipment's history in the browser. Only the events and proofs come from the service. */
export function ShipmentVerification() {
  const queries = useQueryClient()
  const { filters, setFilter } = useUrlFilters(['shipment'])
  const id = filters.shipment ?? ''
  const [typed, setTyped] = useState(id)
  useEffect(() => setTyped(id), [id])
  const { verdict, progress } = useVerification(id)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (verdict.isFetching && typed === id) return
    if (typed === id) void queries.resetQueries({ queryKey: ['verification', id] })
    else setFilter('shipment', typed)
  }
  const place = useRef<HTMLDivElement>(null)
  // A user coming from the shipment's screen wants the verdict, which is at the end of this screen.
  const isVerified = id !== '' && !verdict.isFetching
  useEffect(() => {
    if (isVerified) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isVerified])
  return (
    <Panel title="Verify a shipment">
      <p>
        This browser recomputes the digest of every event, follows its proof to the root of the
        signed tree and checks the signature.
      </p>
      <form className="actions" onSubmit={submit}>
        <TextInput
          label="Shipment"
          required
          withAsterisk={false}
          className="id-field"
          pattern={idForm.source.slice(1, -1)}
          title="The id of a shipment: shp_ and 22 letters or digits"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value.trim())}
        />
        <SteadyButton type="submit" isPrimary isOff={verdict.isFetching && typed === id}>
          {verdict.isFetching && typed === id ? 'Checking…' : 'Verify'}
        </SteadyButton>
      </form>
      <div ref={place} hidden={typed !== id}>
        {verdict.isFetching && progress !== null && (
          <div role="status">
            <ProgressBar value={(100 * progress.done) / progress.of} aria-label="Checked" mb={4} />
            {progress.done} of {progress.of} events
          </div>
        )}
        <Refused error={verdict.error}>The check could not be completed.</Refused>
        {verdict.data !== undefined && <VerdictOf id={id} verdict={verdict.data} />}
      </div>
    </Panel>
  )
}

/** Checks the shipment in the address once, and again when asked. */
function useVerification(id: string) {
  const { client } = useSession()
  const [progress, setProgress] = useState<Progress | null>(null)
  const verdict = useQuery({
    queryKey: ['verification', id],
    queryFn: ({ signal }) => {
      setProgress(null)
      const tell = (done: number, of: number) => setProgress({ done, of })
      return verifyShipment(id, { client, signal, tell })
    },
    enabled: idForm.test(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return { verdict, progress }
}

/** More findings would not add anything. */
const findingsMax = 20

type VerdictProps = { readonly id: string; readonly verdict: Verdict }

function VerdictOf({ id, verdict }: VerdictProps) {
  const { wrong } = verdict
  return (
    <>
      {wrong.length > 0 ? (
        <div className="refusal" role="alert">
          <p>
            <strong>Not verified.</strong> This history is not the one that was sealed.
          </p>
          <ul>
            {wrong.slice(0, findingsMax).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          {wrong.length > findingsMax && <p>And {wrong.length - findingsMax} more.</p>}
        </div>
      ) : (
        <p className="verified" role="status">
          <strong>Verified.</strong> {verdict.proved} events are in the signed tree, in this order
          and unchanged.
        </p>
      )}
      <Facts facts={[['Shipment', id], ...factsOf(verdict)]} />
      <p className="reason">
        Compare the key with a copy that you obtained independently: the whole check depends on it.
        The check does not prove that the history has no later events; an export states what it
        proves.
      </p>
    </>
  )
}

function counted(events: number): string {
  return events === 1 ? '1 event' : `${events} events`
}

function factsOf({ proved, notSealed, isCut, tree, signedBy }: Verdict) {
  return [
    ['Digest, place and proof checked', counted(proved)],
    [
      'Not sealed yet',
      notSealed === 0 ? 'none' : `${counted(notSealed)}: no checkpoint covers them yet`,
    ],
    ['Not checked', isCut ? 'everything after the first 1,000 events' : 'nothing'],
    ['Checkpoint', `${tree.size} events of ${tree.origin}`],
    ['Root', <Copyable key="root" text={toHex(tree.root)} />],
    ['Signed by', signedBy === null ? 'none' : <Copyable key="key" text={signedBy} />],
  ] as const
}
