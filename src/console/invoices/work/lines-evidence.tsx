import { i18n } from '@lingui/core'
import { Checkbox, Flex } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { currentLanguage } from '../../languages/language.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { CloseButton, ConfirmDialog, DialogActions, DialogWindow } from '../../parts/dialog.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { missing, useMay } from '../../parts/scopes.tsx'
import { Refused } from '../../parts/states.tsx'
import { SteadyButton } from '../../parts/steady-button.tsx'
import { useSession } from '../../session.tsx'
import {
  dividedBy,
  type EvidencePart,
  fileNameOf,
  rangeOf,
  saveTextOf,
  wholeList,
} from './evidence-parts.ts'
import { type LineView, queryOf, viewText } from './line-view.ts'

type EvidenceProps = {
  readonly invoiceId: string
  readonly view: LineView
}

/** Saves the listed lines with the evidence about their shipments, to send to the courier. */
export function LinesEvidence(props: EvidenceProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActButton word={i18n.t('Evidence…')} scope="ledger:read" onAct={() => setOpen(true)} />
      {isOpen && <EvidenceDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

type DialogProps = EvidenceProps & { readonly onClose: () => void }

function EvidenceDialog({ view, onClose, ...props }: DialogProps) {
  const [isPersonal, setPersonal] = useState(false)
  const [parts, setParts] = useState<readonly EvidencePart[]>([wholeList])
  const [saved, setSaved] = useState<readonly EvidencePart[]>([])
  const making = useFile({ ...props, view, isPersonal }, (part, divided) => {
    if (divided !== null) setParts(parts.flatMap((each) => (each === part ? divided : [each])))
    else if (parts.length === 1) onClose()
    else setSaved([...saved, part])
  })
  const contents = (
    <>
      <p>
        {i18n.t(
          'A ZIP file with the listed lines ({lines}) as a spreadsheet, and for each shipment a report and its history, which the courier can check without this service. The audit records that you created it.',
          { lines: viewText(view) },
        )}
      </p>
      <PersonalChoice
        isChosen={isPersonal}
        isOff={making.isPending || parts.length > 1}
        onChange={setPersonal}
      />
    </>
  )
  if (parts.length === 1) {
    return (
      <ConfirmDialog
        title={i18n.t('Save the evidence about these lines?')}
        does={i18n.t('Save it')}
        isPending={making.isPending}
        onConfirm={() => making.save(wholeList)}
        onLeave={onClose}
        onStop={making.stop}
      >
        {contents}
        <Refused error={making.error} />
      </ConfirmDialog>
    )
  }
  return (
    <DialogWindow
      title={i18n.t('Save the evidence in parts')}
      open
      isQuestion
      onOpenChange={(open) => open || onClose()}
    >
      {contents}
      <p role="status">
        {i18n.t('The evidence is too large for one file. Save each part separately.')}
      </p>
      <Flex component="ul" direction="column" gap="xs" m={0} p={0}>
        {parts.map((part) => (
          <Flex component="li" key={saveTextOf(part)} gap="sm" align="center">
            <SteadyButton isOff={making.isPending} onPress={() => making.save(part)}>
              {making.part === part ? i18n.t('Working…') : saveTextOf(part)}
            </SteadyButton>
            {saved.includes(part) && <span className="reason">{i18n.t('Saved')}</span>}
          </Flex>
        ))}
      </Flex>
      <Refused error={making.error} />
      <DialogActions>
        <CloseButton onClose={onClose} isPrimary={false} />
      </DialogActions>
    </DialogWindow>
  )
}

type Asked = EvidenceProps & { readonly isPersonal: boolean }

/** Requests one file at a time. Leaving the dialog or signing out stops it. */
function useFile(
  { invoiceId, view, isPersonal }: Asked,
  onAnswer: (part: EvidencePart, divided: readonly EvidencePart[] | null) => void,
) {
  const { client } = useSession()
  const stopped = useRef<AbortController>(null)
  useEffect(() => () => stopped.current?.abort(), [])
  const making = useMutation({
    mutationFn: async (part: EvidencePart) => {
      const stop = new AbortController()
      stopped.current = stop
      const { signal } = stop
      const asked = {
        id: invoiceId,
        lang: currentLanguage(),
        ...queryOf(view),
        ...rangeOf(part),
        time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        ...(isPersonal ? ({ include_personal: 'true' } as const) : {}),
      }
      try {
        const bytes = await client.courierInvoices.getEvidence(asked, { signal })
        saveFile(fileNameOf(invoiceId, part), 'application/zip', new Uint8Array(bytes))
        return null
      } catch (error) {
        const divided = dividedBy(error, part)
        if (divided === null && !signal.aborted) throw error
        return divided ?? [part]
      }
    },
    onSuccess: (divided, part) => onAnswer(part, divided),
    gcTime: 0,
  })
  const { isPending, error, variables } = making
  return {
    isPending,
    error,
    part: isPending ? variables : null,
    save: (part: EvidencePart) => making.mutate(part),
    stop: () => stopped.current?.abort(),
  }
}

type ChoiceProps = {
  readonly isChosen: boolean
  readonly isOff: boolean
  readonly onChange: (isChosen: boolean) => void
}

/** Without this option, the file has no personal data. */
function PersonalChoice({ isChosen, isOff, onChange }: ChoiceProps) {
  const mayInclude = useMay('shipments:read')
  return (
    <Checkbox
      label={i18n.t('Include personal data, notes and client references')}
      description={
        mayInclude
          ? i18n.t('The file is not protected. Share it only with people who may read this data.')
          : missing('shipments:read')
      }
      checked={isChosen}
      disabled={!mayInclude || isOff}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
