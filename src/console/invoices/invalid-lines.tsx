import { i18n } from '@lingui/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../client/methods.ts'
import { ServiceSentence } from '../forms/service-sentence.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { WideTable } from '../parts/wide-table.tsx'
import { useSession } from '../session.tsx'
import { errorSentence } from '../sheets/use-sheet-check.ts'
import type { Invoice } from './invoice-findings.ts'

type InvalidLine = Schemas['InvalidInvoiceLine']

/** The API's largest page. Clients can read more. */
const shownMax = 100

/** The lines of the newest version that were left out of the comparison, and why. */
export function InvalidLines({ invoice }: { readonly invoice: Invoice }) {
  const { client } = useSession()
  const { id, version, invalid_lines: count } = invoice
  const { data, error, refetch } = useQuery({
    queryKey: ['invoice', id, 'invalid', version],
    queryFn: ({ signal }) =>
      client.courierInvoices.listInvalidLines({ id, limit: shownMax }, { signal }),
    enabled: count > 0,
  })
  if (count === 0) return null
  const lines = data?.data ?? []
  return (
    <Panel title={i18n.t('Invalid lines')}>
      <p>
        {i18n.t(
          'They bill nothing and are not compared. Correct them in the file and import the whole file again under the same reference.',
        )}
      </p>
      {error !== null && <Failed error={error} again={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {lines.length > 0 && (
        <WideTable
          name={i18n.t('Invalid lines')}
          columns={[i18n.t('Line'), i18n.t('In the file'), i18n.t('What is wrong')]}
        >
          {lines.map(({ line, guide_number: guide, text, errors }) => (
            <tr key={line}>
              <td>{line}</td>
              <td>
                <bdi>{text ?? guide ?? '–'}</bdi>
              </td>
              <td>
                {text === null
                  ? i18n.t('Its content is no longer kept.')
                  : errors.map((error) => (
                      <Wrong key={`${error.pointer} ${error.detail}`} error={error} />
                    ))}
              </td>
            </tr>
          ))}
        </WideTable>
      )}
      {count > shownMax && data !== undefined && (
        <p>{i18n.t('And {count} more.', { count: count - lines.length })}</p>
      )}
    </Panel>
  )
}

type WrongProps = { readonly error: InvalidLine['errors'][number] }

/** What is wrong with a cell, after the name of its column. */
function Wrong({ error: { column, detail } }: WrongProps) {
  return (
    <>
      {column !== null && `${column}: `}
      <ServiceSentence>{errorSentence({ detail })}</ServiceSentence>{' '}
    </>
  )
}
