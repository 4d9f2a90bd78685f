/** A service in a process of its own, which says on request how much memory is left when all that can go has gone. */
import { setTimeout as wait } from 'node:timers/promises'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, startService } from '../support/service.ts'

export type FloodMessage =
  | { readonly kind: 'ready'; readonly issuer: string }
  /** Bytes on the heap and in buffers after a full collection. */
  | { readonly kind: 'memory'; readonly bytes: number }

const service = await startService({
  // The cheaper signature for both: what is measured here is not the arithmetic.
  OAuth__IdentityTokenAlgorithm: 'ES256',
  OAuth__External__GitHub__ClientId: 'github-client',
  // Nobody answers there; no request of the flood has a state that would lead to it.
  OAuth__External__GitHub__TokenEndpoint: 'http://127.0.0.1:1/',
  Cors__Origins__0: 'http://localhost:5081',
  OAuth__DynamicRegistration: 'open',
  OAuth__DynamicRegistrationScopes: 'demo_api',
})
const device = 'urn:ietf:params:oauth:grant-type:device_code'
const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const jwks = { keys: [JSON.parse(process.argv[2] ?? '')] }
await addClient(service, {
  ...{ id: 'device', grantTypes: ['authorization_code', 'refresh_token', device] },
  metadata: { jwks },
})
await addClient(service, {
  ...{ id: 'machine', authentication: bySecret(hashSecret('s3cret')), grantTypes: ['client_credentials', exchange] },
  metadata: { may_exchange: ['demo', 'device'] },
})
await addClient(service, {
  ...{ id: 'signer', authentication: { method: 'private_key_jwt' }, grantTypes: ['client_credentials'] },
  metadata: { token_endpoint_auth_method: 'private_key_jwt', jwks },
})

const say = (message: FloodMessage): void => void process.send?.(message)

// The log is kept for tests that read it; this one does not.
const forgetLog = (): void => void (service.log as unknown[]).splice(0)
setInterval(forgetLog, 500).unref()

process.on('message', async () => {
  forgetLog()
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.()
    await wait(50)
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  say({ kind: 'memory', bytes: heapUsed + arrayBuffers })
})
process.on('disconnect', () => process.exit())
say({ kind: 'ready', issuer: service.issuer })
