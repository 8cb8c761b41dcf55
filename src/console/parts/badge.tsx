import type { IconProps } from '@tabler/icons-react'
import IconAlertOctagon from '@tabler/icons-react/icons/IconAlertOctagon'
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle'
import IconArrowBackUp from '@tabler/icons-react/icons/IconArrowBackUp'
import IconArrowsSplit from '@tabler/icons-react/icons/IconArrowsSplit'
import IconBan from '@tabler/icons-react/icons/IconBan'
import IconBuildingStore from '@tabler/icons-react/icons/IconBuildingStore'
import IconBuildingWarehouse from '@tabler/icons-react/icons/IconBuildingWarehouse'
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck'
import IconCircleDashed from '@tabler/icons-react/icons/IconCircleDashed'
import IconCircleOff from '@tabler/icons-react/icons/IconCircleOff'
import IconCircleX from '@tabler/icons-react/icons/IconCircleX'
import IconClock from '@tabler/icons-react/icons/IconClock'
import IconFlag from '@tabler/icons-react/icons/IconFlag'
import IconHelpCircle from '@tabler/icons-react/icons/IconHelpCircle'
import IconMailOff from '@tabler/icons-react/icons/IconMailOff'
import IconPlayerPause from '@tabler/icons-react/icons/IconPlayerPause'
import IconPlugConnected from '@tabler/icons-react/icons/IconPlugConnected'
import IconPlugConnectedX from '@tabler/icons-react/icons/IconPlugConnectedX'
import IconRefresh from '@tabler/icons-react/icons/IconRefresh'
import IconTicket from '@tabler/icons-react/icons/IconTicket'
import IconTicketOff from '@tabler/icons-react/icons/IconTicketOff'
import IconTruck from '@tabler/icons-react/icons/IconTruck'
import IconTruckDelivery from '@tabler/icons-react/icons/IconTruckDelivery'
import IconUserExclamation from '@tabler/icons-react/icons/IconUserExclamation'
import type { ComponentType } from 'react'
import { stateWord } from './state-words.ts'

type BadgeProps = {
  readonly value: string
  /** The value is out of date, so it is shown without a tone. */
  readonly isStale?: boolean
}

const unknown: StateStyle = { tone: 'plain', icon: null }

/** A value of the API as an icon and a word. Unknown values are shown unchanged. */
export function Badge({ value, isStale = false }: BadgeProps) {
  const { tone, icon: Icon } = stateStyles[value] ?? unknown
  return (
    <span className="badge" data-tone={isStale ? 'plain' : tone}>
      {Icon !== null && <Icon size={14} stroke={2} aria-hidden />}
      <span>{stateWord(value)}</span>
    </span>
  )
}

type Tone = 'bad' | 'warn' | 'info' | 'good' | 'plain'

/** The appearance of an API value: the same icon and color on every screen. */
type StateStyle = {
  readonly tone: Tone
  readonly icon: ComponentType<IconProps> | null
}

const bad = (icon: StateStyle['icon']): StateStyle => ({ tone: 'bad', icon })
const warn = (icon: StateStyle['icon']): StateStyle => ({ tone: 'warn', icon })
const info = (icon: StateStyle['icon']): StateStyle => ({ tone: 'info', icon })
const good = (icon: StateStyle['icon']): StateStyle => ({ tone: 'good', icon })
const plain = (icon: StateStyle['icon']): StateStyle => ({ tone: 'plain', icon })

export const stateStyles: Readonly<Record<string, StateStyle>> = {
  // Operations
  needs_review: bad(IconUserExclamation),
  human_review: bad(IconUserExclamation),
  reconciling: info(IconRefresh),
  resolved: plain(IconCircleCheck),
  contradicted: bad(IconAlertOctagon),
  was_contradicted: plain(IconAlertOctagon),
  surplus: warn(IconTicketOff),
  escalated: warn(IconFlag),
  unconfirmed: warn(IconHelpCircle),
  in_use: good(IconTicket),
  assigned: good(IconCircleCheck),
  unassigned: plain(IconCircleOff),
  snoozed: plain(IconClock),
  guide_exists: good(IconTicket),
  nothing_created: plain(IconCircleOff),
  not_cancelled: plain(IconCircleOff),
  // What a courier answered
  found: good(IconTicket),
  ambiguous: warn(IconArrowsSplit),
  absent: plain(IconCircleOff),
  inconclusive: warn(IconHelpCircle),
  standing: plain(IconTicket),
  // Shipments
  creating: info(IconCircleDashed),
  created: good(IconCircleCheck),
  rejected: bad(IconCircleX),
  not_executed: plain(IconCircleOff),
  not_created: plain(IconCircleOff),
  unknown_outcome: bad(IconHelpCircle),
  cancelling: info(IconCircleDashed),
  cancelled: plain(IconBan),
  // Batches and their lines
  running: info(IconRefresh),
  completed: good(IconCircleCheck),
  all_created: good(IconCircleCheck),
  some_created: warn(IconAlertTriangle),
  none_created: bad(IconCircleX),
  waiting: info(IconClock),
  invalid: bad(IconAlertTriangle),
  failed: bad(IconCircleX),
  not_begun: plain(IconCircleOff),
  // Couriers' invoices
  comparing: info(IconRefresh),
  compared: good(IconCircleCheck),
  withdrawn: plain(IconArrowBackUp),
  matched: good(IconCircleCheck),
  amount_differs: warn(IconAlertTriangle),
  weight_differs: warn(IconAlertTriangle),
  part_of: plain(IconCircleDashed),
  billed_twice: bad(IconAlertOctagon),
  cancelled_guide: bad(IconBan),
  unknown_guide: bad(IconHelpCircle),
  unresolved: info(IconClock),
  accepted: good(IconCircleCheck),
  disputed: warn(IconFlag),
  // Tracking
  registered: plain(IconTicket),
  received_at_origin: info(IconBuildingWarehouse),
  in_transit: info(IconTruck),
  arrived_at_destination: info(IconBuildingWarehouse),
  ready_for_pickup: info(IconBuildingStore),
  out_for_delivery: info(IconTruckDelivery),
  delivery_attempted: warn(IconTruckDelivery),
  delivered: good(IconCircleCheck),
  returning: warn(IconArrowBackUp),
  returned: warn(IconArrowBackUp),
  lost: bad(IconAlertTriangle),
  // Webhooks
  pending: info(IconClock),
  dead: bad(IconMailOff),
  discarded: plain(IconMailOff),
  enabled: good(IconCircleCheck),
  disabled: plain(IconPlayerPause),
  failing: bad(IconAlertTriangle),
  wrong: bad(IconCircleX),
  // The service
  ok: good(IconCircleCheck),
  damaged: bad(IconAlertOctagon),
  degraded: bad(IconAlertTriangle),
  working: good(IconCircleCheck),
  stopped: bad(IconAlertOctagon),
  reachable: good(IconPlugConnected),
  unreachable: bad(IconPlugConnectedX),
  cosigning: good(IconCircleCheck),
  silent: bad(IconAlertTriangle),
  limit_reached: bad(IconAlertTriangle),
  // Keys and connections
  active: good(IconCircleCheck),
  needs_reauth: bad(IconPlugConnectedX),
  revoked: plain(IconBan),
  expired: plain(IconClock),
}
