/** How a new installation gets its first administrator in a browser, and what is to do after that. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Confirmation } from '../../users/confirmation.ts'
import type { Passkey } from '../../users/passkey.ts'
import type { NameConflict } from '../../users/registration.ts'
import type { User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import type { Finished } from '../pending.ts'
import type { SpentValue } from '../port/grants.ts'
import type { SetUpMark } from '../port/set-up.ts'
import { requireValues } from './attribute-values.ts'
import { toHoldingRow } from './confirmation-row.ts'
import { putConfirmation, removeConfirmation } from './confirmations.ts'
import { storeFirst } from './passkeys.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'
import { allMarks, removeMark, setMark } from './set-up-marks.ts'
import { spending } from './spent-values.ts'
import { userStatements } from './user-keys.ts'
import { conflictOf } from './user-names.ts'
import { fromNewUser } from './user-row.ts'

const removeOffers = prepare('set-up.removeOffers', (db, _: Placeholders<Record<never, never>>, { sql }) =>
  db.deleteFrom('confirmations').where('purpose', '=', sql.lit('setup')),
)
const offerOf = prepare('set-up.offer', (db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('confirmations').select('id').where('id', '=', p.id),
)

export function sqlSetUp(engine: Engine, finished: Finished) {
  const marks = async (): Promise<ReadonlySet<SetUpMark>> =>
    new Set((await engine.read(allMarks({}))).map(({ name }) => name as SetUpMark))
  const isOpen = async () => !(await marks()).has('ended')
  return {
    marks,
    /** Whether nobody has an account, or ever had one. The demo's does not count. */
    isOpen,
    /** Stores a link with which the installation is set up. `replacing`: earlier ones end. */
    async offer(link: Confirmation, events: AuditEvents, { replacing = false } = {}): Promise<void> {
      const ended = replacing ? [removeOffers({})] : []
      await engine.commit([...ended, putConfirmation(await toHoldingRow(link))], events)
    },
    /**
     * Creates the first administrator and ends the set-up with all its links, all or nothing. Of any number of callers, with the
     * same link or with others, one gets 'created', and none does once anybody else has an account. 'gone': the link was
     * removed, or the set-up has ended. `first`: a passkey, which comes into being with the account, and its challenge, which is used
     * up; 'passkey_refused': it was before, or the credential is registered.
     */
    finish: finished(
      async (
        id: string,
        user: User,
        events?: AuditEvents,
        first?: { readonly passkey: Passkey; readonly challenge: SpentValue },
      ): Promise<'created' | 'gone' | 'passkey_refused' | NameConflict> => {
        const row = await fromNewUser(user)
        const commit = [
          // First: another new account waits here, or this one waits for it.
          mustChange(setMark('ended', user.createdAtMs)),
          mustChange(removeConfirmation({ id })),
          removeOffers({}),
          ...userStatements(row, user),
          ...(first ? [...spending([first.challenge]), storeFirst(first.passkey)] : []),
        ]
        for (;;) {
          if ((await engine.commit(commit, events)).applied) return 'created'
          if (!(await isOpen()) || (await engine.read(offerOf({ id }))).length === 0) return 'gone'
          const conflict =
            (await conflictOf(engine, { ...row, id: '' })) ?? (await requireValues(engine, undefined, user))
          if (conflict) return conflict
          if (first) return 'passkey_refused'
        }
      },
    ),
    /** True: the mark was not made before. */
    async mark(name: SetUpMark, nowMs: number, events?: AuditEvents): Promise<boolean> {
      return (await engine.commit([mustChange(setMark(name, nowMs))], events)).applied
    },
    /** True: the mark was made before. */
    async unmark(name: Exclude<SetUpMark, 'ended'>, events?: AuditEvents): Promise<boolean> {
      return (await engine.commit([mustChange(removeMark({ name }))], events)).applied
    },
  }
}
