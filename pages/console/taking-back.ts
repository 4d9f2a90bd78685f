/** Undoing a change while its toast stands there. */
import type { ComponentChildren } from 'preact'
import type { Undo } from '../kit/toast.tsx'
import type { Result } from './api.ts'
import { words } from './texts.ts'

/** Takes a change back with `act`. `then`: what is said once that is done. */
export const takingBack =
  (act: () => Promise<Result<unknown>>, then: () => ComponentChildren | Promise<ComponentChildren>): Undo =>
  async () =>
    (await act()).kind === 'ok' ? then() : words().people.notTakenBack
