/** The settings of this environment and folder, which must have no problems. */
import assert from 'node:assert/strict'
import { readSettings } from '../../src/settings/read.ts'
import type { Settings } from '../../src/settings/settings.ts'

export function settingsFrom(env: Readonly<Record<string, string>> = {}, folder = '/nowhere'): Settings {
  const read = readSettings({ env, cwd: folder })
  assert.ok(read.ok, read.ok ? '' : read.problems.join('\n'))
  return read.settings
}

/** What is wrong with the settings of this environment. */
export function settingsProblems(env: Readonly<Record<string, string>>): readonly string[] {
  const read = readSettings({ env, cwd: '/nowhere' })
  return read.ok ? [] : read.problems
}
