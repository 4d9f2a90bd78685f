/** Looks host names up: those of operators as the machine does, a bounded number at once, and those of strangers in DNS. */
import type { AddressSource } from './reach.ts'

/** Returns the addresses of a host name; empty: it has none, or it cannot be looked up within the time of the signal. */
export type Resolve = (hostname: string, signal: AbortSignal, by: AddressSource) => Promise<readonly string[]>

/** Asks the machine: the file `hosts`, DNS with its search domains, and whatever else it is set up for (getaddrinfo). Cannot be interrupted. */
export type MachineLookup = (hostname: string) => Promise<readonly string[]>

export const askMachine: MachineLookup = async (hostname) => {
  const { lookup } = await import('node:dns/promises')
  const found = await lookup(hostname, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
}

/** Asks DNS for A and AAAA records (RFC 1035, RFC 3596). Ends with the signal, and holds no thread. */
async function askDns(
  hostname: string,
  signal: AbortSignal,
  servers: readonly string[] | undefined,
): Promise<readonly string[]> {
  const { Resolver } = await import('node:dns/promises')
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  signal.throwIfAborted()
  const cancel = (): void => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/**
 * Look-ups under way, and those for addresses that anybody could register among them. A look-up holds a thread of the runtime's
 * pool until it ends. The runtime lends at most half of its threads to look-ups (two of four), so that signatures and files never
 * wait for one; no more of these take a place than there are, and a stranger's slow name leaves one to the others.
 */
const atOnce = 2
const strangersAtOnce = 1

type Waiting = { readonly isStrangers: boolean; begin(): void }

/** Calls for one name share a look-up. One that is not waited for any more keeps its place until it ends. */
export function boundedLookups(ask: MachineLookup = askMachine): Resolve {
  const underWay = new Map<string, Promise<readonly string[]>>()
  const waiting: Waiting[] = []
  let running = 0
  let strangers = 0

  function moveOn(): void {
    while (running < atOnce) {
      const isNext = ({ isStrangers }: Waiting) => !isStrangers
      const operators = waiting.findIndex(isNext)
      const next = operators === -1 && strangers < strangersAtOnce ? 0 : operators
      const [one] = next === -1 ? [] : waiting.splice(next, 1)
      if (one === undefined) return
      one.begin()
    }
  }

  async function run(hostname: string, isStrangers: boolean): Promise<readonly string[]> {
    running += 1
    strangers += isStrangers ? 1 : 0
    try {
      return await ask(hostname)
    } catch {
      return []
    } finally {
      running -= 1
      strangers -= isStrangers ? 1 : 0
      moveOn()
    }
  }

  function started(hostname: string, isStrangers: boolean, signal: AbortSignal): Promise<readonly string[]> {
    const key = `${isStrangers} ${hostname}`
    const same = underWay.get(key)
    if (same !== undefined) return same
    const { promise, resolve } = Promise.withResolvers<readonly string[]>()
    const one: Waiting = {
      isStrangers,
      begin() {
        const found = underWay.get(key) ?? run(hostname, isStrangers).finally(() => underWay.delete(key))
        underWay.set(key, found)
        resolve(found)
      },
    }
    const giveUp = (): void => {
      const at = waiting.indexOf(one)
      if (at === -1) return
      waiting.splice(at, 1)
      resolve([])
    }
    signal.addEventListener('abort', giveUp, { once: true })
    waiting.push(one)
    moveOn()
    return promise.finally(() => signal.removeEventListener('abort', giveUp))
  }

  return async (hostname, signal, by) => {
    const special = specialName(hostname)
    if (special !== undefined) return special
    signal.throwIfAborted()
    const { promise: late, resolve } = Promise.withResolvers<readonly string[]>()
    const giveUp = (): void => resolve([])
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      return await Promise.race([started(hostname, by === 'anybody', signal), late])
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }
}

/** Returns what is known of names that are not asked for: they mean this machine, or never exist (RFC 6761 §6.3, §6.4). */
function specialName(hostname: string): readonly string[] | undefined {
  if (/(?:^|\.)localhost$/.test(hostname)) return ['127.0.0.1', '::1']
  return /(?:^|\.)invalid$/.test(hostname) ? [] : undefined
}

export type Lookups = {
  /** For a request to the address: a name of a stranger is one of the public internet, which DNS knows. */
  readonly resolve: Resolve
  /**
   * What is known here of a name that a proxy resolves. The machine is asked, too, for names that are in no DNS; after DNS, so
   * that a name of which DNS does not answer takes no thread.
   */
  readonly known: Resolve
}

/** `servers`: of DNS, with their ports. Default: those of the machine. */
export function lookupsWith(ask: MachineLookup = askMachine, servers?: readonly string[]): Lookups {
  const machine = boundedLookups(ask)
  const dns = async (hostname: string, signal: AbortSignal): Promise<readonly string[]> =>
    specialName(hostname) ?? askDns(hostname, signal, servers)
  return {
    resolve: (hostname, signal, by) => (by === 'operator' ? machine(hostname, signal, by) : dns(hostname, signal)),
    async known(hostname, signal, by) {
      const found = await dns(hostname, signal)
      return signal.aborted ? found : [...found, ...(await machine(hostname, signal, by))]
    },
  }
}

/** One bound for the whole process. */
export const lookups: Lookups = lookupsWith()
