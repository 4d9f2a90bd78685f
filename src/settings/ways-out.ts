/** The settings of the way out: the proxy, and the authorities that certificates may lead to. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Fault, type Kind } from './kinds.ts'

/** Further authorities. `certificates`: PEM. */
export type Authorities = { readonly file: string; readonly certificates: readonly string[] }

/** Read with the settings, so that a file that is missing stops the start. */
export const authorities: Kind<Authorities> = {
  type: 'file',
  read(raw, folder) {
    if (typeof raw !== 'string') return new Fault('must be the name of a file')
    const file = resolve(folder, raw)
    let text: string
    try {
      text = readFileSync(file, 'utf8')
    } catch {
      return new Fault('must be a file that can be read')
    }
    const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
    if (blocks.length === 0) return new Fault('must be a file with certificates in PEM')
    const faulty = blocks.findIndex((block) => !isCertificate(block))
    if (faulty >= 0) return new Fault(`must have certificates that can be read: number ${faulty + 1} cannot`)
    return { file, certificates: blocks }
  },
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

/** The address of an HTTP proxy, with user name and password if it asks for them. */
export const proxy: Kind<string> = {
  type: 'URL',
  secret: true,
  read: (raw) => readProxy(raw) ?? new Fault('must be the address of an HTTP proxy such as http://proxy.internal:3128'),
}

/** Without a scheme it is plain http, as `curl` has it. */
function readProxy(raw: unknown): string | undefined {
  if (typeof raw !== 'string') return undefined
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(raw) ? raw : `http://${raw}`
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, username, password, pathname, search, hash, href } = new URL(text)
  try {
    decodeURIComponent(username + password)
  } catch {
    // A `%` that begins no character: it must be written as `%25`.
    return undefined
  }
  const isProxy = (protocol === 'http:' || protocol === 'https:') && hostname !== ''
  return isProxy && pathname === '/' && search === '' && hash === '' ? href : undefined
}

/** Where requests go through a proxy. */
export type Proxies = {
  /** For `https` addresses. */
  readonly https: string | null
  /** For `http` addresses. */
  readonly http: string | null
  /** The entries of `NO_PROXY`, in lower case: host names, addresses and networks, each perhaps with a port, or `*`. */
  readonly except: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the proxies: that of the setting, or those of the environment. `NO_PROXY` counts for both. Of two spellings the one in
 * lower case counts, as elsewhere.
 */
export function readProxies(setting: string | null, env: Environment): { proxies: Proxies; problems: string[] } {
  const problems: string[] = []
  const read = (name: string): string | null => {
    const found = [name.toLowerCase(), name].find((spelling) => (env[spelling] ?? '') !== '')
    if (setting !== null || found === undefined) return setting
    const address = readProxy(env[found])
    if (address === undefined) {
      problems.push(
        `${found} in the environment must be the address of an HTTP proxy. Change it, or set Outbound:Proxy.`,
      )
    }
    return address ?? null
  }
  const except = (env.no_proxy || env.NO_PROXY || '').toLowerCase().split(/[\s,]+/)
  const proxies = { https: read('HTTPS_PROXY'), http: read('HTTP_PROXY'), except: except.filter((one) => one !== '') }
  return { proxies, problems }
}
