import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import pg from 'pg'
import t from 'tap'
import { runProcess } from '../support/run-process.ts'
import { testDatabase } from '../support/test-database.ts'

/** 128 plus the number of SIGPIPE: a shell's exit code for a program ended by that signal. */
const brokenPipe = 141

t.test('a command ends quietly when its reader closes before it writes', async (t) => {
  const { child, ended } = runProcess('src/service/cli/cli.ts', { arguments: ['help'] })
  child.stdout?.destroy()
  const { code, stderr } = await ended
  t.same({ code, stderr }, { code: brokenPipe, stderr: '' })
})

t.test('a command ends quietly when its reader closes after the first part', async (t) => {
  const { url, adminUrl } = await testDatabase(t)
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  // More than any pipe buffers.
  await admin.query(
    `INSERT INTO organizations (id, name, type, created_at)
     SELECT 'org_' || lpad(n::text, 22, '0'), repeat('n', 5000), 'external', now()
     FROM generate_series(1, 1000) AS n`,
  )
  await admin.end()
  const secret = () => randomBytes(32).toString('base64')
  const { child, ended } = runProcess('src/service/cli/cli.ts', {
    env: {
      DATABASE_URL: url,
      SECRETS_KEY: secret(),
      API_KEY_PEPPER: secret(),
      CHECKPOINT_KEY: secret(),
    },
    arguments: ['org', 'list'],
  })
  if (child.stdout === null) throw new Error('the command has no pipe')
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const { code, stderr } = await ended
  t.same({ code, stderr }, { code: brokenPipe, stderr: '' })
})
