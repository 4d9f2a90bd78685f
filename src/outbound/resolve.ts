/** Resolves host names with a time limit, outside the thread pool, which signatures need. */

/** Returns the addresses of a host name; empty: it has none. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

/**
 * Asks DNS for A and AAAA records (RFC 1035, RFC 3596). Names that mean this machine are not asked for (RFC 6761 §6.3).
 */
export const resolveName: Resolve = async (hostname, signal) => {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return ['127.0.0.1', '::1']
  const { Resolver } = await import('node:dns/promises')
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const cancel = (): void => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
