/**
 * Parameters of requests: each at most once, and bounded (RFC 6749 §3.1).
 *
 * Belongs here: the rules of OAuth 2.0 and OpenID Connect as pure functions, one folder for each noun of the RFCs, and
 * beside the folders what several of them need. `now` is an argument.
 * Belongs elsewhere: I/O, the clock, HTTP, and rules about people (`users/`).
 */
import { type Refusal, refuse } from './refusals/index.ts'

/** Maximum length of a parameter value, in characters. */
const maxValueLength = 2048
/** Longer limits for `state` and tokens, which are opaque to one side. */
const longValues: Readonly<Record<string, number>> = {
  // Bounded with the rest of the request, where that becomes an address.
  state: 16_384,
  scope: 4096,
  // A code contains redirect URI, scopes and nonce of its request; a token contains all roles of its user.
  code: 16_384,
  token: 16_384,
  access_token: 16_384,
  id_token_hint: 16_384,
  claims: 4096,
  subject_token: 16_384,
  actor_token: 16_384,
  refresh_token: 8192,
  client_assertion: 8192,
  request: 16_384,
}

/** Characters of the longest percent-encoding of one: three bytes of UTF-8. */
const encodedAtMost = 9

/** Returns the length of a state in the address that takes it back, whose browser or library may read no longer header. */
const sentBackLength = (state: string, limit: number): number =>
  state.length * encodedAtMost <= limit ? state.length : new URLSearchParams([['', state]]).toString().length - 1

/** The decoded name-value pairs of a request, in order. Names are case-sensitive (RFC 6749 §3.1). */
export type Parameters = ReadonlyArray<readonly [name: string, value: string]>

/** Reads parameters and keeps the first fault, so that a parser is a sequence of reads. */
export class ParameterReader {
  fault: Refusal | undefined
  readonly #parameters: Parameters

  constructor(parameters: Parameters) {
    this.#parameters = parameters
  }

  /**
   * Returns a parameter's value; null: absent. A parameter without a value counts as absent, and a repeated one is a
   * fault (RFC 6749 §3.1).
   */
  optional(name: string): string | null {
    // Searched each time: a request has so few parameters that an index would cost more.
    let value: string | undefined
    let times = 0
    for (const parameter of this.#parameters) {
      if (parameter[0] !== name) continue
      value = parameter[1]
      times += 1
    }
    if (value === undefined) return null
    if (times > 1) {
      this.fault ??= refuse('parameter_repeated', name, { times })
      return null
    }
    const limit = longValues[name] ?? maxValueLength
    const length = name === 'state' ? sentBackLength(value, limit) : value.length
    if (length > limit) {
      this.fault ??= refuse('parameter_too_long', name, { length, limit })
      return null
    }
    return value === '' ? null : value
  }

  /** Returns the values of a parameter that may be repeated (RFC 8707 §2), at most `limit`; empty: absent. */
  repeatable(name: string, limit: number): readonly string[] {
    const values: string[] = []
    for (const parameter of this.#parameters) {
      if (parameter[0] === name && parameter[1] !== '') values.push(parameter[1])
    }
    const long = values.find((value) => value.length > maxValueLength)
    if (long !== undefined) {
      this.fault ??= refuse('parameter_too_long', name, { length: long.length, limit: maxValueLength })
      return []
    }
    if (values.length <= limit) return values
    this.fault ??= refuse('parameter_malformed', name, { times: values.length, limit })
    return []
  }

  /** Like `optional`, but absence is a fault. */
  mandatory(name: string, reason: 'parameter_missing' | 'device_code_missing' = 'parameter_missing'): string | null {
    const value = this.optional(name)
    if (value === null) this.fault ??= refuse(reason, name)
    return value
  }

  /** Records a fault unless there is one already. */
  refuse(refusal: Refusal): void {
    this.fault ??= refusal
  }
}
