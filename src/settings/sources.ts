/** Where settings come from: a JSON file and the environment, both made into one flat list of names and raw values. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { sections } from './table.ts'

/** One value as somebody wrote it. */
export type Entry = {
  /** The name, split at its nesting, in the writer's own spelling. */
  readonly path: readonly string[]
  /** A JSON scalar, null or an empty array; always text from the environment. */
  readonly raw: unknown
  /** For messages: `in latchkey.json`, `SERVER__PORT in the environment`. */
  readonly where: string
}

export type FileReading = { readonly entries: Entry[] } | { readonly problem: string }

const defaultFile = 'latchkey.json'

/** The entries of the configuration file. `file` undefined: the usual one, if it is there. */
export function readFileEntries(file: string | undefined, folder: string): FileReading {
  const name = file ?? defaultFile
  let text: string
  try {
    text = readFileSync(resolve(folder, name), 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' && file === undefined) return { entries: [] }
    const reason = code === 'ENOENT' ? 'There is no such file' : `It cannot be opened (${code})`
    return { problem: `${name} cannot be read. ${reason}; check the name and its permissions.` }
  }
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    return {
      problem: `${name} is not valid JSON${faultPlace(text, error as SyntaxError)}. Mend it there and start again.`,
    }
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { problem: `${name} must hold one JSON object, such as {"Server": {"Port": 5080}}.` }
  }
  return { entries: flatten(json, [], `in ${name}`) }
}

/** The entries of the environment: variables whose first segment is one of our sections, `__` being the nesting. */
export function readEnvironmentEntries(env: Readonly<Record<string, string | undefined>>): Entry[] {
  const ours = new Set(sections.map((section) => section.toLowerCase()))
  return Object.entries(env).flatMap(([name, raw]) => {
    const path = name.split('__')
    if (raw === undefined || path.length < 2 || !ours.has(path[0]?.toLowerCase() ?? '')) return []
    return [{ path, raw, where: `${name} in the environment` }]
  })
}

/**
 * Whether the standard variables of OpenTelemetry name a collector. Its own library reads the rest of them, so they are
 * no settings of ours.
 */
export function isTracingWanted(env: Readonly<Record<string, string | undefined>>): boolean {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT || ''
  const isOff = env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none'
  return endpoint !== '' && !isOff
}

function flatten(value: unknown, path: readonly string[], where: string): Entry[] {
  const nested = typeof value === 'object' && value !== null && (!Array.isArray(value) || value.length > 0)
  if (!nested) return [{ path, raw: value, where }]
  return Object.entries(value).flatMap(([name, inner]) => flatten(inner, [...path, ...name.split(':')], where))
}

/** The parser's own message quotes the text around the fault, which may be a secret: only the place is passed on. */
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
