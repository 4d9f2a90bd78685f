/** The endpoint of everything below `/admin/api`: finds the operation of a request, checks the request, answers. */
import { auditEvent } from '../audit/request-events.ts'
import { withNonce } from '../connect/dpop.ts'
import { type Answer, empty, json, withHeaders } from '../http/answer.ts'
import type { MemberFault, ProblemOptions } from '../http/answers.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { type Route, routerOf } from '../http/router.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { LastAdministrator } from '../storage/port/users.ts'
import { type Callers, callersOf } from './caller.ts'
import { once, readKey } from './idempotency.ts'
import { openApiEndpoint } from './openapi.ts'
import type { Call, Done, Faults, Operation, Outcome } from './operation.ts'
import { operations } from './operations.ts'
import { checkPermission } from './permissions.ts'
import { type Shared, sharedOf } from './shared.ts'
import { type FaultyBody, faultsOfProblems, readBody, readParameters } from './validation.ts'
import { type Condition, meets, readCondition } from './version.ts'

export const apiPath = '/admin/api/v1'

/** `base`: the address of the API as its callers know it, with a trailing slash. */
export function adminApi(service: Service, base: string): Endpoint {
  const callers = callersOf(service, base)
  const shared = sharedOf(service)
  const document = openApiEndpoint(service, operations, base)
  const byRoute = new Map(operations.map((one) => [`${one.method} ${apiPath}${one.path}`, one]))
  const router = routerOf(
    [
      { ...routeTo('GET', documentPath), endpoint: document },
      ...operations.map(({ method, path }) => routeTo(method, `${apiPath}${path}`)),
    ],
    { preflight: unsupported, refuseMethod: () => unsupported },
  )

  async function unsupported(request: Request): Promise<Answer> {
    const { method, path } = request
    const supported = methods.filter((one) => router(one, path) !== undefined)
    const detail = { method, path }
    if (supported.length === 0) return problem(service, request, refuse('admin_path_unknown', '', detail))
    const refused = problem(service, request, refuse('admin_method_unsupported', '', detail))
    return withHeaders(refused, { allow: supported.join(', ') })
  }

  return async (request) => {
    const found = router(request.method, request.path)
    if (found === undefined) return unsupported(request)
    const { name, endpoint } = found.target
    const one = byRoute.get(`${request.method === 'HEAD' ? 'GET' : request.method} ${name}`)
    if (one === undefined) return endpoint(request)
    const outcome = await attempt({ service, callers, shared }, one, request, found.params ?? {}).catch(
      (error: unknown) => {
        if (error instanceof LastAdministrator) return refuse('last_administrator')
        throw error
      },
    )
    return answered(service, request, one, outcome)
  }
}

const documentPath = '/admin/api/openapi.json'
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A line for the router alone: the operation is found by its method and path. */
function routeTo(method: Route['method'], path: string): Route {
  return { method, path, endpoint: () => Promise.reject(new Error('no operation')), body: 'json', crossOrigin: false }
}

/** A refusal of the caller, which is answered with a challenge (RFC 6750 §3). Without one: the request has no token. */
class Unauthorized {
  readonly challenge: Answer
  readonly refusal: Refusal
  constructor(refusal: Refusal, challenge: Answer) {
    this.refusal = refusal
    this.challenge = challenge
  }
}

type Attempt = Outcome | Unauthorized

type Parts = { readonly service: Service; readonly callers: Callers; readonly shared: Shared }

async function attempt(
  { service, callers, shared }: Parts,
  found: Operation,
  request: Request,
  params: Call['params'],
): Promise<Attempt> {
  const caller = await callers.identify(request)
  if (caller === undefined)
    return new Unauthorized(refuse('admin_token_missing'), callers.challenge(request, undefined))
  if (isRefusal(caller)) return new Unauthorized(caller, callers.challenge(request, caller, acrOf(service, caller)))
  const insufficient = found.permission === null ? undefined : checkPermission(caller, found.permission)
  if (insufficient !== undefined) {
    return new Unauthorized(insufficient, callers.challenge(request, insufficient, [`scope="${found.permission}"`]))
  }
  const condition = conditionOf(found, request)
  if (isRefusal(condition)) return condition
  const parameters = readParameters(request, found.query)
  if (!('query' in parameters)) return parameters
  const body = readBody(request, found.body, found.isBodyOptional)
  const nowMs = service.clock()
  if (isRefusal(body)) return body
  if ('faults' in body) {
    const facts = { request, caller, shared, condition, nowMs, params, ...parameters, body: body.rest }
    return { faults: [...body.faults, ...(await otherFaults(found, callOf(service, facts), body))] }
  }
  const key = readKey(request, caller, nowMs)
  if (isRefusal(key)) return key
  const facts = { request, caller, shared, condition, nowMs, params, ...parameters, ...body }
  if (key === undefined) return found.run(callOf(service, facts))
  return once(service.storage, key, nowMs, (storage) => found.run(callOf({ ...service, storage }, facts)))
}

