/** The fields of a person that are set (OpenID Connect Core §5.1), beyond user name and e-mail address. */
import {
  type FieldName,
  type FieldValues,
  fieldEntries,
  type PersonField,
  type ProvedField,
  personFields,
} from '../person-fields.ts'
import { fieldFault } from './field-values.ts'
import { rememberedText } from './remembered.ts'

export type UserClaims = FieldValues & {
  /** When a claim, the user name or the e-mail address last changed; seconds since the epoch. Never set directly. */
  readonly updated_at?: number
}

export type SettableClaim = FieldName

/** `null` removes a claim. */
export type ClaimChanges = { readonly [Claim in SettableClaim]?: UserClaims[Claim] | null }

export const noUserClaims: UserClaims = Object.freeze({})

/** Flags that say another claim to be proved, each with that claim. */
export const proofs: readonly { readonly flag: SettableClaim; readonly proves: SettableClaim }[] = fieldEntries.flatMap(
  ([flag, field]) =>
    field.type === 'flag' && field.proves !== undefined ? [{ flag, proves: field.proves as ProvedField }] : [],
)

/** Applies changes. Another value is unproved, such as a telephone number, unless its proof comes with it. */
export function changeClaims(claims: UserClaims, changes: ClaimChanges): UserClaims {
  const isOther = (claim: SettableClaim) => changes[claim] !== undefined && changes[claim] !== claims[claim]
  const unproved = Object.fromEntries(proofs.filter(({ proves }) => isOther(proves)).map(({ flag }) => [flag, null]))
  const next = { ...claims, ...unproved, ...changes }
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== null))
}

/** Returns what is wrong with the value of a claim, as the end of a sentence; undefined: nothing. */
export function claimFault(claim: SettableClaim, value: unknown): string | undefined {
  const field: PersonField = personFields[claim]
  return fieldFault(field, value)
}

/** Encodes claims for storage; null: none. */
export function claimsToText(claims: UserClaims): string | null {
  return Object.keys(claims).length === 0 ? null : JSON.stringify(claims)
}

const read = rememberedText((text): UserClaims => Object.freeze(JSON.parse(text)))

export function textToClaims(text: string | null): UserClaims {
  return text === null ? noUserClaims : read(text)
}
