/** The sources of settings, a JSON file and the environment, both flattened to a list of names and raw values. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isObject } from '../protocol/json-value.ts'
import { sections } from './table.ts'

/** A value as written in a source. */
export type SourceValue = {
  /** The name, split into its segments, as spelled in the source. */
  readonly path: readonly string[]
  /** A JSON scalar, null or an empty array; text if it comes from the environment. */
  readonly raw: unknown
  /** For messages: `in latchkey.json`, `SERVER__PORT in the environment`. */
  readonly where: string
}

export type FileReading = { readonly values: SourceValue[] } | { readonly problem: string }

const defaultFile = 'latchkey.json'

/** Reads the configuration file. `file` undefined: the default one, if it exists. */
export function readFileValues(file: string | undefined, folder: string): FileReading {
  const name = file ?? defaultFile
  let text: string
  try {
    text = readFileSync(resolve(folder, name), 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' && file === undefined) return { values: [] }
    const reason = code === 'ENOENT' ? 'There is no such file' : `It cannot be opened (${code})`
    return { problem: `${name} cannot be read. ${reason}; check the name and its permissions.` }
  }
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    return {
      problem: `${name} is not valid JSON${faultPlace(text, error as SyntaxError)}. Fix it and start again.`,
    }
  }
  if (!isObject(json)) {
    return { problem: `${name} must hold one JSON object, such as {"Server": {"Port": 5080}}.` }
  }
  return { values: flatten(json, [], `in ${name}`) }
}

/** Reads the environment: variables whose first segment is a section of the settings, with `__` as separator. */
export function readEnvironmentValues(env: Readonly<Record<string, string | undefined>>): SourceValue[] {
  const ours = new Set(sections.map((section) => section.toLowerCase()))
  return Object.entries(env).flatMap(([name, raw]) => {
    const path = name.split('__')
    if (raw === undefined || path.length < 2 || !ours.has(path[0]?.toLowerCase() ?? '')) return []
    return [{ path, raw, where: `${name} in the environment` }]
  })
}

/**
 * Returns the address of the collector that the standard OpenTelemetry variables name; null: none. Its library reads the others
 * itself, so they are not settings of this service.
 */
export function collectorOf(env: Readonly<Record<string, string | undefined>>): string | null {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT || ''
  const isOff = env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none'
  return endpoint === '' || isOff ? null : endpoint
}

function flatten(value: unknown, path: readonly string[], where: string): SourceValue[] {
  const nested = typeof value === 'object' && value !== null && (!Array.isArray(value) || value.length > 0)
  if (!nested) return [{ path, raw: value, where }]
  return Object.entries(value).flatMap(([name, inner]) => flatten(inner, [...path, ...name.split(':')], where))
}

/** Returns only the position of a fault, because the parser's message quotes text that may be a secret. */
function faultPlace(text: string, error: SyntaxError): string {
  const place = /\(line (\d+) column (\d+)\)/.exec(error.message)
  if (place !== null) return ` (line ${place[1]}, column ${place[2]})`
  const lines = text.split('\n')
  const line = lines.findIndex((_, index) => {
    try {
      JSON.parse(lines.slice(0, index + 1).join('\n'))
      return false
    } catch (inner) {
      return (inner as SyntaxError).message.startsWith('Unexpected token')
    }
  })
  return line === -1 ? ' (it ends too early)' : ` (line ${line + 1})`
}
