/**
 * Requests to addresses that clients registered. Every one of them goes through here: the guard against requests to
 * networks that only this service can reach (server-side request forgery).
 *
 * Belongs here: sending bounded requests to public hosts, and caching what clients published there.
 * Belongs elsewhere: what to fetch and what a response means (`connect/`, `protocol/`), and identity providers, whose
 * addresses an operator configured (`providers/`).
 */
import { isIP } from 'node:net'
import { isNestedTooDeeply } from '../protocol/json-value.ts'
import { exchange, freshForMs, OutboundFault, type OutboundRequest, type OutboundResponse } from './exchange.ts'
import { type JudgeOptions, judgeWith, NotResolved } from './judged.ts'
import type { AddressSource } from './reach.ts'
import { openTurns } from './turns.ts'

export { type AddressSource, reachFrom } from './reach.ts'

/** What went wrong, as a clause for people: 'keys.example resolves to 10.0.0.1, which is not a public address'. */
export type OutboundFailure = { readonly failed: string }

/** `value`: the JSON of the body. `freshUntilMs`: how long its headers allow it to be used, in epoch milliseconds. */
export type FetchedJson = { readonly value: unknown; readonly freshUntilMs: number }

/** `type`: the declared media type in lower case, without parameters. */
export type FetchedFile = { readonly type: string; readonly body: Buffer; readonly freshUntilMs: number }

/**
 * `by`: by default anybody. `client`: the one whose address it is; clients and hosts take turns. Requests to addresses that
 * anybody could register have a share of all places, so that hosts that are slow on purpose delay none of an operator's clients.
 */
export type Outbound = {
  /**
   * Fetches JSON. Anything but a 200 with JSON is a failure, and a failure is repeated for 30 seconds without a request.
   * Concurrent calls for one address share a request, those for clients of an operator apart.
   */
  get(url: string, by?: AddressSource, client?: string): Promise<FetchedJson | OutboundFailure>
  /** Fetches a file under the rules of `get`. `accept`: the media types that are asked for. */
  getFile(url: string, accept: string, by?: AddressSource, client?: string): Promise<FetchedFile | OutboundFailure>
  /**
   * Returns why requests to the address are refused; undefined: they are not, as far as its name can be resolved within two
   * seconds. Sends nothing.
   */
  check(url: string, by?: AddressSource): Promise<OutboundFailure | undefined>
  /** Posts a form. Any status but a redirect is a response. */
  post(
    url: string,
    form: Readonly<Record<string, string>>,
    by?: AddressSource,
    client?: string,
  ): Promise<OutboundResponse | OutboundFailure>
}

export type OutboundOptions = JudgeOptions & {
  readonly clock: () => number
  /** From the name's resolution to the last byte, in milliseconds; default 5,000. */
  readonly deadlineMs?: number
}

const json = 'application/json'
const busy = 'too many requests are under way'
/** Longer than a request takes at most, so that whoever waits behind slow ones gets a place. */
const waitMs = 6000
/** `party`: of each client and each host. */
const turns = {
  operator: { running: 32, waiting: 256, party: { running: 8, waiting: 64 }, waitMs },
  /** Apart, so that no stranger's address takes a place of an operator's client. */
  anybody: { running: 16, waiting: 128, party: { running: 4, waiting: 64 }, waitMs },
} as const
const checkMs = 2000
const failureCachedMs = 30_000
/** How many failures are kept; beyond it, the oldest is dropped. */
const failuresAtMost = 1000

