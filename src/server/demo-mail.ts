/** Where the demo of `npm start` sends mail, for the commands that are run beside it. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readSettings } from '../settings/read.ts'
import type { Settings } from '../settings/settings.ts'

/**
 * Returns the file, next to the database, that holds the demo's `Mail:Url` while the demo runs. Undefined: the database
 * is not a file.
 */
export function demoMailFile(database: Settings['database']['url']): string | undefined {
  return database.kind === 'sqlite' ? join(dirname(database.file), 'demo-mail') : undefined
}

/** Returns the settings with the `Mail:Url` of the demo, or as they are if no demo runs on their database. */
export function withDemoMail(settings: Settings): Settings {
  const url = readNote(demoMailFile(settings.database.url))
  if (url === undefined) return settings
  const read = readSettings({ env: { Mail__Url: url } })
  if (!read.ok) return settings
  return Object.freeze({ ...settings, mail: Object.freeze({ ...settings.mail, url: read.settings.mail.url }) })
}

function readNote(file: string | undefined): string | undefined {
  try {
    return file === undefined ? undefined : readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}
