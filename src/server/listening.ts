/** Starts and ends listening. */
import type { Logger } from 'pino'
import type { HandlerSwitch } from '../http/handler-switch.ts'
import { Refused } from './refused.ts'

/** How long requests in progress may take to finish after the service was told to stop. */
const graceMs = 10_000

/** Listens on `host` and `port`, named `setting` in messages. Throws `Refused` if the operating system refuses. */
export async function listenOrRefuse(
  setting: 'Server' | 'Metrics' | 'Admin',
  { host, port }: { readonly host: string; readonly port: number },
  listen: () => Promise<unknown>,
): Promise<void> {
  try {
    await listen()
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined || code === undefined) throw error
    const advice = listenAdvice[code]?.replaceAll('Server:', `${setting}:`)
    throw new Refused(`${host}:${port} cannot be listened on: ${advice ?? `${code}.`}`)
  }
}

const listenAdvice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program is using the port. Stop that one, or choose another with Server:Port.',
  EACCES: 'ports below 1024 need a privilege. Choose another with Server:Port, or put a proxy in front.',
  EADDRNOTAVAIL: 'this machine does not have that address. Check Server:Host.',
  ENOTFOUND: 'the name is not known. Check Server:Host.',
  ENOTSUP: 'this operating system does not let several processes share a port. Leave out --workers.',
}

/** Stops accepting connections and lets requests finish, up to the grace period. */
export async function closeWithinGrace(handlers: HandlerSwitch, log: Logger): Promise<void> {
  const grace = setTimeout(() => {
    log.warn('some requests did not finish in time; their connections are closed')
    handlers.closeAllConnections()
  }, graceMs)
  await handlers.close()
  clearTimeout(grace)
}
