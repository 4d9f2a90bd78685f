/** Checks what proves a second factor, a function for each method. The storage verb judges it on the factors as stored. */
import type { Request } from '../http/request.ts'
import { recoveryCodeMatcher } from '../secrets/recovery-codes.ts'
import { matchingStep, unsealTotpSecret } from '../secrets/totp.ts'
import type { Service } from '../service.ts'
import type { Candidate } from '../users/lockout.ts'
import { passkeyMethods } from '../users/passkey.ts'
import { appsOf, confirmTotp, pendingSecret, type SecondFactorMethod, withApps } from '../users/second-factor.ts'
import type { HalfSignIn } from '../users/second-factor-sign-in.ts'
import type { FactorProof } from '../users/sign-in-steps.ts'
import { presentPasskey, refusePasskey } from './passkeys/presented.ts'
import { proveMailCode } from './second-factor-mail.ts'

export type FactorAttempt = {
  readonly service: Service
  readonly request: Request
  readonly half: HalfSignIn
  readonly candidate: Candidate
  /** As sent; empty: not sent. */
  readonly code: string
  /** The JSON of an assertion; empty: not sent. */
  readonly credential: string
}

type Prove = (attempt: FactorAttempt) => FactorProof | Promise<FactorProof>

/** A passkey of the person: its challenge and its counter are judged by the commit. */
const provePasskey: Prove = async ({ service, request, half, credential }) => {
  const presented = await presentPasskey(service, request, credential, 'second_factor', half.userId)
  if (presented.outcome === 'refused') {
    if (presented.copied !== undefined) await refusePasskey(service, request, presented)
    return { method: 'passkey', judge: () => undefined }
  }
  const { passkey, candidate, challenge, userVerified } = presented
  const amr = passkeyMethods(passkey, service.passkeyManufacturers !== null, userVerified)
  return { method: 'passkey', judge: () => ({ amr }), passkey: { next: passkey, before: candidate.passkey }, challenge }
}

/** The methods that this version can check. */
export const factorProofs: { readonly [method in SecondFactorMethod]?: Prove } = {
  totp: ({ service, candidate, code }) => {
    // Each app, so that it takes the same time whichever it is.
    const steps = new Map(
      appsOf(candidate.factors).map(({ sealedSecret }) => [sealedSecret, stepOf(service, sealedSecret, code)] as const),
    )
    return {
      method: 'totp',
      judge(stored) {
        const apps = appsOf(stored)
        // An app that was replaced during the check proves nothing.
        const used = apps.find(({ sealedSecret, lastStep }) => (steps.get(sealedSecret) ?? -1) > lastStep)
        if (used === undefined) return undefined
        const lastStep = steps.get(used.sealedSecret) ?? used.lastStep
        const next = apps.map((app) => (app === used ? { ...app, lastStep } : app))
        return { amr: ['otp'], factors: withApps(stored, next) }
      },
    }
  },
  passkey: provePasskey,
  email: ({ service, half, code }) => proveMailCode(service, half, code),
  recovery: ({ service, half, code }) => {
    const isOfCode = recoveryCodeMatcher(service.keys, half.userId, code)
    return {
      method: 'recovery',
      judge(stored) {
        const recoveryHashes = stored.recoveryHashes.filter((one) => !isOfCode(one))
        if (recoveryHashes.length === stored.recoveryHashes.length) return undefined
        return { amr: ['otp'], factors: { ...stored, recoveryHashes } }
      },
    }
  },
}

/** Checks the first code of the authenticator app that waits for one. */
export function proveNewTotp(service: Service, { factors }: Candidate, code: string): FactorProof {
  const nowMs = service.clock()
  const sealed = factors && pendingSecret(factors, nowMs)
  const step = stepOf(service, sealed, code)
  return {
    method: 'totp',
    judge(stored) {
      if (step === undefined || pendingSecret(stored, nowMs) !== sealed) return undefined
      return { amr: ['otp'], factors: confirmTotp(stored, step, nowMs) }
    },
  }
}

/** Returns the time step of the code under the sealed secret; undefined: it is wrong. */
function stepOf({ keys, clock }: Service, sealed: string | undefined, code: string): number | undefined {
  const secret = sealed === undefined ? undefined : unsealTotpSecret(keys, sealed)
  return secret === undefined ? undefined : matchingStep(secret, code, clock())
}
