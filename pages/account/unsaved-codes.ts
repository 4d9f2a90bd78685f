/**
 * Recovery codes that are on the screen and not kept yet. The page asks before it is left. If it is left all the same, the tab
 * knows whose codes were lost with it. The codes themselves are kept nowhere.
 */
import { recall, remember } from '../tab-memory.ts'

/** `returnUrl`: where the page with the codes was to lead. */
export type LostCodes = { readonly name: string; readonly returnUrl: string }

const toldWhenGone: (() => void)[] = []
let areShown = false

const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
// A page that is shown again is empty, and has nothing to lose.
const forgetAsking = (): void => removeEventListener('beforeunload', ask)

/** From now on, codes of this person are on the screen. */
export function codesAreShown({ name, returnUrl }: LostCodes): void {
  areShown = true
  remember('codes', `${name}\n${returnUrl}`)
  addEventListener('beforeunload', ask)
  addEventListener('pagehide', forgetAsking)
}

/** The person has them, or wants none of them. */
export function codesAreKept(): void {
  remember('codes', '')
  forgetAsking()
}

/** They are not on the screen any more: the person went on, or they ended with the factor that they stand in for. */
export function codesAreGone(): void {
  codesAreKept()
  areShown = false
  for (const tell of toldWhenGone.splice(0)) tell()
}

/** Resolves when no codes are on the screen. */
export function whenCodesAreGone(): Promise<void> {
  return areShown ? new Promise((done) => toldWhenGone.push(done)) : Promise.resolve()
}

/** Returns whose codes were lost with an earlier page of this tab; null: nobody's. */
export function lostCodes(): LostCodes | null {
  const [name, returnUrl = '/'] = (areShown ? null : recall('codes'))?.split('\n') ?? []
  return name ? { name, returnUrl } : null
}
