/** Invitations: confirmations of their own purpose, listed, sent again and withdrawn. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Confirmation, InvitationState } from '../../users/confirmation.ts'
import type { Engine } from '../engine.ts'
import type { ListPage } from '../port/list-pages.ts'
import { confirmationColumns, toConfirmation, toHoldingRow } from './confirmation-row.ts'
import { putConfirmation, removeConfirmation } from './confirmations.ts'
import { pageRows, pagesOf } from './list-pages.ts'
import { withdrawMail } from './mails.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'

const listedRows = 1000

type Listed = { after: string; state: string; now_ms: number }

/** An empty `state` is any. */
const pages = pagesOf(({ order, operator }) =>
  prepare(`invitations.page-${order}`, (db, p: Placeholders<Listed>, { sql }) =>
    db
      .selectFrom('confirmations')
      .select(confirmationColumns)
      .where('purpose', '=', sql.lit('invite'))
      .where('id', operator, p.after)
      .where(
        sql<boolean>`(${p.state} = '' or ${p.state} = case when expires_at_ms <= ${p.now_ms} then 'expired'
          when confirmed_at_ms is null then 'waiting' else 'opened' end)`,
      )
      .orderBy('id', order === 'newest' ? 'desc' : 'asc')
      .limit(sql.lit(pageRows)),
  ),
)
const open = prepare('invitations.open', (db, p: Placeholders<{ now_ms: number }>, { sql }) =>
  db
    .selectFrom('confirmations')
    .select(confirmationColumns)
    .where('purpose', '=', sql.lit('invite'))
    .where('expires_at_ms', '>', p.now_ms)
    .orderBy('id', 'desc')
    .limit(sql.lit(listedRows)),
)

const bySubject = prepare('invitations.bySubject', (db, p: Placeholders<{ subject: string }>, { sql }) =>
  db
    .selectFrom('confirmations')
    .select(confirmationColumns)
    .where('purpose', '=', sql.lit('invite'))
    .where('subject', '=', p.subject),
)

/** Its mail is taken along while it waits; one that was sent has a link that no longer works. */
const withMailOf = ({ details: { mailId } }: Confirmation, nowMs: number) =>
  mailId === undefined ? [] : [withdrawMail({ id: mailId, now_ms: nowMs })]

export function sqlInvitations(engine: Engine) {
  return {
    /** Returns a page in the order in which they were sent. `state` undefined: those that are over are among them. */
    async page(
      { after, limit, order }: ListPage,
      nowMs: number,
      state?: InvitationState | undefined,
    ): Promise<Confirmation[]> {
      const { statement, first } = pages[order]
      const rows = await engine.read(statement({ after: after ?? first, state: state ?? '', now_ms: nowMs }))
      return rows.slice(0, limit).map(toConfirmation)
    },
    /** Returns the newest 1,000 that have not ended, oldest first. */
    async open(nowMs: number): Promise<Confirmation[]> {
      return (await engine.read(open({ now_ms: nowMs }))).map(toConfirmation).reverse()
    },
    /** Returns the one with the subject, in whose place another one comes: used, expired or neither. */
    async ofSubject(subject: string): Promise<Confirmation | undefined> {
      const [row] = await engine.read(bySubject({ subject }))
      return row && toConfirmation(row)
    },
    /**
     * Puts another invitation to the same address in the place of this one, whose link no longer works. True for exactly one
     * caller. False: it was used, sent again or withdrawn before.
     */
    async sendAgain(former: Confirmation, next: Confirmation, nowMs: number, events?: AuditEvents): Promise<boolean> {
      const commit = [
        mustChange(removeConfirmation({ id: former.id })),
        ...withMailOf(former, nowMs),
        putConfirmation(await toHoldingRow(next)),
      ]
      return (await engine.commit(commit, events)).applied
    },
    /** Removes it. True for exactly one caller. */
    async withdraw(sent: Confirmation, nowMs: number, events?: AuditEvents): Promise<boolean> {
      const commit = [mustChange(removeConfirmation({ id: sent.id })), ...withMailOf(sent, nowMs)]
      return (await engine.commit(commit, events)).applied
    },
  }
}
