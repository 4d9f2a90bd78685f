import type { Logger } from 'pino'
import type { RequestLog } from './request.ts'

/**
 * Returns the log of one request; every line carries its trace id. Creates the child logger with the first line,
 * because its redaction rules are costly and most requests log nothing. `admits` decides whether a line about a refusal
 * or failure is logged or only counted.
 */
export function requestLog(parent: Logger, traceId: string, admits: () => boolean): RequestLog {
  let made: Logger | undefined
  const write = (name: 'debug' | 'info' | 'warn' | 'error', line: Parameters<Logger['info']>) => {
    made ??= parent.child({ traceId })
    made[name](...line)
  }
  const always = (name: 'debug' | 'info') =>
    ((...line: Parameters<Logger['info']>) => write(name, line)) as Logger['info']
  const bounded = (name: 'info' | 'warn' | 'error') =>
    ((...line: Parameters<Logger['info']>) => {
      if (admits()) write(name, line)
    }) as Logger['info']
  return {
    debug: always('debug'),
    info: always('info'),
    refused: bounded('info'),
    warn: bounded('warn'),
    error: bounded('error'),
  }
}
