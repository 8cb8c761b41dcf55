import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { Progress as ProgressBar, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { toHex } from '../../verifier/verify.mjs'
import { formatNumber } from '../languages/language.ts'
import { useUrlFilters } from '../lists/url-filters.ts'
import { Copyable } from '../parts/copyable.tsx'
import { Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { useSession } from '../session.tsx'
import { eventsMax, type Verdict, verifyShipment } from './verify-shipment.ts'

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
    <Panel title={i18n.t('Verify a shipment')}>
      <p>
        {i18n.t(
          'This browser recomputes the digest of every event, follows its proof to the root of the signed tree and checks the signature.',
        )}
      </p>
      <form className="actions" onSubmit={submit}>
        <TextInput
          label={i18n.t('Shipment')}
          required
          withAsterisk={false}
          w="20rem"
          maw="100%"
          pattern={idForm.source.slice(1, -1)}
          title={i18n.t('The id of a shipment: shp_ and 22 letters or digits')}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value.trim())}
        />
        <SteadyButton type="submit" isPrimary isOff={verdict.isFetching && typed === id}>
          {verdict.isFetching && typed === id ? i18n.t('Checking…') : i18n.t('Verify')}
        </SteadyButton>
      </form>
      <div ref={place} hidden={typed !== id}>
        {verdict.isFetching && progress !== null && (
          <div role="status">
            <ProgressBar
              value={(100 * progress.done) / progress.of}
              aria-label={i18n.t('Checked')}
              mb={4}
            />
            {i18n.t('{of, plural, one {{done} of # event} other {{done} of # events}}', {
              done: formatNumber(progress.done),
              of: progress.of,
            })}
          </div>
        )}
        <Refused error={verdict.error}>{i18n.t('The check could not be completed.')}</Refused>
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
            <Trans
              id="<b>Not verified.</b> This history is not the one that was sealed."
              components={{ b: <strong /> }}
            />
          </p>
          <ul>
            {wrong.slice(0, findingsMax).map((sentence) => (
              <li key={sentence()}>{sentence()}</li>
            ))}
          </ul>
          {wrong.length > findingsMax && (
            <p>
              {i18n.t('And {count} more.', { count: formatNumber(wrong.length - findingsMax) })}
            </p>
          )}
        </div>
      ) : (
        <p className="verified" role="status">
          <Trans
            id="{count, plural, one {<b>Verified.</b> # event is in the signed tree, unchanged.} other {<b>Verified.</b> # events are in the signed tree, in this order and unchanged.}}"
            values={{ count: verdict.proved }}
            components={{ b: <strong /> }}
          />
        </p>
      )}
      <Facts facts={[[i18n.t('Shipment'), id], ...factsOf(verdict)]} />
      <p className="reason">
        {i18n.t(
          'Compare the key with a copy that you obtained independently: the whole check depends on it. The check does not prove that the history has no later events; an export states what it proves.',
        )}
      </p>
    </>
  )
}

function factsOf({ proved, notSealed, isCut, tree, signedBy }: Verdict) {
  return [
    [
      i18n.t('Digest, place and proof checked'),
      i18n.t('{count, plural, one {# event} other {# events}}', { count: proved }),
    ],
    [
      i18n.t('Not sealed yet'),
      i18n.t(
        '{count, plural, =0 {no events} one {# event: no checkpoint covers it yet} other {# events: no checkpoint covers them yet}}',
        { count: notSealed },
      ),
    ],
    [
      i18n.t('Not checked'),
      isCut
        ? i18n.t('everything after the first {count} events', { count: formatNumber(eventsMax) })
        : i18n.t('nothing'),
    ],
    [
      i18n.t('Checkpoint'),
      i18n.t('{count, plural, one {# event of {origin}} other {# events of {origin}}}', {
        count: tree.size,
        origin: tree.origin,
      }),
    ],
    [i18n.t('Root'), <Copyable key="root" text={toHex(tree.root)} />],
    [
      i18n.t('Signed by'),
      signedBy === null ? i18n.t('no key of this ledger') : <Copyable key="key" text={signedBy} />,
    ],
  ] as const
}
