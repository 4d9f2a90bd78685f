/** The key ring is unusable. The message is one line for the operator: the fault and the remedy. */
export class KeyRingProblem extends Error {
  override readonly name = 'KeyRingProblem'
}

/** Describes the last resort and its cost. */
export const lostMasterKeyAdvice =
  'If it is lost for good, run: latchkey keys rotate --lost-master-key ' +
  '(all users must then sign in again; accounts and passwords stay).'
