import { i18n } from '@lingui/core'
import { useEffect, useState } from 'react'
import { type Arrival, arrival, type Choice, redeem, refusalSentence } from './account-sign-in.ts'
import { useEntry } from './session.tsx'

/** A code is used once, also if this screen is shown again. */
let unused: Arrival | null = arrival

/** Exchanges what the tab came back with from the issuer for a session. */
export function useAccount() {
  const { enter } = useEntry()
  const [came] = useState(unused)
  const [choices, setChoices] = useState<readonly Choice[]>([])
  const [isRedeeming, setRedeeming] = useState(came?.kind === 'code')
  const [sentence, setSentence] = useState(
    came?.kind === 'refused' ? refusalSentence(came.why) : null,
  )
  const exchange = async (organizationId?: string) => {
    if (came?.kind !== 'code') return
    setRedeeming(true)
    try {
      const redeemed = await redeem(came, organizationId)
      if (redeemed === null) throw new Error(refusalSentence('code_refused'))
      if ('key' in redeemed) await enter(redeemed.key, true)
      setChoices('key' in redeemed ? [] : redeemed.choices)
    } catch (error) {
      setChoices([])
      setSentence(
        error instanceof TypeError
          ? i18n.t('The service could not be reached. Sign in again in a moment.')
          : String(error).replace(/^Error: /, ''),
      )
    } finally {
      setRedeeming(false)
    }
  }
  const begin = () => {
    if (unused === null) return
    unused = null
    void exchange()
  }
  useEffect(begin)
  return {
    choices,
    choose: (organizationId: string) => void exchange(organizationId),
    isRedeeming,
    /** Why the last sign-in ended without a session. */
    sentence,
  }
}
