import { type Refusal, refuse } from './refusals/index.ts'

/** Upper bound of one value of a protocol parameter, in characters. */
const maxValueLength = 2048
/** `state` and the token parameters may be longer; they are opaque to one side. */
const longValues: Readonly<Record<string, number>> = {
  state: 4096,
  scope: 4096,
  // A code holds address, scopes and nonce of its request, a token all roles of its person.
  code: 16_384,
  token: 16_384,
  access_token: 16_384,
  id_token_hint: 16_384,
  refresh_token: 8192,
  request: 16_384,
}

/** The name-value pairs of a request, in order, already decoded. Names are case-sensitive (RFC 6749 §3.1). */
export type Parameters = ReadonlyArray<readonly [name: string, value: string]>

/** Reads single parameters and remembers the first fault, so that a parser can be written as a list of reads. */
export class ParameterReader {
  fault: Refusal | undefined
  readonly #values = new Map<string, string[]>()

  constructor(parameters: Parameters) {
    for (const [name, value] of parameters) {
      const values = this.#values.get(name)
      if (values === undefined) this.#values.set(name, [value])
      else values.push(value)
    }
  }

  /**
   * The value of a parameter, or null when it is absent. A parameter without a value counts as absent, and one that
   * comes twice is a fault (RFC 6749 §3.1).
   */
  optional(name: string): string | null {
    const values = this.#values.get(name)
    if (values === undefined) return null
    if (values.length > 1) {
      this.fault ??= refuse('parameter_repeated', name, { times: values.length })
      return null
    }
    const value = values[0] ?? ''
    const limit = longValues[name] ?? maxValueLength
    if (value.length > limit) {
      this.fault ??= refuse('parameter_too_long', name, { length: value.length, limit })
      return null
    }
    return value === '' ? null : value
  }

  /** Like `optional`; absence is a fault. */
  mandatory(name: string): string | null {
    const value = this.optional(name)
    if (value === null) this.fault ??= refuse('parameter_missing', name)
    return value
  }

  /** Records a fault unless there was one before. */
  refuse(refusal: Refusal): void {
    this.fault ??= refusal
  }
}