export function outboundWith(options: OutboundOptions): Outbound {
  const { clock, deadlineMs = 5000 } = options
  const { urlOf, addressesFor, way } = judgeWith(options)
  const refusal = (): Error => new OutboundFault(busy)
  const operators = openTurns({ ...turns.operator, refusal })
  const anybodies = openTurns({ ...turns.anybody, refusal })
  const underWay = new Map<string, Promise<FetchedFile | OutboundFailure>>()
  const failures = new Map<string, { readonly failure: OutboundFailure; readonly untilMs: number }>()

  async function send(text: string, request: OutboundRequest, { by, client }: Asker): Promise<OutboundResponse> {
    const url = urlOf(text, by)
    const inTurn = by === 'anybody' ? anybodies : operators
    return inTurn.run(partiesOf(url, by, client), async () => {
      const signal = AbortSignal.timeout(deadlineMs)
      try {
        const addresses = await addressesFor(url, by, signal)
        const response = await exchange(url, addresses, request, signal, await way.agentFor(url, { signal }))
        const { status } = response
        if (status < 300 || status >= 400) return response
        throw new OutboundFault(`${url.host} answered with a redirect (${status}), which is not followed`)
      } catch (error) {
        if (signal.aborted) throw new OutboundFault(`${url.host} took longer than ${deadlineMs / 1000} seconds`)
        throw error
      }
    })
  }

  async function fetchFile(url: string, accept: string, asker: Asker): Promise<FetchedFile | OutboundFailure> {
    const sentAtMs = clock()
    const response = await asFailure(send(url, { method: 'GET', headers: { accept }, body: '' }, asker))
    if ('failed' in response) return response
    const { status, headers, body } = response
    if (status !== 200) return { failed: `it answered with the status ${status}` }
    const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
    return { type, body, freshUntilMs: sentAtMs + freshForMs(headers) }
  }

  function remember(fetch: string, failure: OutboundFailure): void {
    failures.delete(fetch)
    failures.set(fetch, { failure, untilMs: clock() + failureCachedMs })
    const [oldest] = failures.keys()
    if (failures.size > failuresAtMost && oldest !== undefined) failures.delete(oldest)
  }

  async function getFile(
    url: string,
    accept: string,
    by: AddressSource = 'anybody',
    client?: string,
  ): Promise<FetchedFile | OutboundFailure> {
    const key = fetchKey(url, accept, by)
    const known = failures.get(key)
    if (known !== undefined && clock() < known.untilMs) return known.failure
    const place = `${by} ${key}`
    const sameFetch = underWay.get(place)
    if (sameFetch !== undefined) return sameFetch
    const fetching = fetchFile(url, accept, { by, client }).finally(() => underWay.delete(place))
    underWay.set(place, fetching)
    const fetched = await fetching
    if (!('failed' in fetched)) failures.delete(key)
    // A full queue says nothing about this address.
    else if (fetched.failed !== busy) remember(key, fetched)
    return fetched
  }

  return {
    getFile,
    async check(text, by = 'anybody') {
      try {
        const url = urlOf(text, by)
        await addressesFor(url, by, AbortSignal.timeout(checkMs))
        return undefined
      } catch (error) {
        if (error instanceof NotResolved) return undefined
        if (error instanceof OutboundFault) return { failed: error.message }
        throw error
      }
    },
    async get(url, by = 'anybody', client) {
      const file = await getFile(url, json, by, client)
      if ('failed' in file) return file
      const parsed = parseJson(file.body)
      if (!('failed' in parsed)) return { ...parsed, freshUntilMs: file.freshUntilMs }
      remember(fetchKey(url, json, by), parsed)
      return parsed
    },
    post: (url, form, by = 'anybody', client) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: '*/*' }
      return asFailure(
        send(url, { method: 'POST', headers, body: new URLSearchParams(form).toString() }, { by, client }),
      )
    },
  }
}

type Asker = { readonly by: AddressSource; readonly client: string | undefined }

/**
 * Returns who takes turns: the client and the host. A stranger can have any number of hosts below one domain, so the domain
 * is a party of strangers' requests as well. An operator's hosts often share one.
 */
function partiesOf({ host, hostname }: URL, by: AddressSource, client: string | undefined): string[] {
  const domain = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname.split('.').slice(-2).join('.') : hostname
  return [
    ...(client === undefined ? [] : [`client ${client}`]),
    `host ${host}`,
    ...(by === 'anybody' ? [`domain ${domain}`] : []),
  ]
}

function parseJson(body: Buffer): { readonly value: unknown } | OutboundFailure {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    return isNestedTooDeeply(value) ? { failed: 'the JSON of the response is nested too deeply' } : { value }
  } catch {
    return { failed: 'the response is not JSON' }
  }
}

/**
 * Names a fetch. What is no JSON may still be an image, and what is refused to a stranger be allowed to an operator, so that one
 * client cannot spoil what another one published.
 */
const fetchKey = (url: string, accept: string, by: AddressSource): string =>
  `${by === 'operator' ? 'operator' : 'others'} ${accept} ${url}`

/** Turns every fault of the other side into a value. */
async function asFailure(sending: Promise<OutboundResponse>): Promise<OutboundResponse | OutboundFailure> {
  try {
    return await sending
  } catch (error) {
    if (error instanceof OutboundFault) return { failed: error.message }
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'the connection failed'
    return { failed: `the connection failed (${code})` }
  }
}
