import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { ActionIcon, Group } from '@mantine/core'
import IconX from '@tabler/icons-react/icons/IconX'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Client } from '../../../client/create-client.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Badge } from '../../parts/badge.tsx'
import { MaskedUntilRevealed } from '../../parts/masked.tsx'
import { Panel } from '../../parts/panel.tsx'
import { stateWord } from '../../parts/state-words.ts'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { usePolled } from '../../reading/polled.ts'
import { useSession } from '../../session.tsx'
import {
  findingText,
  type Invoice,
  type InvoiceLine,
  isCash,
  isFinding,
  isOutdated,
  isWithdrawn,
} from '../invoice-findings.ts'
import { DecideLineDialog } from './decide-line-dialog.tsx'
import { LineAmounts } from './line-amounts.tsx'
import { LineFacts } from './line-facts.tsx'
import { decidedLines, type LineView, queryOf } from './line-view.ts'

const everyMs = 4_000

/**
 * The same width as in the style sheet: on narrower screens the line is below the list, perhaps out
 * of sight.
 */
const below = window.matchMedia('(width < 75em)')

type OpenProps = {
  readonly invoice: Invoice
  readonly view: LineView
  readonly line: number
  /** The row from the list, shown until the line is loaded. */
  readonly listed: InvoiceLine | null
  /** `next` is the line to continue with, or null. */
  readonly onDecided: (decided: InvoiceLine, next: number | null) => void
  readonly onClose: () => void
}

/** One line of an invoice: its finding, what to do about it, and its facts. */
export function OpenLine(props: OpenProps) {
  const { invoice, view, line, listed, onClose } = props
  const { client } = useSession()
  const number = String(line)
  const at = {
    id: invoice.id,
    version: String(view.version),
    first_line: number,
    last_line: number,
  }
  const read = usePolled(['invoice-line', at], client.courierInvoices.listLines, at, {
    everyMs: () => everyMs,
  })
  useEffect(() => {
    if (below.matches) document.querySelector('.open-line')?.scrollIntoView({ block: 'start' })
  }, [])
  const shown = read.data === undefined ? listed : (read.data.data[0] ?? null)
  return (
    <Panel
      title={i18n.t('Line {line}', { line })}
      className="open-line"
      aside={
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={i18n.t('Close the line')}
          onClick={onClose}
        >
          <IconX size={16} />
        </ActionIcon>
      }
    >
      {shown !== null ? (
        <MaskedUntilRevealed>
          <Shown {...props} shown={shown} />
        </MaskedUntilRevealed>
      ) : read.data !== undefined ? (
        <Empty title={i18n.t('Line not found')}>
          {i18n.t('Version {version} does not have this line.', { version: view.version })}
        </Empty>
      ) : read.isPending ? (
        <Loading />
      ) : (
        <Failed error={read.error} again={() => void read.refetch()} />
      )}
    </Panel>
  )
}

function Shown({ shown, ...props }: OpenProps & { readonly shown: InvoiceLine }) {
  const { invoice, view } = props
  const canDecide = view.isNewest && !isWithdrawn(invoice)
  const { finding, guide_number: guide, decision } = shown
  const told = finding !== null && isFinding(finding) ? findingText(finding, shown) : null
  return (
    <>
      <Group gap="xs">
        <code>{guide}</code>
        {isCash(shown) && <span>{stateWord(shown.kind)}</span>}
        {finding === null ? i18n.t('not compared yet') : <Badge value={finding} />}
        {decision !== null && <Badge value={decision.decision} />}
      </Group>
      {told !== null && (
        <p>
          {told.what} {decision === null && canDecide && <strong>{told.next}</strong>}
        </p>
      )}
      {decision !== null && isOutdated(shown) && (
        <p className="what-next" role="status">
          <DecidedBefore decision={decision} />{' '}
          {canDecide
            ? i18n.t('The finding has changed since: decide again.')
            : i18n.t('The finding has changed since.')}
        </p>
      )}
      <LineAmounts line={shown} />
      <Decide {...props} shown={shown} />
      <LineFacts line={shown} />
    </>
  )
}

type BeforeProps = { readonly decision: NonNullable<InvoiceLine['decision']> }

function DecidedBefore({ decision: { decision, finding } }: BeforeProps) {
  const values = { finding: stateWord(finding) }
  const components = { strong: <strong /> }
  return decision === 'accepted' ? (
    <Trans
      id="It was accepted when the finding was <strong>{finding}</strong>."
      values={values}
      components={components}
    />
  ) : (
    <Trans
      id="It was disputed when the finding was <strong>{finding}</strong>."
      values={values}
      components={components}
    />
  )
}

function Decide({ invoice, view, shown, onDecided }: OpenProps & { readonly shown: InvoiceLine }) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const isOnScreen = useRef(false)
  useEffect(() => {
    isOnScreen.current = true
    return () => {
      isOnScreen.current = false
    }
  }, [])
  if (isWithdrawn(invoice)) return null
  const done = async (decided: InvoiceLine) => {
    const next = await nextToDecide(client, invoice.id, view, decided.line).catch(() => null)
    // The user may have opened another line or screen meanwhile.
    if (isOnScreen.current) onDecided(decided, next)
    await decidedLines(queries)
  }
  return (
    <div className="actions">
      <ActButton
        word={shown.decision === null ? i18n.t('Accept or dispute…') : i18n.t('Decide again…')}
        scope="operations:review"
        shortcut="r"
        isPrimary={isOutdated(shown) || (shown.decision === null && shown.finding !== 'matched')}
        refused={refusalOf(view, shown)}
        onAct={() => setOpen(true)}
      />
      {isOpen && (
        <DecideLineDialog
          invoiceId={invoice.id}
          version={view.version}
          line={shown}
          onClose={() => setOpen(false)}
          onDecided={(decided) => void done(decided)}
        />
      )}
    </div>
  )
}

function refusalOf(view: LineView, { finding }: InvoiceLine): string | null {
  if (!view.isNewest) return i18n.t('Only lines of the newest version can be decided.')
  return finding === null ? i18n.t('It is not compared yet.') : null
}

/** The next line of the view after this one that needs a decision, or else the first. */
async function nextToDecide(
  client: Client,
  id: string,
  view: LineView,
  line: number,
): Promise<number | null> {
  const open = {
    id,
    ...queryOf({ ...view, show: view.show === 'outdated' ? 'outdated' : '' }),
    limit: 1,
  }
  const { listLines } = client.courierInvoices
  const after = await listLines({ ...open, first_line: String(line + 1) })
  const [next] = after.data.length > 0 || line === 1 ? after.data : (await listLines(open)).data
  return next === undefined || next.line === line ? null : next.line
}
