/**
 * `GET /weatherforecast`: the sample API, protected by bearer access tokens (RFC 6750).
 *
 * Belongs here: the sample resource, which shows how an API checks access tokens.
 * Belongs elsewhere: endpoints of OAuth and OpenID Connect (`connect/`).
 */
import { bearerTokens } from '../connect/bearer.ts'
import { withNonce } from '../connect/dpop.ts'
import { checkHolder } from '../connect/token-holder.ts'
import { json } from '../http/answer.ts'
import { answeredFor } from '../http/cross-origin.ts'
import type { Endpoint } from '../http/request.ts'
import type { AuthenticationDemand } from '../protocol/authorization-request/step-up.ts'
import { sampleResourceMetadataUri } from '../protocol/scope/protected-resource.ts'
import { sampleResource } from '../protocol/scope/resource.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'

const days = 5
const detailedDays = 14
const dayMs = 86_400_000

/** Lower bounds of temperature in °C. */
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
  return sampleResourceAt(service, 'weatherforecast', () => forecast(service.clock()))
}

/**
 * `GET /weatherforecast/details`: two weeks, for people who proved two factors within ten minutes. Shows how an API asks
 * for more (RFC 9470).
 */
export function detailedForecast(service: Service): Endpoint {
  const demand = { acr: 'mfa', maxAgeSeconds: 600 }
  return sampleResourceAt(service, 'weatherforecast/details', () => forecast(service.clock(), detailedDays), demand)
}

function sampleResourceAt(
  service: Service,
  path: string,
  content: () => unknown,
  demand?: AuthenticationDemand,
): Endpoint {
  const { issuer } = service.settings.oauth
  const bearer = bearerTokens(service, path, {
    audiences: [issuer, sampleResource(issuer)],
    metadataUri: sampleResourceMetadataUri(issuer),
    ...(demand && { demand }),
  })
  return async (request) => {
    const token = await bearer.read(request)
    if (token === undefined || isRefusal(token)) return bearer.refuse(request, token)
    answeredFor(request, token.clientId)
    const holder = await checkHolder(service, token, 'Authorization')
    if (isRefusal(holder)) return bearer.refuse(request, holder)
    return withNonce(service, request, json(content()))
  }
}

/** Returns the days from tomorrow (UTC). Deterministic: a day always has the same weather. */
export function forecast(nowMs: number, length = days) {
  return Array.from({ length }, (_, index) => {
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

/**
 * Returns whole °C of a northern year, coldest in mid-January, with warmer and colder spells. `day`: days since the
 * epoch.
 */
function temperatureOn(day: number): number {
  const season = -Math.cos(((day - 15) * 2 * Math.PI) / 365.2425)
  const spells = 4 * Math.sin(day * 0.83) + 3 * Math.sin(day * 0.29)
  return Math.round(13 + 12 * season + spells)
}
