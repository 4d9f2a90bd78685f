/** Authorization codes. A code carries its content encrypted, so issuing one writes nothing. */
import type { KeyRing } from '../keys/key-ring.ts'
import { methodsToText, textToMethods } from '../protocol/claims/authentication-methods.ts'
import type { CodeContent } from '../protocol/grant/authorization-code.ts'
import { sealText, unsealText } from '../secrets/sealed.ts'

const label = 'latchkey authorization code v1'

/** Returns the code for `content`: the id of the sealing secret, a dot, the sealed content. */
export function sealCode(content: CodeContent, keys: KeyRing, random: (bytes: number) => Uint8Array): string {
  return sealText(keys, 'code', label, JSON.stringify(toTuple(content)), random)
}

/** Returns the content of one of the service's codes, expired or not; undefined for anything else. */
export function openCode(code: string, keys: KeyRing): CodeContent | undefined {
  const text = unsealText(keys, 'code', label, code)
  return text === undefined ? undefined : fromTuple(JSON.parse(text) as Tuple)
}

// A tuple instead of named members, which keeps the code and thus the redirect short.
type Tuple = ReturnType<typeof toTuple>

function toTuple(content: CodeContent) {
  return [
    content.grantId,
    content.clientId,
    content.userId,
    content.authorizationId,
    content.redirectUri,
    content.scopes,
    content.resources,
    content.codeChallenge,
    content.nonce,
    content.authenticatedAtMs,
    methodsToText(content.methods),
    content.issuedAtMs,
    content.expiresAtMs,
    content.sessionId,
    content.claims,
    content.dpopKey,
  ] as const
}

/** Reads by index: the iterator of a destructured array costs more than the rest of this. Codes of earlier versions end sooner. */
function fromTuple(tuple: Tuple): CodeContent {
  return {
    grantId: tuple[0],
    clientId: tuple[1],
    userId: tuple[2],
    authorizationId: tuple[3],
    redirectUri: tuple[4],
    scopes: tuple[5],
    resources: tuple[6],
    codeChallenge: tuple[7],
    nonce: tuple[8],
    authenticatedAtMs: tuple[9],
    methods: textToMethods(tuple[10]),
    issuedAtMs: tuple[11],
    expiresAtMs: tuple[12],
    sessionId: tuple[13] ?? null,
    claims: tuple[14] ?? null,
    dpopKey: tuple[15] ?? null,
  }
}
