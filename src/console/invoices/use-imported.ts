import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { Answered } from '../../client/methods.ts'
import { useSession } from '../session.tsx'
import type { Invoice } from './invoice-findings.ts'
import { type SentAs, sentDraft } from './invoice-frame.tsx'

/** Opens an invoice that was imported or fetched, and says there what became of it. */
export function useImported() {
  const { drafts } = useSession()
  const queries = useQueryClient()
  const [, goTo] = useLocation()
  return async (invoice: Answered<Invoice>) => {
    const { replayed } = invoice.lastAnswer
    const sentAs: SentAs = replayed ? 'the same' : invoice.version > 1 ? 'next version' : 'first'
    drafts.set(sentDraft(invoice.id), sentAs)
    await queries.invalidateQueries({ queryKey: ['invoices'] })
    goTo(`/courier-invoices/${invoice.id}`)
  }
}
