/** Stack traces of the bundle, with the places in the sources. */
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

const bundlePlace = /(file:\/\/[^\s()]*\/dist\/server\/[^\s()/]+\.js):(\d+):(\d+)/g

/** By address of the bundled file; undefined: it has no readable map. */
const maps = new Map<string, SourceMap | undefined>()

/**
 * Replaces places in the bundle by those in the sources. Reads the maps when they are first needed: the runtime would read
 * each at the start.
 */
export function inSources(stack: string): string {
  return stack.replaceAll(bundlePlace, (place, file: string, line: string, column: string) => {
    const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (entry === undefined || !('originalSource' in entry)) return place
    const { originalSource, originalLine, originalColumn } = entry
    return `${originalSource.replace(/^(?:\.\.\/)+/, '')}:${originalLine + 1}:${originalColumn + 1}`
  })
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file))
  return maps.get(file)
}

function readMap(file: string): SourceMap | undefined {
  try {
    const path = fileURLToPath(file)
    return new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')))
  } catch {
    return undefined
  }
}
