/** Everything that a process counts by address, client, person or device. It outlives the application, which a reload replaces. */
import { type AttemptLimiter, attemptLimiter } from './attempt-limiter.ts'
import { type PollPacing, pollPacing } from './poll-pacing.ts'
import { type RateLimiter, rateLimiter } from './rate-limiter.ts'
import { type WriteBudget, writeBudget } from './write-budget.ts'

export type Budgets = {
  readonly attempts: AttemptLimiter
  /** Bounds the requests of devices, of clients that no operator registered as confidential. */
  readonly deviceRequests: WriteBudget
  /** Pushed authorization requests of such clients. */
  readonly pushes: WriteBudget
  /** Token requests of clients that anybody could register: each is an entry of the audit trail. */
  readonly tokenRequests: WriteBudget
  readonly devicePolls: PollPacing
  /** Bounds how many clients each address registers without an initial access token. */
  readonly registrations: RateLimiter
  /** Bounds the metadata that is judged, whether or not it is registered. */
  readonly registrationRequests: WriteBudget
  /** Bounds what people change in their account area. */
  readonly selfChanges: WriteBudget
  /** Bounds how many documents of clients are fetched for each address. */
  readonly documentRequests: RateLimiter
  /** Bounds how many clients each address adds by their documents. */
  readonly documentClients: RateLimiter
  /** Bounds how many confirmations by mail each address asks for. */
  readonly confirmationRequests: RateLimiter
  /** Bounds how many logos are fetched for each address. */
  readonly logoRequests: RateLimiter
}

/** Those of the settings. */
export type BudgetSettings = { readonly loginPerMinute: number; readonly pushedRequestsPerMinute: number }

export type SharedBudgets = Budgets & {
  /** Takes on changed settings. What was counted stays. */
  follow(settings: BudgetSettings): void
}

/** The largest request of a device has 50 KB, the usual one 100 bytes. */
const deviceLimits = { rows: 300, bytes: 256 * 1024 }
/** A usual request has 500 bytes, the largest of a public client 8 KiB. */
const pushedBytesPerMinute = 1024 * 1024
/** Room for the people of an office; an entry and the values that were used once have less than a KiB. */
const tokenLimits = { rows: 600, bytes: 1024 * 1024 }
const registrationsPerHour = 20
/** A usual one has 1 KB, the largest 32 KiB. A client changes itself now and then. */
const registrationLimits = { rows: 60, bytes: 512 * 1024, rowsOfOwner: 10 }
/** More than hands can click, and room for the people of an office. A body has at most 32 KiB. */
const selfLimits = { rows: 300, bytes: 1024 * 1024, rowsOfOwner: 60 }
const documentRequestsPerMinute = 30
const documentClientsPerHour = 60
/** More than the mails of an hour, because a page may be sent again with corrected fields. */
const confirmationRequestsPerHour = 200
const logosPerMinute = 30
const hourMs = 3_600_000

/** `judges`: how many passwords are checked in parallel. */
export function budgetsWith(settings: BudgetSettings, clock: () => number, judges: number): SharedBudgets {
  const attempts = attemptLimiter(settings.loginPerMinute, clock, judges)
  const pushes = writeBudget({ rows: settings.pushedRequestsPerMinute, bytes: pushedBytesPerMinute }, clock)
  return {
    attempts,
    deviceRequests: writeBudget(deviceLimits, clock),
    pushes,
    tokenRequests: writeBudget(tokenLimits, clock),
    devicePolls: pollPacing(clock),
    registrations: rateLimiter(registrationsPerHour, clock, hourMs),
    registrationRequests: writeBudget(registrationLimits, clock),
    selfChanges: writeBudget(selfLimits, clock),
    documentRequests: rateLimiter(documentRequestsPerMinute, clock),
    documentClients: rateLimiter(documentClientsPerHour, clock, hourMs),
    confirmationRequests: rateLimiter(confirmationRequestsPerHour, clock, hourMs),
    logoRequests: rateLimiter(logosPerMinute, clock),
    follow({ loginPerMinute, pushedRequestsPerMinute }) {
      attempts.allow(loginPerMinute)
      pushes.allow(pushedRequestsPerMinute)
    },
  }
}
