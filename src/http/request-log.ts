import type { Logger } from 'pino'
import type { RequestLog } from './request.ts'

/**
 * The log of one request, whose every line carries its trace id. The child logger is made with the first line: its
 * redaction rules are costly, and most requests log nothing.
 */
export function requestLog(parent: Logger, traceId: string): RequestLog {
  let made: Logger | undefined
  const level = (name: keyof RequestLog) =>
    ((...line: Parameters<Logger['info']>) => {
      made ??= parent.child({ traceId })
      made[name](...line)
    }) as Logger['info']
  return { debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') }
}
