import type { Selectable, Updateable } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { text } from '../openapi/schemas.ts'

/** Longer names do not fit on a telephone. */
const shopNameMax = 80
const supportUrlMax = 500

/**
 * The addresses that a person may follow from the page, in visible ASCII: nothing that runs, no
 * password, and nothing encoded where the page shows it.
 */
const supportForms = {
  https: {
    form: /^https:\/\/[^\s/?#@]+([/?#]\S*)?$/,
    error: 'Expected an https: address without spaces, like https://shop.example/help.',
  },
  mailto: {
    form: /^mailto:[^\s@?#%,;<>"]+@[^\s@?#%,;<>"]+(\?\S*)?$/,
    error: 'Expected one e-mail address as it is written, like mailto:help@shop.example.',
  },
  tel: {
    form: /^tel:\+?[0-9][0-9().-]{2,30}$/,
    error: 'Expected digits with + - . ( ) and no spaces, like tel:+51-999-999-999.',
  },
}

/** What is wrong with an address; null if nothing is. */
function supportUrlError(value: string): string | null {
  const scheme = value.slice(0, Math.max(0, value.indexOf(':')))
  if (scheme !== 'https' && scheme !== 'mailto' && scheme !== 'tel') {
    return 'Expected an address that begins with https:, mailto: or tel:.'
  }
  if (/^https:\/\/[^/?#]*@/.test(value)) {
    return 'The address has a user name or password, which everyone would see.'
  }
  const { form, error } = supportForms[scheme]
  return /^[!-~]+$/.test(value) && URL.canParse(value) && form.test(value) ? null : error
}

/** Characters that show nothing. Within emoji they have a meaning. */
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u

function isSeen(name: string): boolean {
  return !hidden.test(name.replace(/\p{RGI_Emoji}/gv, ''))
}

const about = {
  enabled: {
    description:
      'Whether the shipments have a `tracking_url`. While it is `false`, links that were sent lead nowhere.',
    example: true,
  },
  shop_name: {
    description:
      'The name of the shop on the page, in at most 80 characters. `null`: the name of the workspace.',
    example: 'Tienda Norte',
  },
  support_url: {
    description:
      'Where a recipient can ask the shop: an address that begins with `https://`, `mailto:` or `tel:`. `null` if the page has no such link.',
    example: 'https://shop.example/help',
  },
  accent: {
    description:
      'The color of the page, like `#1f6f54`. Text on it is black or white, whichever is easier to read. `null`: a gray.',
    example: '#1f6f54',
  },
}

const shopName = text(shopNameMax).refine(isSeen, {
  error: 'The name has characters that cannot be seen.',
  params: { reason: 'invisible_text' },
})
const supportUrl = z
  .string()
  .trim()
  .max(supportUrlMax)
  .overwrite((value) => value.replace(/^(https|mailto|tel):/i, (scheme) => scheme.toLowerCase()))
  .refine((value) => supportUrlError(value) === null, {
    error: ({ input }) => supportUrlError(String(input)) ?? undefined,
  })
const accent = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, { error: 'Expected a color like #1f6f54.' })
  .toLowerCase()

/** A request's settings of the page. */
export const trackingPageBody = z
  .strictObject({
    enabled: z.boolean().optional().meta(about.enabled),
    shop_name: shopName.nullable().optional().meta(about.shop_name),
    support_url: supportUrl.nullable().optional().meta(about.support_url),
    accent: accent.nullable().optional().meta(about.accent),
  })
  .meta({
    description:
      "The page for the person who waits for a parcel, which a shipment's `tracking_url` opens. A field that is absent stays as it is; at first the page is enabled.",
  })
export type TrackingPageBody = z.infer<typeof trackingPageBody>

/** What an answer shows of it. */
export const trackingPageSchema = z
  .object({
    enabled: z.boolean().meta(about.enabled),
    shop_name: z.string().nullable().meta(about.shop_name),
    support_url: z.string().nullable().meta(about.support_url),
    accent: z.string().nullable().meta(about.accent),
  })
  .meta({
    description:
      "The page for the person who waits for a parcel, which a shipment's `tracking_url` opens.",
  })

export function trackingPageObject(
  row: Selectable<Database['workspaces']>,
): z.infer<typeof trackingPageSchema> {
  return {
    enabled: row.tracking_page_enabled,
    shop_name: row.tracking_page_shop_name,
    support_url: row.tracking_page_support_url,
    accent: row.tracking_page_accent,
  }
}

type Columns = Pick<
  Updateable<Database['workspaces']>,
  | 'tracking_page_enabled'
  | 'tracking_page_shop_name'
  | 'tracking_page_support_url'
  | 'tracking_page_accent'
>

/** The columns of the settings that the body names. */
export function trackingPageColumns(body: TrackingPageBody | undefined): Columns {
  const { enabled, shop_name: name, support_url: url, accent: color } = body ?? {}
  return {
    ...(enabled === undefined ? {} : { tracking_page_enabled: enabled }),
    ...(name === undefined ? {} : { tracking_page_shop_name: name }),
    ...(url === undefined ? {} : { tracking_page_support_url: url }),
    ...(color === undefined ? {} : { tracking_page_accent: color }),
  }
}
