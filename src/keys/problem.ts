/** The key ring cannot be used. The message is one line for the operator: what is wrong, and the way out. */
export class KeyRingProblem extends Error {
  override readonly name = 'KeyRingProblem'
}

/** The last resort, and its price. */
export const lostMasterKeyAdvice =
  'If it is lost for good, run: latchkey keys rotate --lost-master-key ' +
  '(applications must then send everybody to sign in again; accounts and passwords stay).'
