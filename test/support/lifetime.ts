/** What a test, or a whole file, has for itself and leaves nothing of. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { startService, type TestService } from './service.ts'

/** What ends with a test, whose context is one, or else with the suite or file that is being declared. */
export type Lifetime = { after(end: () => unknown): unknown }

const declared: Lifetime = { after }

/** A fresh folder. It is removed in the end. */
export function temporaryFolder(t: Lifetime = declared): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** As `startService`; it is stopped in the end. */
export async function serviceFor(t: Lifetime, ...options: Parameters<typeof startService>): Promise<TestService> {
  const service = await startService(...options)
  t.after(() => service.stop())
  return service
}
