import {
  type WebhookType,
  webhookTypeNames,
  webhookTypes,
} from '../../../src/service/domain/webhooks/webhook-types.ts'
import { exampleBody } from '../../../src/service/http/openapi/webhook-examples.ts'

const familyOf = (type: WebhookType) => type.slice(0, type.indexOf('.'))

/** The text of docs/webhook-events.md. */
export function webhookEventsPage(): string {
  const rows = webhookTypeNames.map(
    (type) => `| [\`${type}\`](#${slugOf(type)}) | ${webhookTypes[type]} |`,
  )
  const families = [...new Set(webhookTypeNames.map(familyOf))].map((family) => `\`${family}.*\``)
  const sections = webhookTypeNames.map(sectionOf)
  return `# Webhook events

Subscribe an endpoint to single types or to families: ${families.join(', ')}. The bodies below are complete: every
attempt sends the same bytes. How to [verify](guides/verify-a-webhook.md), deduplicate and order them:
[webhooks](guides/webhooks.md).

| type | when it is sent |
|---|---|
${rows.join('\n')}

${sections.join('\n\n')}
`
}

/** The id that GitHub gives to a heading. */
function slugOf(type: WebhookType): string {
  return type.replace('.', '')
}

function sectionOf(type: WebhookType): string {
  const body = JSON.stringify(exampleBody(type), null, 2)
  return `## ${type}\n\n${webhookTypes[type]}.\n\n\`\`\`json\n${body}\n\`\`\``
}
