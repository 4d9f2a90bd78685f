/** What was measured, in a file of its own: the model computes with nothing else but these and its assumptions. */
import { readFileSync, writeFileSync } from 'node:fs'

export type Value = {
  readonly value: number
  readonly unit: string
  readonly how: string
  /** Date, UTC. */
  readonly when: string
}

/** The throughput of so many processes, which the simulation has to foretell. */
export type Point = {
  readonly operation: string
  /** Services with a port each, or processes that share one (`serve --workers`). */
  readonly kind: 'nodes' | 'workers'
  readonly processes: number
  readonly connections: number
  /** Operations a second. */
  readonly rate: number
  /** How far the runs are apart: half of the difference to their mean. */
  readonly spread: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Processor time of one operation, microseconds, on average. */
  readonly nodeUs: number
  readonly databaseUs: number
  readonly generatorUs: number
  /** Of all cores, what other programs used meanwhile. */
  readonly othersShare: number
  readonly when: string
}

export type Inputs = {
  readonly machine: string
  readonly cores: number
  readonly values: Readonly<Record<string, Value>>
  readonly points: readonly Point[]
}

/** The file or its content is not as it has to be; the message says where. */
export class WrongInputs extends Error {}

export function readInputs(file: string): Inputs {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new WrongInputs(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
  return parseInputs(text, file)
}

export function parseInputs(text: string, file: string): Inputs {
  let found: Partial<Inputs> | null
  try {
    found = JSON.parse(text)
  } catch (error) {
    throw new WrongInputs(`${file} is not JSON: ${(error as Error).message}`)
  }
  if (typeof found !== 'object' || found === null) throw new WrongInputs(`${file} is not an object`)
  const { machine, cores, values, points } = found
  if (typeof machine !== 'string') throw new WrongInputs(`${file}: machine is not a text`)
  if (!isAmount(cores) || cores < 1) throw new WrongInputs(`${file}: cores is not a number above 0`)
  if (typeof values !== 'object' || values === null) throw new WrongInputs(`${file}: values is not an object`)
  for (const [name, value] of Object.entries(values)) {
    if (!isAmount(value?.value)) throw new WrongInputs(`${file}: values: ${name} has no number from 0`)
    for (const member of ['unit', 'how', 'when'] as const) {
      if (typeof value[member] !== 'string') throw new WrongInputs(`${file}: values: ${name} does not say ${member}`)
    }
  }
  if (!Array.isArray(points)) throw new WrongInputs(`${file}: points is not a list`)
  for (const [at, point] of points.entries()) {
    const numbers = ['processes', 'connections', 'rate', 'nodeUs', 'databaseUs', 'generatorUs', 'othersShare'] as const
    const isWhole = numbers.every((name) => isAmount(point?.[name])) && typeof point?.operation === 'string'
    if (!isWhole) throw new WrongInputs(`${file}: points: number ${at + 1} is not complete`)
  }
  return { machine, cores, values, points }
}

const isAmount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0

/** Throws when it was not measured. */
export function inputOf(inputs: Inputs, name: string): number {
  const found = inputs.values[name]
  if (found === undefined) throw new WrongInputs(`the inputs have no value ${name}: measure it (bench/README.md)`)
  return found.value
}

/** Puts new values and points in the place of those of the same name, and leaves the others. */
export function merged(before: Inputs | null, now: Inputs): Inputs {
  const nameOf = ({ operation, kind, processes, connections }: Point) =>
    [operation, kind, processes, connections].join(' ')
  const measured = new Set(now.points.map(nameOf))
  const kept = (before?.points ?? []).filter((point) => !measured.has(nameOf(point)))
  const values = Object.entries({ ...before?.values, ...now.values })
  return {
    machine: now.machine,
    cores: now.cores,
    values: Object.fromEntries(values.sort(([a], [b]) => (a < b ? -1 : 1))),
    points: [...kept, ...now.points],
  }
}

export function writeInputs(file: string, inputs: Inputs): void {
  writeFileSync(file, `${JSON.stringify(inputs, null, 2)}\n`)
}
