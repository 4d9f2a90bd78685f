/**
 * Operations of the admin API: each is one value with its address, its schemas and what it does. The routes, the checks of
 * a request and the OpenAPI document are derived from these values (`endpoint.ts`, `openapi.ts`).
 *
 * To add a resource, write a file `src/admin/<resource>.ts` that exports its list of operations, and name it in
 * `operations.ts`. When `run` is called, the caller has the permission, the query and the body match their schemas, and
 * `If-Match` is there if the method demands it. `run` takes four steps:
 *
 * 1. gather: reads with `call.service.storage`. For a list `pageOf` and `listed` (`list.ts`) read and write the cursor.
 * 2. decide: calls the pure rule in `users/` or `protocol/` that the command line calls too. `call.may` tells whether the
 *    caller has a further permission, `call.covers` whether it has all of another one's.
 * 3. commit: one storage verb with `call.event(…)`, which names the actor and the trace id. For a change of what was read
 *    before, `changing` (`changing.ts`) runs the rule inside the verb, after `call.expects(etagOf(record))`.
 * 4. answer: returns `{ body, etag }`, a refusal, or the problems of a rule. A member of `body` that is named in `secrets`
 *    is shown once: the replay of an `Idempotency-Key` leaves it out.
 *
 * A record has one form in every interface: it comes from `protocol/client/records.ts` or `users/`, and `named` gives its schema
 * a name in the document. Members that nobody can set are in the schema of changes too, so that a record can be sent back
 * as it was read; `readOnlyFaults` (`changing.ts`) refuses a different value.
 *
 * Belongs here: endpoints below `/admin/api`.
 * Belongs elsewhere: rules about clients, scopes and people (`protocol/`, `users/`), and the console.
 */
import type { Static, TObject, TSchema } from 'typebox'
import type { AuditDetails, AuditEvent, AuditKind } from '../audit/entry.ts'
import type { AuditParties } from '../audit/request-events.ts'
import type { Answer } from '../http/answer.ts'
import type { MemberFault } from '../http/answers.ts'
import type { Request } from '../http/request.ts'
import type { Problem, Rejection } from '../problem.ts'
import type { Refusal } from '../protocol/refusals/index.ts'
import type { Permission, Permissions } from '../protocol/scope/admin-scopes.ts'
import type { Service } from '../service.ts'
import type { Caller } from './caller.ts'
import type { Shared } from './shared.ts'

/** What a handler is called with. */
export type Call<Query = unknown, Body = unknown> = {
  /** Its storage takes an `Idempotency-Key` into the commit of the change. */
  readonly service: Service
  readonly request: Request
  /** Values of the parameters in the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  readonly caller: Caller
  readonly shared: Shared
  /** In epoch milliseconds. */
  readonly nowMs: number
  may(permission: Permission): boolean
  /** Whether the caller has each of these permissions. */
  covers(permissions: Permissions): boolean
  /** Returns the audit event of the change, with the caller as its actor. */
  event(kind: AuditKind, parties: AuditParties, details?: AuditDetails): AuditEvent
  /** Refuses a version that `If-Match` does not name; without the header none is refused. */
  expects(etag: string): Refusal | undefined
}

/** A change that was made, or what was read. */
export type Done = {
  /** Absent: the answer has no body. */
  readonly body?: unknown
  /** Without quotes. */
  readonly etag?: string
  /** The path of a created resource, below the base of the API, such as `/scopes/read`. */
  readonly location?: string
  /** Members of `body` that are shown once. */
  readonly secrets?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

/** A refusal with further members for the problem details, such as who uses a record, or with `Retry-After`. */
export type Refused = {
  readonly refusal: Refusal
  readonly members?: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds?: number
}

export type Faults = { readonly faults: readonly MemberFault[] }

/** A `Rejection` and `Faults` are answered with 400 and a list of errors, an `Answer` as it is, such as a stream. */
export type Outcome = Done | Refusal | Rejection | Refused | Faults | Answer

/** An operation as the endpoint and the document see it. */
export type Operation = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/admin/api/v1`, such as `/scopes/:name`. */
  readonly path: string
  /** Null: whoever has a token for the API. */
  readonly permission: Permission | null
  /** One line for the document. */
  readonly summary: string
  /** Absent: no parameter is allowed. Use `strictObject`. Values are texts, integers, booleans or lists of texts. */
  readonly query?: TObject
  /** Absent: no body is allowed. */
  readonly body?: TSchema
  /** Whether the request may come without the body. */
  readonly isBodyOptional?: boolean
  /** The status of success. */
  readonly status: 200 | 201 | 202 | 204
  /** The body of success; absent: there is none. */
  readonly answer?: TSchema
  /** The media type of the answer, if it is not JSON. */
  readonly answerType?: string
  /** Statuses of refusals beyond those that every operation can have. */
  readonly refusals?: readonly (404 | 409 | 429)[]
  /** Whether the answer has an ETag. PUT and PATCH demand `If-Match`, DELETE honours it. */
  readonly hasVersion?: boolean
  /**
   * Judges by the rules what is left of a body when members that do not match the schema are taken out, so that one answer
   * names every fault. Changes nothing.
   */
  // biome-ignore lint/suspicious/noExplicitAny: as for `run`
  readonly judge?: (call: Call<any, any>) => Promise<readonly Problem[]>
  // biome-ignore lint/suspicious/noExplicitAny: `operation` checked query and body against the schemas
  readonly run: (call: Call<any, any>) => Promise<Outcome>
}

type Value<Schema> = Schema extends TSchema ? Static<Schema> : undefined

/** Types the handler by the schemas. */
export function operation<Query extends TObject | undefined = undefined, Body extends TSchema | undefined = undefined>(
  value: Omit<Operation, 'query' | 'body' | 'judge' | 'run'> & {
    readonly query?: Query
    readonly body?: Body
    readonly judge?: (call: Call<Value<Query>, Partial<Value<Body>>>) => Promise<readonly Problem[]>
    readonly run: (call: Call<Value<Query>, Value<Body>>) => Promise<Outcome>
  },
): Operation {
  return value as unknown as Operation
}
