import type { FastifyBaseLogger } from 'fastify'

type Bindings = Parameters<FastifyBaseLogger['child']>[0]
type ChildOptions = Parameters<FastifyBaseLogger['child']>[1]

/**
 * The log of one request, whose every line carries its trace id. The logger behind it is made with the first line: it
 * costs 7 µs, most of them for its redaction rules, and most requests log nothing.
 */
export function requestLog(parent: FastifyBaseLogger, bindings: Bindings, options?: ChildOptions): FastifyBaseLogger {
  let made: FastifyBaseLogger | undefined
  const log = (): FastifyBaseLogger => {
    made ??= parent.child(bindings, options)
    return made
  }
  const level = (name: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent') =>
    ((...line: [unknown]) => (log()[name] as (...line: unknown[]) => void)(...line)) as FastifyBaseLogger[typeof name]
  return {
    get level() {
      return parent.level
    },
    fatal: level('fatal'),
    error: level('error'),
    warn: level('warn'),
    info: level('info'),
    debug: level('debug'),
    trace: level('trace'),
    silent: level('silent'),
    child: (more, moreOptions) => log().child(more, moreOptions),
  }
}
