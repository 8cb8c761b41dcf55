import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { clientCommand, leanNode } from '../support/run-process.ts'
import { projectRoot } from '../support/source-files.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

export type ToolAnswer = {
  readonly isError: boolean
  // biome-ignore lint/suspicious/noExplicitAny: checked field by field
  readonly said: any
  /** The result as the model gets it. */
  readonly text: string
  readonly content: readonly { readonly type: string; readonly uri?: string }[]
}

export type Agent = {
  readonly client: Client
  readonly pid: number
  /** All that the server wrote to standard error. */
  readonly complaints: () => string
  call(name: string, args?: object): Promise<ToolAnswer>
  close(): Promise<void>
}

type Settings = {
  readonly url: string
  readonly key: string
  readonly flags?: readonly string[]
  /** The program and its first arguments. Default: the command from its sources. */
  readonly command?: readonly [string, ...string[]]
  readonly path?: string
  /** The folder in which it runs. */
  readonly folder?: string
}

const fromSources = [
  process.execPath,
  ...leanNode,
  join(projectRoot, clientCommand),
] as const satisfies readonly [string, ...string[]]

/** An agent's side of the server, which is a process of its own, with the SDK's own client. */
export async function agent(t: Test, settings: Settings): Promise<Agent> {
  const { url, key, flags = [], command: [command, ...first] = fromSources } = settings
  const transport = new StdioClientTransport({
    command,
    args: [...first, 'mcp', ...flags],
    env: {
      SHIPPING_LEDGER_URL: url,
      SHIPPING_LEDGER_KEY: key,
      PATH: settings.path ?? process.env.PATH ?? '',
    },
    stderr: 'pipe',
    ...(settings.folder === undefined ? {} : { cwd: settings.folder }),
  })
  let complaints = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    complaints += chunk.toString()
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  // The client checks each answer against the schemas that were listed.
  await client.listTools()
  t.teardown(() => client.close())
  return {
    client,
    pid: transport.pid ?? 0,
    complaints: () => complaints,
    close: () => client.close(),
    async call(name, args = {}) {
      const result = CallToolResultSchema.parse(
        await client.callTool({ name, arguments: args as Record<string, unknown> }),
      )
      const [first] = result.content
      if (first?.type !== 'text') throw new Error('an answer begins with its text')
      const content = result.content as ToolAnswer['content']
      const { isError = false, structuredContent: said } = result
      return { isError, said, text: first.text, content }
    },
  }
}
