/** The statements about what was done to set the installation up. */
import type { SetUpMark } from '../port/set-up.ts'
import { type Placeholders, pick, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'
import { columns, type SetUpMarksTable } from './tables.ts'

export const allMarks = prepare('set-up-marks.all', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('set_up_marks').select(columns.set_up_marks),
)
const insertMark = prepare('set-up-marks.insert', (db, p: Placeholders<SetUpMarksTable>) =>
  db
    .insertInto('set_up_marks')
    .values(pick(p, columns.set_up_marks))
    .onConflict((conflict) => conflict.doNothing()),
)
export const removeMark = prepare('set-up-marks.remove', (db, p: Placeholders<{ name: string }>) =>
  db.deleteFrom('set_up_marks').where('name', '=', p.name),
)

/** Changes nothing where the mark is made already. */
export const setMark = (name: SetUpMark, nowMs: number): Statement => insertMark({ name, at_ms: nowMs })
