/** What commands say and do about rows of deleted clients, scopes and roles. */
import { Refused } from '../server/refused.ts'
import type { Removal } from '../storage/port/configuration.ts'
import type { Storage } from '../storage/port/storage.ts'

/** Removes the rows of what a command deleted, because no service may be running. One that runs does the same. */
export async function removeAll({ removals }: Pick<Storage, 'removals'>): Promise<void> {
  await removals.goOn(() => true)
}

/** Says why a name is not free. `taken`: unless its last bearer is still being removed. */
export async function notFree(
  { removals }: Pick<Storage, 'removals'>,
  removal: Removal,
  taken: string,
): Promise<Refused> {
  const { kind, name } = removal
  const isLeaving = (await removals.list()).some((one) => one.kind === kind && one.name === name)
  if (!isLeaving) return new Refused(taken)
  return new Refused(
    `The deleted ${kind} ${name} is still being taken from consents and grants. Try again in a minute.`,
  )
}
