/** The `state` of test sign-ins, sealed. */
import type { KeyRing } from '../keys/key-ring.ts'
import type { TestSignIn } from '../protocol/authorization-request/test-sign-in.ts'
import { sealText, unsealText } from '../secrets/sealed.ts'

const label = 'latchkey test sign-in v1'

export function sealTest(test: TestSignIn, keys: KeyRing, random: (bytes: number) => Uint8Array): string {
  return sealText(keys, 'code', label, JSON.stringify(test), random)
}

/** Returns what the service sealed, expired or not; undefined for anything else. */
export function openTest(state: string, keys: Pick<KeyRing, 'secretById'>): TestSignIn | undefined {
  const text = unsealText(keys, 'code', label, state)
  return text === undefined ? undefined : (JSON.parse(text) as TestSignIn)
}
