import { ErrorCode, type GetPromptResult, McpError } from '@modelcontextprotocol/sdk/types.js'
import { quotationNote, quoted } from './shown.ts'

type Prompt = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: {
    readonly name: string
    readonly description: string
    readonly required: boolean
  }[]
  readonly steps: readonly string[]
}

export const prompts: readonly Prompt[] = [
  {
    name: 'find_a_parcel',
    title: 'Find a parcel',
    description: 'Find the parcel that somebody asks about, and say where it is.',
    arguments: [
      {
        name: 'text',
        description: 'What is known: an order number, a guide number, an id.',
        required: true,
      },
    ],
    steps: [
      'Find the parcel that the text below is about, and say where it is.',
      '1. Use search with the text. If it finds nothing, use find_shipments with it as external_reference, then as guide_number.',
      '2. If several shipments fit, list them with their status and ask which one is meant.',
      '3. Use get_shipment and get_tracking. Say the status in plain words, when it last changed, and what happens next.',
      '4. If the shipment has an operation_id, its outcome is not certain: use explain_operation, and promise nothing.',
    ],
  },
  {
    name: 'work_off_a_stuck_operation',
    title: 'Work off a stuck operation',
    description:
      'Explain an operation whose outcome is unknown, and prepare the decision of a person.',
    arguments: [
      {
        name: 'operation_id',
        description: 'The operation (op_…). Left out: the oldest that needs review.',
        required: false,
      },
    ],
    steps: [
      'Help a person with an operation whose outcome is unknown. Decide nothing yourself, and create no shipment for its order.',
      '1. Use explain_operation with the id below. Without an id, use find_operations with status needs_review and order oldest, and take the first.',
      '2. Say what was asked of the courier, why the outcome is unknown, what the courier answered to each look, and when it is asked next.',
      '3. If it is reconciling, say when it will be certain. Nobody has to do anything.',
      '4. If it needs review, list what speaks for a guide and what against it, each with its look. Say what the person should check with the courier, and that the decision is made in the console.',
    ],
  },
]

/** The text of a prompt. What the user entered is a message of its own, as data. Throws McpError. */
export function getPrompt(name: string, given: Readonly<Record<string, string>>): GetPromptResult {
  const prompt = prompts.find((one) => one.name === name)
  if (prompt === undefined) throw new McpError(ErrorCode.InvalidParams, 'There is no such prompt.')
  const missing = prompt.arguments.find((one) => one.required && (given[one.name] ?? '') === '')
  if (missing !== undefined)
    throw new McpError(ErrorCode.InvalidParams, `${missing.name} is missing.`)
  const known = prompt.arguments.flatMap((one) => {
    const value = given[one.name] ?? ''
    return value === '' ? [] : [[one.name, quoted(value)] as const]
  })
  const message = (text: string) => ({
    role: 'user' as const,
    content: { type: 'text' as const, text },
  })
  return {
    description: prompt.description,
    messages: [
      message([...prompt.steps, quotationNote].join('\n')),
      ...(known.length === 0 ? [] : [message(JSON.stringify(Object.fromEntries(known)))]),
    ],
  }
}
