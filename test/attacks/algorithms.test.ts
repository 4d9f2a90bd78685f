/** The algorithms that clients choose open no way to forge: a key verifies its own algorithm, and no public key is a secret. */
import assert from 'node:assert/strict'
import { constants, createHmac, createPublicKey, type KeyObject, sign, type webcrypto } from 'node:crypto'
import { describe, it } from 'node:test'
import type { SigningKey } from '../../src/keys/key-ring.ts'
import { type ClientAlgorithm, defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { Browser, codeFields, obtainCode, postToken } from '../support/browser.ts'
import { addClient, serviceForFile } from '../support/service.ts'

const algorithms: readonly ClientAlgorithm[] = ['RS256', 'PS256', 'ES256', 'EdDSA', 'ML-DSA-65']

const idTokens = new Map<ClientAlgorithm, string>()
const keys = new Map<ClientAlgorithm, SigningKey>()
const service = await serviceForFile({ OAuth__PostQuantum: 'true' })
const browser = new Browser(service)
for (const algorithm of algorithms) {
  const metadata = { ...defaultClientMetadata, id_token_signed_response_alg: algorithm }
  await addClient(service, { id: algorithm, metadata, consent: 'implicit' })
  const code = await obtainCode(browser, { client_id: algorithm })
  idTokens.set(algorithm, (await postToken(service, codeFields(code, { client_id: algorithm }))).body.id_token)
  keys.set(algorithm, await service.keys.signer(algorithm))
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const payloadOf = (algorithm: ClientAlgorithm): string => (idTokens.get(algorithm) ?? '').split('.')[1] ?? ''
const keyOf = (algorithm: ClientAlgorithm): SigningKey => keys.get(algorithm) as SigningKey

/** Whether the token is believed to be an id token of this service: then it names the client whose address this is. */
async function isBelieved(token: string): Promise<boolean> {
  const query = new URLSearchParams({ id_token_hint: token, post_logout_redirect_uri: 'http://localhost:5081/' })
  return (await browser.get(`/connect/logout?${query}`)).status === 302
}

/** How a key of each algorithm can sign. With a key of P-256, RS256 stands for a signature in DER. */
const ways: Readonly<Record<ClientAlgorithm, readonly ClientAlgorithm[]>> = {
  RS256: ['RS256', 'PS256'],
  PS256: ['PS256', 'RS256'],
  ES256: ['ES256', 'RS256'],
  EdDSA: ['EdDSA'],
  'ML-DSA-65': ['ML-DSA-65'],
}

/** Signs as the algorithm says, with a key that can. */
function signedAs(algorithm: ClientAlgorithm, key: KeyObject, text: string): string {
  const bytes = Buffer.from(text)
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  switch (algorithm) {
    case 'RS256':
      return sign('sha256', bytes, key).toString('base64url')
    case 'PS256':
      return sign('sha256', bytes, { key, ...pss }).toString('base64url')
    case 'ES256':
      return sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
    default:
      return sign(null, bytes, key).toString('base64url')
  }
}

describe('a key of one algorithm', () => {
  for (const algorithm of algorithms) {
    it(`verifies ${algorithm} alone: no other name in the header, and no signature of another algorithm`, async () => {
      assert.ok(await isBelieved(idTokens.get(algorithm) ?? ''), 'the real one is believed')
      const { kid, privateKey } = keyOf(algorithm)
      let tried = 0
      for (const named of [...algorithms, 'none', 'RS512', 'ES384', 'Ed25519', 'HS256']) {
        for (const used of ways[algorithm]) {
          if (named === algorithm && used === algorithm) continue
          const text = `${encode({ alg: named, typ: 'JWT', kid })}.${payloadOf(algorithm)}`
          assert.ok(!(await isBelieved(`${text}.${signedAs(used, privateKey, text)}`)), `${named} signed as ${used}`)
          tried += 1
        }
      }
      assert.ok(tried >= 5, `${tried} were tried`)
    })

    it(`does not verify with the kid of ${algorithm} what another key signed`, async () => {
      for (const other of algorithms.filter((one) => one !== algorithm)) {
        for (const alg of [algorithm, other]) {
          const text = `${encode({ alg, typ: 'JWT', kid: keyOf(algorithm).kid })}.${payloadOf(algorithm)}`
          const signature = signedAs(other, keyOf(other).privateKey, text)
          assert.ok(!(await isBelieved(`${text}.${signature}`)), `${alg} signed by the key of ${other}`)
        }
      }
    })

    it(`is no shared secret: HS256 with the public key of ${algorithm} in any form, and none`, async () => {
      const { kid } = keyOf(algorithm)
      const keySet = await (await fetch(new URL('.well-known/jwks', service.issuer))).text()
      const { keys: published } = JSON.parse(keySet) as {
        keys: (webcrypto.JsonWebKey & { kid: string; pub?: string })[]
      }
      const jwk = published.find((one) => one.kid === kid) ?? assert.fail('it is not published')
      const key = createPublicKey({ key: jwk, format: 'jwk' })
      const forms = [
        Buffer.from(key.export({ type: 'spki', format: 'pem' })),
        key.export({ type: 'spki', format: 'der' }),
        Buffer.from(JSON.stringify(jwk)),
        Buffer.from(jwk.n ?? jwk.pub ?? jwk.x ?? '', 'base64url'),
        Buffer.from(keySet),
        Buffer.alloc(0),
      ]
      for (const alg of ['HS256', algorithm]) {
        const text = `${encode({ alg, typ: 'JWT', kid })}.${payloadOf(algorithm)}`
        for (const secret of forms) {
          const signature = createHmac('sha256', secret).update(text).digest('base64url')
          assert.ok(!(await isBelieved(`${text}.${signature}`)), alg)
        }
      }
      for (const alg of ['none', 'NONE', '']) {
        assert.ok(!(await isBelieved(`${encode({ alg, typ: 'JWT', kid })}.${payloadOf(algorithm)}.`)), alg)
      }
    })
  }
})
