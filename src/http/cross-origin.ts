/** What scripts of applications on other origins may call, and what they are told (contract of `Cors:Origins`). */
import { type Answer, empty } from './answer.ts'

/** Sent with every answer of a route that other origins may call, whoever asks. */
export const crossOriginHeaders: Readonly<Record<string, string>> = {
  vary: 'Origin',
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'www-authenticate, x-trace-id',
}

/** The header for an origin that is allowed; none for any other. */
export function allowOrigin(
  origin: string | undefined,
  allowed: readonly string[],
): Readonly<Record<string, string>> | undefined {
  return origin !== undefined && allowed.includes(origin) ? { 'access-control-allow-origin': origin } : undefined
}

const { status, cookies, body } = empty(204)

/** Whoever asks is told the same: without `access-control-allow-origin` a browser takes it as a no. */
export const preflightAnswer: Answer = {
  status,
  cookies,
  body,
  headers: {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': '600',
  },
}
