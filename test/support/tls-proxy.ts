/** A proxy that ends TLS in front of a service, as in production. */
// What the library of certificates rests on.
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { request as forward } from 'node:http'
import { createServer } from 'node:https'
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** Returns a key and a certificate for `localhost` that it signed itself, both as PEM. */
async function selfSigned(): Promise<{ readonly key: string; readonly cert: string }> {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=localhost',
      notBefore: new Date(Date.now() - 86_400_000),
      notAfter: new Date(Date.now() + 86_400_000),
      signingAlgorithm: algorithm,
      keys,
      extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])],
    },
    webcrypto as Crypto,
  )
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return { key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`, cert: certificate.toString('pem') }
}

/** Listens at `port` of loopback, and hands requests on to the service at `address`. Returns what closes it. */
export async function startTlsProxy(port: number, address: string): Promise<() => void> {
  const { hostname, port: target } = new URL(address)
  const server = createServer(await selfSigned(), (request, response) => {
    const headers = {
      ...request.headers,
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': request.headers.host,
    }
    const { method, url: path } = request
    const near = forward({ hostname, port: target, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    near.on('error', () => response.destroy())
    response.on('close', () => near.destroy())
    request.pipe(near)
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  return () => {
    server.closeAllConnections()
    server.close()
  }
}
