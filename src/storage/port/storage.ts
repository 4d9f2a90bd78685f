/**
 * The storage port. Verbs name what happens, and each is atomic: when requests race, the verb tells the winner. There
 * is no begin or commit outside `storage/`. All times are epoch milliseconds. `test/storage/contract.ts` defines every
 * promise of theirs and runs over each adapter.
 *
 * Each verb may reject with `StorageUnavailable`; nothing was acknowledged then.
 *
 * Verbs that change something take audit events. These are stored in the same commit, and only if something changed:
 * the loser of a race leaves no entry.
 *
 * A verb is declared once, on the page of its record in `sql/`: its promise, what it takes and returns, and its
 * statements. `Storage` is derived from these pages, of which this file alone may know, and nothing but the type.
 *
 * Belongs here: what verbs take, return and reject with, where it has a name, and how much they read at once.
 * Belongs elsewhere: the verbs (`sql/`), and the records of the service, whose types are in `protocol/`, `users/` and `audit/`.
 */
export type { Storage } from '../sql/storage.ts'
