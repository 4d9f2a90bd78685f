/** `GET /weatherforecast`: the sample API, protected by bearer access tokens (RFC 6750). */
import { type Answer, empty, json } from '../http/answer.ts'
import type { Endpoint } from '../http/request.ts'
import { refuse } from '../protocol/refusals.ts'
import type { Service } from '../service.ts'
import { verifyAccessToken } from '../tokens/verify.ts'

const summaries = ['Freezing', 'Chilly', 'Cool', 'Mild', 'Warm', 'Balmy', 'Hot', 'Sweltering'] as const
const days = 5

export function weatherForecast(service: Service): Endpoint {
  const { answers, clock, keys, random, settings, storage } = service
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
    return json(forecast(clock(), random(days * 2)))
  }
}

function challenge(members: string): Answer {
  return empty(401, { 'www-authenticate': `Bearer${members}` })
}

/** Five days from tomorrow; two bytes of chance make each. */
function forecast(nowMs: number, chance: Uint8Array) {
  return Array.from({ length: days }, (_, day) => {
    const temperatureC = ((chance[day * 2] ?? 0) % 75) - 20
    return {
      date: new Date(nowMs + (day + 1) * 86_400_000).toISOString().slice(0, 10),
      temperatureC,
      temperatureF: 32 + Math.round((temperatureC * 9) / 5),
      summary: summaries[(chance[day * 2 + 1] ?? 0) % summaries.length],
    }
  })
}
