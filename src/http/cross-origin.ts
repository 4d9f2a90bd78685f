/** CORS: what scripts from other origins may call (`Cors:Origins`). */
import { type Answer, empty } from './answer.ts'

/** Sent with every answer of a shared route, whatever the origin. */
export const crossOriginHeaders: Readonly<Record<string, string>> = {
  vary: 'Origin',
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'www-authenticate, dpop-nonce, x-trace-id',
}

/** Returns the CORS header for an allowed origin and nothing for any other. */
export function allowOrigin(
  origin: string | undefined,
  allowed: readonly string[],
): Readonly<Record<string, string>> | undefined {
  return origin !== undefined && allowed.includes(origin) ? { 'access-control-allow-origin': origin } : undefined
}

const { status, cookies, body } = empty(204)

/** The same for every origin: a browser treats a missing `access-control-allow-origin` as a refusal. */
export const preflightAnswer: Answer = {
  status,
  cookies,
  body,
  headers: {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'authorization, content-type, dpop',
    'access-control-max-age': '600',
  },
}
