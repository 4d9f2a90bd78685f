/**
 * Loaded before anything else into the processes of a test run (`--import`): refuses every connection that would leave this
 * machine. What a test needs runs beside it on a loopback address. `NODE_OPTIONS` passes it on to the processes that a test
 * starts; a test that starts a process with access to other hosts, such as npm to its registry, omits that variable.
 */
import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net, { type Socket } from 'node:net'

/** Said instead of connecting, asking or sending. */
export class LeavesTheMachine extends Error {
  readonly code = 'ERR_LEAVES_THE_MACHINE'

  constructor(what: string) {
    super(`${what}: a test talks to loopback addresses alone (test/support/loopback-only.ts)`)
  }
}

/** A loopback address, or a name that is one wherever it is asked for (RFC 6761 §6.3). */
function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (net.isIPv4(name)) return name.startsWith('127.') || name === '0.0.0.0'
  if (net.isIPv6(name)) return name === '::1' || name === '::' || name.startsWith('::ffff:127.')
  return name === 'localhost' || name.endsWith('.localhost')
}

/** Names that never exist (RFC 6761 §6.4): the resolver answers without a query. */
const neverExists = (host: string): boolean => /(?:^|\.)invalid$/i.test(host)

/** The host that `connect` is to reach; undefined: this machine, or a socket in the file system. */
function hostOf(parameters: readonly unknown[]): string | undefined {
  // `net.connect` hands on a list of its own, whose first item are the options.
  const [first, second] = Array.isArray(parameters[0]) ? parameters[0] : parameters
  if (typeof first !== 'object' || first === null) return typeof second === 'string' ? second : undefined
  const { host, path } = first as { readonly host?: string; readonly path?: string | null }
  return path ? undefined : host
}

const { connect } = net.Socket.prototype
net.Socket.prototype.connect = function (this: Socket, ...parameters: unknown[]): Socket {
  const host = hostOf(parameters)
  if (host && !isLoopback(host) && !neverExists(host)) {
    // Fails by an event, like a refused connection, so that the caller handles it in the same way.
    process.nextTick(() => this.destroy(new LeavesTheMachine(`a connection to ${host}`)))
    return this
  }
  return Reflect.apply(connect, this, parameters)
} as typeof connect

type Callback = (error: Error | null, ...rest: unknown[]) => void

/** Asks a server on this machine, as a test of a resolver does. */
const asksHere = (asked: unknown): boolean =>
  asked instanceof dns.promises.Resolver &&
  asked.getServers().every((server) => isLoopback(server.replace(/:\d+$/, '')))

function guardLookup<T extends object>(owner: T, name: keyof T & string, isPromise: boolean): void {
  const original = owner[name] as (...parameters: unknown[]) => unknown
  const guarded = function (this: unknown, host: unknown, ...rest: unknown[]): unknown {
    const isFine =
      typeof host !== 'string' || host === '' || net.isIP(host) !== 0 || isLoopback(host) || neverExists(host)
    if (isFine || asksHere(this)) return Reflect.apply(original, this, [host, ...rest])
    const refusal = new LeavesTheMachine(`a question for the address of ${host}`)
    if (isPromise) return Promise.reject(refusal)
    const callback = rest.at(-1) as Callback
    process.nextTick(() => callback(refusal))
    return {}
  }
  owner[name] = guarded as T[typeof name]
}

const questions = [
  'lookup',
  'resolve',
  'resolve4',
  'resolve6',
  'resolveAny',
  'resolveCname',
  'resolveMx',
  'resolveSrv',
  'resolveTxt',
] as const
for (const question of questions) {
  guardLookup(dns, question, false)
  guardLookup(dns.promises, question, true)
  if (question !== 'lookup') guardLookup(dns.promises.Resolver.prototype, question, true)
}

const { send } = dgram.Socket.prototype
dgram.Socket.prototype.send = function (this: dgram.Socket, ...parameters: unknown[]): void {
  const host = parameters.slice(1).find((parameter) => typeof parameter === 'string')
  if (typeof host === 'string' && !isLoopback(host)) throw new LeavesTheMachine(`a datagram to ${host}`)
  Reflect.apply(send, this, parameters)
} as typeof send

// Updates the named exports of the built-in modules.
syncBuiltinESMExports()
