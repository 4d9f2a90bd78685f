/** The dependencies of the endpoints, created once by the composition root. */

import type { X509Certificate } from 'node:crypto'
import type { KeptBrand } from './branding/kept-brand.ts'
import type { Antiforgery } from './browser/antiforgery.ts'
import type { DeviceCookie } from './browser/device-cookie.ts'
import type { ExternalCookies } from './browser/external-cookies.ts'
import type { HalfSignIns } from './browser/half-sign-in.ts'
import type { PasskeyChallenges } from './browser/passkey-challenge.ts'
import type { RequestMarks } from './browser/request-marks.ts'
import type { BrowserSessions } from './browser/session.ts'
import type { Doctor } from './finding.ts'
import type { Answers } from './http/answers.ts'
import type { Budgets } from './http/budgets.ts'
import type { Cookies } from './http/cookies.ts'
import type { KeyRing } from './keys/key-ring.ts'
import type { OutgoingMail } from './mail/outgoing.ts'
import type { LegacyEndpoint } from './outbound/legacy-endpoint.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { ExternalProviders } from './providers/open.ts'
import type { FailurePace } from './secrets/failure-pace.ts'
import type { Settings } from './settings/settings.ts'
import type { Pages } from './site/pages.ts'
import type { Storage } from './storage/port/storage.ts'
import type { Metrics } from './telemetry/metrics.ts'
import type { ClientKeys } from './tokens/client-keys.ts'
import type { UptimeKeeper } from './tokens/uptime.ts'

export type Service = Budgets & {
  readonly settings: Settings
  readonly storage: Storage
  /** Groups, roles and attributes as this process keeps them. */
  readonly catalogue: Storage['catalogue']
  readonly keys: KeyRing
  /** In epoch milliseconds. */
  readonly clock: () => number
  /** Cryptographically secure. */
  readonly random: (bytes: number) => Uint8Array
  readonly pages: Pages
  readonly brand: KeptBrand
  readonly cookies: Cookies
  readonly sessions: BrowserSessions
  readonly antiforgery: Antiforgery
  readonly halfSignIns: HalfSignIns
  readonly challenges: RequestMarks
  readonly openedRequests: RequestMarks
  readonly passkeyChallenges: PasskeyChallenges
  /** Whose word for authenticators counts; null: the authenticator's own does. */
  readonly passkeyManufacturers: readonly X509Certificate[] | null
  readonly chosenAccounts: RequestMarks
  readonly providers: ExternalProviders
  readonly external: ExternalCookies
  /** Requests to addresses that clients registered. */
  readonly outbound: Outbound
  readonly clientKeys: ClientKeys
  /** Mails to people, queued in the commit of what they tell. */
  readonly mail: OutgoingMail
  readonly device: DeviceCookie
  /** Gives failed password checks one duration. */
  readonly failurePace: FailurePace
  /** The system of before that knows passwords (`Accounts:Legacy:Url`); null: there is none. */
  readonly legacy: LegacyEndpoint | null
  readonly uptime: UptimeKeeper
  readonly answers: Answers
  /** Security headers of every answer. */
  readonly headers: Readonly<Record<string, string>>
  readonly metrics: Metrics
  /** Checks the installation, as `latchkey doctor` does. */
  readonly doctor: Doctor
  /** Aborted when the service stops or a reload replaces the application: answers that go on for long then end. */
  readonly ended: AbortSignal
  /** How often such answers look for news. */
  readonly followEveryMs: number
}
