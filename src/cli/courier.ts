import type { Command } from './command.ts'
import { UsageError } from './command.ts'
import { courierCheck } from './courier-check.ts'

export const courierCheckCommand: Command = {
  name: 'courier check',
  summary: 'Checks that a connector keeps the courier connector protocol. Makes one guide.',
  flags: {
    url: { value: 'URL', required: true, description: 'Where the connector answers.' },
    token: { value: 'TOKEN', description: 'Its bearer token, if it wants one.' },
    username: { value: 'NAME', description: 'An account in which a guide may be made.' },
    password: { value: 'PASSWORD', description: 'Of that account.' },
  },
  run: async ({ flags, write, asJson }) => {
    const url = flags.get('url') ?? ''
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
      throw new UsageError('--url is not an address like http://127.0.0.1:4000.')
    }
    const token = flags.get('token')
    const [username, password] = [flags.get('username'), flags.get('password')]
    if ((username === undefined) !== (password === undefined)) {
      throw new UsageError('--username and --password go together.')
    }
    const report = await courierCheck({
      url,
      ...(token === undefined ? {} : { token }),
      ...(username === undefined || password === undefined
        ? {}
        : { credentials: { username, password } }),
      write: asJson ? () => undefined : write,
    })
    const { passed, failed, results } = report
    return {
      json: { passed, failed, results: results.map((result) => ({ ...result })) },
      // Each result and the totals have been written as they came.
      text: '',
      failed: failed > 0,
    }
  },
}
