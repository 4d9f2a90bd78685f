/** The addresses of a client that the service itself requests. */
import { addressesBy, type Client } from './client.ts'

export type CalledAddress = {
  /** Its member, with the language if it has one: `logo_uri#de`. */
  readonly member: string
  readonly uri: string
}

/** The members whose values the service requests. */
const calledMembers = ['backchannel_logout_uri', 'jwks_uri', 'logo_uri'] as const

/** Returns the addresses of the client that are requested. Logos are those of operators' clients alone. */
export function calledAddresses({ metadata }: Pick<Client, 'metadata'>): CalledAddress[] {
  const isOperators = addressesBy(metadata) === 'operator'
  const members = calledMembers.filter((member) => isOperators || member !== 'logo_uri')
  const plain = members.map((member) => [member, metadata[member]] as const)
  const localized = isOperators
    ? Object.entries(metadata.localized).filter(([member]) => member.startsWith('logo_uri#'))
    : []
  return [...plain, ...localized].flatMap(([member, uri]) => (typeof uri === 'string' ? [{ member, uri }] : []))
}

/** Says that an address will not be requested. `failed`: why, as a clause. */
export function refusedAddressWarning(member: string, failed: string): string {
  return `${member} will not be requested: ${failed}.`
}
