/** Everybody whom the filters let through. */
import type { ListedPerson } from './people-columns.tsx'
import { csvLine } from './save-file.ts'

/** People who can be chosen at once. */
export const chosenAtMost = 5000

const columns = [
  'id',
  'username',
  'email',
  'email_verified',
  'name',
  'roles',
  'locked_until',
  'second_factor',
  'last_sign_in_at',
  'created_at',
] as const

export const csvHead = csvLine(columns)
export const csvOf = (people: readonly ListedPerson[]): string =>
  people.map((person) => csvLine(columns.map((name) => person[name]))).join('')
