import { readConfig } from '../../config.ts'
import { migrateExternal } from '../../open-database.ts'
import { type Command, CommandFailed } from '../command.ts'

export const databaseMigrate: Command = {
  name: 'database migrate',
  summary: 'Migrates the database to this version and grants the role of DATABASE_URL its rights.',
  flags: {},
  examples: ['database migrate'],
  run: async () => {
    const { databaseUrl, databaseAdminUrl } = readConfig()
    if (databaseUrl === undefined) {
      throw new CommandFailed(
        'DATABASE_URL is not set. The service migrates the embedded database when it starts.',
      )
    }
    const { applied } = await migrateExternal(databaseUrl, databaseAdminUrl)
    return {
      json: { status: applied.length === 0 ? 'nothing_to_do' : 'done', applied: [...applied] },
      text:
        applied.length === 0
          ? 'The database is up to date.'
          : `Applied ${applied.length} migrations, the last one is ${applied.at(-1)}.`,
    }
  },
}
