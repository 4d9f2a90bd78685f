/**
 * Checks of `latchkey doctor` that need no database.
 *
 * Belongs here: what is wrong with an installation, and how to fix it.
 * Belongs elsewhere: options and output of the command (`cli/`), and what the running process does (`server/`).
 */
import { statSync } from 'node:fs'
import { type Finding, failed, ok, warning } from '../../finding.ts'
import { ownMasterKeyFile } from '../../keys/master-key.ts'
import { isLoopbackAddress, isLoopbackHost } from '../../protocol/loopback.ts'
import { argon2Implementation } from '../../secrets/hash-threads.ts'
import { exposureProblems } from '../../settings/exposure.ts'
import type { Settings } from '../../settings/settings.ts'
import { describe, isFault } from '../password-hashing.ts'

/** Checks that issuer, listening address and proxy setting are consistent. */
export function checkAddress(settings: Settings): Finding[] {
  const { oauth, server } = settings
  const [problem] = exposureProblems(settings, false)
  if (problem !== undefined) {
    return [failed('address', problem, 'The service refuses to start with these settings.')]
  }
  const issuer = new URL(oauth.issuer)
  const listensLocally = isLoopbackAddress(server.host)
  if (issuer.protocol === 'https:' && server.trustProxy === false) {
    const message = `The issuer is ${oauth.issuer}, but the service itself speaks plain http on ${server.host}:${server.port}.`
    const advice =
      'Put a proxy in front that terminates TLS, and set Server:TrustProxy to its address, so that clients are distinguished.'
    return [warning('address', message, advice)]
  }
  if (isLoopbackHost(issuer.hostname) && !listensLocally) {
    const message = `The issuer is ${oauth.issuer}, which other machines cannot reach, but ${server.host} listens for them.`
    return [
      warning('address', message, 'Set OAuth:Issuer to the address that browsers use, or Server:Host to localhost.'),
    ]
  }
  const issuerPort = issuer.port === '' ? 80 : Number(issuer.port)
  if (issuer.protocol === 'http:' && issuerPort !== server.port) {
    const message = `The issuer is ${oauth.issuer}, but the service listens on port ${server.port}.`
    return [warning('address', message, 'Make the two ports the same, unless a proxy forwards one to the other.')]
  }
  return [ok('address', `The issuer is ${oauth.issuer}, and the service listens on ${server.host}:${server.port}.`)]
}

/**
 * Checks that certificates of clients can come from a proxy (RFC 8705 §6.2). Settings under which they can come from
 * everyone are refused when they are read.
 */
export function checkCertificates({ oauth, server }: Settings): Finding[] {
  if (oauth.mtls.clientCertificateHeader === null || server.trustProxy !== false) return []
  const message =
    'OAuth:Mtls:ClientCertificateHeader is set and Server:TrustProxy is false: the header is never believed.'
  return [warning('address', message, 'Set Server:TrustProxy to the address of the proxy that ends TLS.')]
}

/** The date of this check; no correct clock is earlier. */
const earliestMs = Date.UTC(2026, 0, 1)

/** Other machines compare times in tokens with their own clocks. */
export function checkClock(nowMs: number): Finding {
  const time = `The clock says ${new Date(nowMs).toISOString()}`
  if (nowMs >= earliestMs) return ok('clock', `${time}.`)
  return failed('clock', `${time}, which has long passed.`, 'Set the clock, preferably with a time service (NTP).')
}

/** Checks that files with secrets are readable by the service's own account only. */
export function checkFiles(settings: Settings): Finding[] {
  if (process.platform === 'win32') return []
  const { keys } = settings
  const { url } = settings.database
  const files = [url.kind === 'sqlite' ? url.file : null, ownMasterKeyFile(settings), keys.masterKeyFile]
  const open = files.filter((file) => file !== null && isOpenToOthers(file))
  if (open.length === 0) return [ok('files', 'No file with secrets is open to other accounts.')]
  return open.map((file) =>
    warning('files', `${file} can be read by other accounts of this machine.`, `Run: chmod 600 ${file}`),
  )
}

function isOpenToOthers(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && (found.mode & 0o077) !== 0
}

export async function checkHashing(): Promise<Finding> {
  const implementation = await argon2Implementation()
  const sentence = `${describe(implementation).replace(/^p/, 'P')}.`
  if (!isFault(implementation)) return ok('passwords', sentence)
  const advice = 'Sign-ins take twice the processor time. Reinstall the packages: npm ci'
  return warning('passwords', sentence, advice)
}
