/** The check of `latchkey doctor` for the addresses that the service requests: where each leads, and what answers there. */
import { type Finding, note, ok, warning } from '../../finding.ts'
import { judgeWith, NotResolved } from '../../outbound/judged.ts'
import { reachFrom } from '../../outbound/outbound.ts'
import { probe, type Seen } from '../../outbound/probe.ts'
import { calledAddresses } from '../../protocol/client/called-addresses.ts'
import { addressesBy, type Client } from '../../protocol/client/client.ts'
import { openSemaphore } from '../../semaphore.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { visible } from '../../text.ts'

/** Hosts that are connected to, and at the same time. */
const hostsAtMost = 60
const atOnce = 16
/** From the look-up to the answer. */
const deadlineMs = 2500

/** `isClients`: an operator registered it for a client, so that it is judged. */
type Configured = { readonly what: string; readonly url: string; readonly isClients: boolean }

/** Looks up and connects to every address that the settings name; mail and database have checks of their own. */
export function checkOutgoing(settings: Settings): Promise<Finding[]> {
  return checkAll(settings, configuredIn(settings))
}

/** Does so with every address of clients that operators registered. */
export async function checkClientAddresses(settings: Settings, storage: Pick<Storage, 'clients'>): Promise<Finding[]> {
  const { found, isWhole } = await ofClients(storage)
  const findings = await checkAll(settings, found)
  if (isWhole) return findings
  return [...findings, note('outgoing', `Addresses of the first ${clientsAtMost} clients were checked, by id.`, '')]
}

async function checkAll(settings: Settings, configured: readonly Configured[]): Promise<Finding[]> {
  const hosts = [...Map.groupBy(configured, ({ url }) => originOf(url)).values()]
  const refusal = (): Error => new Error('too many addresses')
  const turn = openSemaphore({ running: atOnce, waiting: hostsAtMost, refusal })
  const findings = await Promise.all(
    hosts.slice(0, hostsAtMost).map((sharing) => turn.run(() => checkHost(settings, sharing))),
  )
  if (hosts.length <= hostsAtMost) return findings
  const rest = `${hosts.length - hostsAtMost} further hosts of clients were not checked.`
  return [...findings, note('outgoing', rest, '')]
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url)

/** GitHub is known by its name alone. */
const githubAddress = 'https://github.com/login/oauth/access_token'

function configuredIn({ oauth, accounts, tracing }: Settings): Configured[] {
  const found: [string, string | null][] = [
    ...oauth.external.flatMap(({ name, issuer, authorizationEndpoint, tokenEndpoint, userInfoEndpoint }) => {
      const own = issuer ?? (tokenEndpoint === null && authorizationEndpoint === null ? githubAddress : null)
      const all = { Issuer: own, TokenEndpoint: tokenEndpoint, UserInfoEndpoint: userInfoEndpoint }
      return Object.entries(all).map(([part, url]): [string, string | null] => [`OAuth:External:${name}:${part}`, url])
    }),
    ['Accounts:Password:BreachCheck', accounts.password.breachCheck],
    ['Accounts:Legacy:Url', accounts.legacy.url],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', tracing.collector],
  ]
  return found.flatMap(([what, url]) => (url === null ? [] : [{ what, url, isClients: false }]))
}

/** Clients that are looked through, page by page, for addresses of operators. */
const clientsAtMost = 5000

async function ofClients({ clients }: Pick<Storage, 'clients'>) {
  const found: Configured[] = []
  let after: string | undefined = ''
  for (let read = 0; after !== undefined && read < clientsAtMost; ) {
    const page: readonly Client[] = await clients.page(after)
    found.push(...page.filter(({ metadata }) => addressesBy(metadata) === 'operator').flatMap(addressesOf))
    read += page.length
    after = page.at(-1)?.id
  }
  return { found, isWhole: after === undefined }
}

const addressesOf = (client: Client): readonly Configured[] =>
  calledAddresses(client).map(({ member, uri }) => ({ what: `${member} of ${client.id}`, url: uri, isClients: true }))

async function checkHost(settings: Settings, sharing: readonly Configured[]): Promise<Finding> {
  const { oauth, outbound } = settings
  const [{ url: text, isClients } = { url: '', isClients: true }] = sharing
  const what = namesOf(sharing)
  const judge = judgeWith({ issuer: oauth.issuer, reach: reachFrom(settings), way: outbound })
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const url = isClients ? judge.urlOf(text, 'operator') : new URL(text)
    const addresses = isClients ? await judge.addressesFor(url, 'operator', signal) : undefined
    const proxy = judge.way.proxyFor(url)
    const seen = await probe(url, judge.way, addresses, signal)
    return ok('outgoing', `${what}: ${told(url, seen, proxy)}.`)
  } catch (error) {
    return warning('outgoing', `${what}: ${visible(reasonOf(error as Error))}.`, adviceFor(error as Error))
  }
}

const namedAtMost = 3

function namesOf(sharing: readonly Configured[]): string {
  const [names, more] = [sharing.slice(0, namedAtMost).map(({ what }) => what), sharing.length - namedAtMost]
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}

function told(url: URL, { address, certificate, tookMs }: Seen, proxy: string | undefined): string {
  const way =
    proxy === undefined
      ? `${url.host} is ${address}`
      : `${url.host} is left to the proxy ${new URL(proxy).host} (${address}), which resolves its name`
  const until = certificate === undefined ? '' : new Date(certificate.untilMs).toISOString().slice(0, 10)
  const shown =
    certificate === undefined
      ? 'plain http'
      : `certificate of ${visible(certificate.subject)} by ${visible(certificate.issuer)} until ${until}`
  return `${way}; ${shown}; ${Math.ceil(tookMs)} ms`
}

function reasonOf(error: Error): string {
  return 'code' in error ? `the connection failed (${error.code}): ${error.message}` : error.message
}

function adviceFor(error: Error): string {
  if (error instanceof NotResolved) return 'Check the name, and how this machine resolves names.'
  if (error.message.includes('Outbound:'))
    return 'If it is meant, change the setting. docs/operating.md: Outgoing requests.'
  const isUntrusted = 'code' in error && /CERT|SIGNED|ISSUER|VERIFY/.test(String(error.code))
  if (isUntrusted) return 'If the authority is your own, name its certificate in Outbound:CaFile.'
  return 'Check the address, and the way from this machine to it (Outbound:Proxy).'
}
