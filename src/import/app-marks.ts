/** What is remembered of the authenticator apps of a source, which count as one value: all of them, or none. */
import { type ImportedApp, usualForm } from '../users/imported-factors.ts'
import type { AuthenticatorApp } from '../users/second-factor.ts'

/** Hashes of the values that a source had, by their names. */
export type Marks = Readonly<Record<string, string>>

/** Among marks: when the authenticator apps of the source came, and how many where they are several. Others were set up here. */
export const totpSince = 'totp_since'

/** All of them at once, in any order; a usual one alone is its secret. */
export function appsValue(apps: readonly ImportedApp[]): unknown {
  const all = apps.map(({ secret, form = usualForm }) => [secret, form.algorithm, form.digits, form.period].join(' '))
  const [only, other] = apps
  const isUsual = other === undefined && all[0] === [only?.secret, ...Object.values(usualForm)].join(' ')
  return isUsual ? only?.secret : all.sort()
}

/** Returns the marks to keep of a person. `last`: those of before; `newApps`: how many authenticator apps come with this run. */
export function keptMarks(there: Marks, last: Marks | undefined, newApps: number, nowMs: number): Marks {
  const since = newApps > 0 ? sinceText(nowMs, newApps) : last?.[totpSince]
  return there.totp_secret === undefined || since === undefined ? there : { ...there, [totpSince]: since }
}

const sinceText = (sinceMs: number, count: number): string => (count > 1 ? `${sinceMs} ${count}` : String(sinceMs))

/** Whether the authenticator apps that are stored are those that came with the last import: none was set up or removed here. */
export function areImportedApps(last: Marks, [first, ...others]: readonly AuthenticatorApp[]): boolean {
  if (first === undefined || last.totp_secret === undefined)
    return first === undefined && last.totp_secret === undefined
  return last[totpSince] === sinceText(first.sinceMs, 1 + others.length)
}
