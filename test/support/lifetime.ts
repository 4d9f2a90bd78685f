/** What a test, or a whole file, has for itself and leaves nothing of. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { startService, type TestService } from './service.ts'
import { type ServiceProcess, startProcess } from './service-process.ts'

/** What ends with a test, whose context is one, or else with a file: `thisFile`. */
export type Lifetime = { after(end: () => unknown): unknown }

const ends: (() => unknown)[] = []

/** What was begun last is ended first. */
export const thisFile: Lifetime = {
  after(end) {
    if (ends.push(end) > 1) return
    after(async () => {
      for (const each of ends.splice(0).reverse()) await each()
    })
  },
}

/** A fresh folder. It is removed in the end. */
export function temporaryFolder(t: Lifetime = thisFile): string {
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

/** As `startProcess`; it is killed in the end. */
export async function processFor(t: Lifetime, options: Parameters<typeof startProcess>[0]): Promise<ServiceProcess> {
  const service = await startProcess(options)
  t.after(() => service.kill())
  return service
}

/** The same, which is ended in the end in its own way. */
export function closing<T extends { end(): unknown } | { close(): unknown } | { stop(): unknown }>(
  t: Lifetime,
  opened: T,
): T {
  t.after(() => ('end' in opened ? opened.end() : 'close' in opened ? opened.close() : opened.stop()))
  return opened
}