/** Returns what the rules find in the members that match the schema. */
async function otherFaults({ judge }: Operation, call: Call, { faults, rest }: FaultyBody): Promise<MemberFault[]> {
  if (judge === undefined || rest === undefined) return []
  const named = new Set(faults.map(({ member, pointer = `/${member}` }) => pointer.split('/')[1]))
  return faultsOfProblems((await judge(call)).filter(({ member }) => !named.has(member)))
}

/** RFC 9470 §3. */
function acrOf({ settings }: Service, { reason }: Refusal): readonly string[] {
  return reason === 'authentication_insufficient' ? [`acr_values="${settings.admin.requiredAcr}"`] : []
}

/** PUT and PATCH name the version that they change, so that no change overwrites one that its sender did not see. */
function conditionOf({ method, hasVersion }: Operation, request: Request): Condition | Refusal | undefined {
  const header = request.headers['if-match']
  const isDemanded = method === 'PUT' || method === 'PATCH'
  if (hasVersion !== true || (!isDemanded && method !== 'DELETE')) return undefined
  if (header === undefined) return isDemanded ? refuse('admin_version_missing', 'If-Match') : undefined
  return readCondition(header) ?? refuse('admin_condition_malformed', 'If-Match')
}

function callOf(
  service: Service,
  {
    condition,
    ...facts
  }: Omit<Call, 'service' | 'may' | 'covers' | 'event' | 'expects'> & {
    readonly condition: Condition | undefined
  },
): Call {
  const { request, nowMs } = facts
  const { clientId, user, permissions } = facts.caller
  const actor = { actor: user?.id ?? clientId, actorKind: user === undefined ? 'client' : 'user', through: clientId }
  return {
    service,
    ...facts,
    may: (permission) => permissions.has(permission),
    covers: (others) => others.isSubsetOf(permissions),
    event: (kind, parties, details = {}) => auditEvent(request, nowMs, kind, parties, { ...actor, ...details }),
    expects(etag) {
      return condition === undefined || meets(condition, etag) ? undefined : refuse('admin_version_stale', 'If-Match')
    },
  }
}

function answered(service: Service, request: Request, { status }: Operation, outcome: Attempt): Answer {
  if (outcome instanceof Unauthorized) {
    const { refusal, challenge } = outcome
    return withHeaders(problem(service, request, refusal, { status: challenge.status }), challenge.headers)
  }
  return withNonce(service, request, outcomeAnswer(service, request, status, outcome))
}

function outcomeAnswer(service: Service, request: Request, status: number, outcome: Outcome): Answer {
  if (isRefusal(outcome)) {
    if (!('problems' in outcome)) return problem(service, request, outcome)
    return faulty(service, request, { faults: faultsOfProblems(outcome.problems) })
  }
  if ('refusal' in outcome) {
    const { refusal, members = {}, retryAfterSeconds } = outcome
    return problem(service, request, refusal, { members, retryAfterSeconds })
  }
  if ('faults' in outcome) return faulty(service, request, outcome)
  return 'cookies' in outcome ? outcome : success(service, status, outcome)
}

function success({ settings }: Service, status: number, { body, etag, location, headers }: Done): Answer {
  const all = {
    ...headers,
    ...(etag !== undefined && { etag: `"${etag}"` }),
    ...(location !== undefined && { location: `${settings.admin.url}${apiPath.slice(1)}${location}` }),
  }
  return body === undefined ? empty(status, all) : json(body, status, all)
}

function faulty(service: Service, request: Request, { faults }: Faults): Answer {
  const refusal = refuse('admin_request_invalid', '', { members: faults.map(({ member }) => member) })
  return problem(service, request, refusal, { faults, error: refusal.error })
}

function problem({ answers }: Service, request: Request, refusal: Refusal, options: ProblemOptions = {}): Answer {
  return answers.refuseAsProblem(request, refusal, options)
}
