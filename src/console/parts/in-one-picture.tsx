import { i18n } from '@lingui/core'
import IconArrowRight from '@tabler/icons-react/icons/IconArrowRight'
import IconArrowsLeftRight from '@tabler/icons-react/icons/IconArrowsLeftRight'
import IconBuildingStore from '@tabler/icons-react/icons/IconBuildingStore'
import IconKey from '@tabler/icons-react/icons/IconKey'
import IconTruck from '@tabler/icons-react/icons/IconTruck'

/** What this service is, for somebody who sees it for the first time. */
export function InOnePicture() {
  return (
    <figure className="picture">
      <ol>
        <li>
          <IconBuildingStore size={22} aria-hidden />
          <strong>{i18n.t('Your shop')}</strong>
          <span>{i18n.t('one order, one key')}</span>
        </li>
        <li className="picture-ledger">
          <IconArrowRight className="picture-arrow" size={18} aria-hidden />
          <IconKey size={22} aria-hidden />
          <strong>shipping-ledger</strong>
          <span>{i18n.t('one key, one guide')}</span>
        </li>
        <li>
          <IconArrowsLeftRight className="picture-arrow" size={18} aria-hidden />
          <IconTruck size={22} aria-hidden />
          <strong>{i18n.t('The courier')}</strong>
          <span>{i18n.t('its answer can get lost')}</span>
        </li>
      </ol>
      <figcaption>
        <p>{i18n.t('Whatever gets lost, each order ends in one of three ways:')}</p>
        <ul>
          <li data-tone="good">{i18n.t('the guide exists, once')}</li>
          <li>{i18n.t('nothing was created')}</li>
          <li data-tone="warn">{i18n.t('a person decides')}</li>
        </ul>
      </figcaption>
    </figure>
  )
}
