import type { Messages } from '#messages'

export type Place = keyof Messages['console']['rules']['places']
export type Form = keyof Messages['console']['rules']['forms']

/** A rule as the API has it. `in` and `as` absent: the default. */
export type ClaimRule = { claim: string; from: string; in?: Place[] | null; as?: Form }
