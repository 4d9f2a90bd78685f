/** How applications of Keycloak prove who they are. */
import { X509Certificate } from 'node:crypto'
import type { JsonObject } from '../../protocol/json-value.ts'
import { jsonOf, type Note, type SourceClient } from '../source.ts'

type Authentication = {
  readonly members: JsonObject
  readonly secrets: Pick<SourceClient, 'secret' | 'previousSecret'>
  readonly notes: readonly Note[]
}

type Fault = { readonly fault: string; readonly member: string }

const methodMember = 'clientAuthenticatorType'

/** Never a weaker proof than there: an application whose proof cannot come does not come. */
export function authenticationOf(client: JsonObject, attributes: JsonObject): Authentication | Fault {
  const id = String(client.clientId)
  if (client.publicClient === true) return { members: { token_endpoint_auth_method: 'none' }, secrets: {}, notes: [] }
  const method = client.clientAuthenticatorType ?? 'client-secret'
  if (method === 'client-secret') return bySecret(id, client.secret, attributes)
  if (method === 'client-secret-jwt') {
    const found = bySecret(id, client.secret, attributes)
    if ('fault' in found) return found
    return { ...found, members: { token_endpoint_auth_method: 'client_secret_jwt', ...algorithmOf(attributes) } }
  }
  if (method === 'client-jwt') return byKeys(id, attributes)
  if (method === 'client-x509') return byCertificate(id, attributes)
  return { fault: `${id} proves itself by ${method}, which Latchkey does not know.`, member: methodMember }
}

function bySecret(id: string, secret: unknown, attributes: JsonObject): Authentication | Fault {
  // The admin console masks secrets; the export of the command has them.
  if (typeof secret !== 'string' || secret === '' || /^\*+$/.test(secret)) {
    return { fault: `The secret of the client ${id} is not in the export: kc.sh export has it.`, member: 'secret' }
  }
  const { 'client.secret.rotated': before, 'client.secret.rotated.expiration.time': end } = attributes
  const isOlder = typeof before === 'string' && before !== '' && Number(end) > 0
  return {
    members: { token_endpoint_auth_method: 'client_secret_basic' },
    secrets: {
      secret: { text: secret },
      ...(isOlder && { previousSecret: { text: before, endsAtMs: Number(end) * 1000 } }),
    },
    notes: [],
  }
}

function algorithmOf(attributes: JsonObject): JsonObject {
  const value = attributes['token.endpoint.auth.signing.alg']
  return typeof value === 'string' && value !== '' ? { token_endpoint_auth_signing_alg: value } : {}
}

function byKeys(id: string, attributes: JsonObject): Authentication | Fault {
  const members = { token_endpoint_auth_method: 'private_key_jwt', ...algorithmOf(attributes) }
  const address = attributes['use.jwks.url'] === 'true' ? attributes['jwks.url'] : undefined
  if (typeof address === 'string' && address !== '') {
    return { members: { ...members, jwks_uri: address }, secrets: {}, notes: [] }
  }
  const text = attributes['use.jwks.string'] === 'true' ? attributes['jwks.string'] : undefined
  const keys = typeof text === 'string' ? jsonOf(text) : keysOfCertificate(attributes['jwt.credential.certificate'])
  if (keys === undefined)
    return { fault: `${id} has no key by which its assertions could be verified.`, member: methodMember }
  return { members: { ...members, jwks: keys }, secrets: {}, notes: [] }
}

/** Returns the key of a certificate as a JWK Set; undefined: it is none. */
function keysOfCertificate(text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return undefined
  try {
    const pem = text.includes('-----BEGIN') ? text : `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`
    return { keys: [{ ...new X509Certificate(pem).publicKey.export({ format: 'jwk' }), use: 'sig' }] }
  } catch {
    return undefined
  }
}

function byCertificate(id: string, attributes: JsonObject): Authentication | Fault {
  const member = 'attributes.x509.subjectdn'
  const subject = attributes['x509.subjectdn']
  if (attributes['x509.allow.regex.pattern.comparison'] === 'true') {
    return {
      fault: `${id}: the name in its certificate is a pattern (${subject}). Here it is compared as it is.`,
      member,
    }
  }
  if (typeof subject !== 'string' || subject === '') return { fault: `${id} has no name of a certificate.`, member }
  const members = { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: subject }
  return { members, secrets: {}, notes: [] }
}
