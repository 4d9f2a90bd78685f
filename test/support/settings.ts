/** Settings as a process reads them, for tests of parts that need no service. */
import assert from 'node:assert/strict'
import { readSettings } from '../../src/settings/read.ts'
import type { Settings } from '../../src/settings/settings.ts'

/** `env`: in their environment form; `folder`: where files that they name are. */
export function settingsOf(env: Readonly<Record<string, string>>, folder = '/nowhere'): Settings {
  const read = readSettings({ env, cwd: folder })
  assert.ok(read.ok, read.ok ? '' : read.problems.join('\n'))
  return read.settings
}
