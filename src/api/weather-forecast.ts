/** `GET /weatherforecast`: the sample API, protected by bearer access tokens (RFC 6750). */
import { type Answer, empty, json } from '../http/answer.ts'
import type { Endpoint } from '../http/request.ts'
import { refuse } from '../protocol/refusals.ts'
import type { Service } from '../service.ts'
import { verifyAccessToken } from '../tokens/verify.ts'

const days = 5
const dayMs = 86_400_000

/** Each from its temperature on, in °C, up to the next. */
const summaries = [
  [-Infinity, 'Freezing'],
  [1, 'Chilly'],
  [8, 'Cool'],
  [14, 'Mild'],
  [20, 'Warm'],
  [25, 'Balmy'],
  [29, 'Hot'],
  [35, 'Sweltering'],
] as const

export function weatherForecast(service: Service): Endpoint {
  const { answers, clock, keys, settings, storage } = service
  return async (request) => {
    const bearer = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1]
    // RFC 6750 §3.1: a request without credentials is told the scheme and nothing else.
    if (bearer === undefined) return challenge('')
    const token = await verifyAccessToken(bearer, keys, settings.oauth.issuer, clock())
    const refused = (rule: string): Answer => {
      const refusal = refuse('access_token_invalid', 'Authorization', { rule })
      const invalid = challenge(' error="invalid_token", error_description="The access token is not valid."')
      return answers.recorded(request, refusal, invalid)
    }
    if (token === undefined) return refused('no access token of this service, or it has expired')
    // RFC 9068 §4: a token for another resource server is none here.
    if (!token.audience.includes(settings.oauth.issuer)) return refused('the audience (aud) is another one')
    if (await storage.accessTokens.isRevoked(token.jti, token.grantId)) return refused('it was revoked')
    return json(forecast(clock()))
  }
}

function challenge(members: string): Answer {
  return empty(401, { 'www-authenticate': `Bearer${members}` })
}

/** Five days from tomorrow (UTC). A day has the same weather whenever it is asked for. */
export function forecast(nowMs: number) {
  return Array.from({ length: days }, (_, index) => {
    const day = Math.floor(nowMs / dayMs) + 1 + index
    const temperatureC = temperatureOn(day)
    return {
      date: new Date(day * dayMs).toISOString().slice(0, 10),
      temperatureC,
      temperatureF: 32 + Math.round((temperatureC * 9) / 5),
      summary: summaries.findLast(([fromC]) => temperatureC >= fromC)?.[1],
    }
  })
}

/** Whole °C: a northern year, coldest in the middle of January, with warmer and colder spells. `day`: since the epoch. */
function temperatureOn(day: number): number {
  const season = -Math.cos(((day - 15) * 2 * Math.PI) / 365.2425)
  const spells = 4 * Math.sin(day * 0.83) + 3 * Math.sin(day * 0.29)
  return Math.round(13 + 12 * season + spells)
}
