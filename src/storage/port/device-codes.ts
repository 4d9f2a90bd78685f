/** Requests of devices (RFC 8628). */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Client } from '../../protocol/client/client.ts'
import type { DeviceAnswer, DeviceCode } from '../../protocol/device/device-code.ts'
import type { Scope } from '../../protocol/scope/scope.ts'
import type { ExchangeFacts } from './grants.ts'

export type DeviceCodes = {
  /** Stores a request. False: its user code is taken, or its client was deleted. `keptUntilMs`: when it may be removed. */
  create(code: DeviceCode, keptUntilMs: number, events?: AuditEvents): Promise<boolean>
  /** Reads the facts for a poll, by the id in the device code. `clientId`: the polling client. */
  findForPoll(id: string, clientId: string): Promise<DevicePollFacts>
  /** Finds the request with one of these hashes of its user code. */
  findByUserCode(hashes: readonly string[]): Promise<DeviceRequestFacts | undefined>
  /**
   * Stores the user's answer. True for exactly one caller, never after the end of the code, and for an approval only while its session
   * lives: one that ends at the same moment either refuses the approval or ends it, as `Sessions.end` says.
   */
  answer(id: string, answer: DeviceAnswer, nowMs: number, events?: AuditEvents): Promise<boolean>
}

/** All facts for a poll, read in one round trip. `user`: the one that approved. */
export type DevicePollFacts = ExchangeFacts & { readonly code: DeviceCode | undefined }

/** What the user is asked about. `scopes`: the requested ones that are registered. */
export type DeviceRequestFacts = {
  readonly code: DeviceCode
  readonly client: Client
  readonly scopes: readonly Scope[]
}
