/** The simulation set up as a measurement was: it foretells its throughput from what one process needed. */
import { type Inputs, inputOf, type Point, WrongInputs } from './inputs.ts'
import { type Outcome, type Place, randomNumbers, type Step, simulate } from './simulation.ts'

export type Setting = Pick<Point, 'operation' | 'kind' | 'processes' | 'connections' | 'othersShare'>

const connectionsOfProcess = 10
const seconds = 2
const warmUpSeconds = 0.5

/** A measured value that depends on how many connections are under way. */
export type Known = { readonly at: number; readonly value: number }

/** Between the measured ones on a logarithmic scale, and beyond them as the last one. */
export function interpolated(known: readonly Known[], connections: number): number {
  const sorted = known.toSorted((a, b) => a.at - b.at)
  const after = sorted.findIndex(({ at }) => at >= connections)
  const [low, high] = after <= 0 ? [sorted.at(after), sorted.at(after)] : [sorted[after - 1], sorted[after]]
  if (low === undefined || high === undefined) throw new WrongInputs('the inputs have no point of one process')
  if (low.at === high.at) return low.value
  const share = Math.log(connections / low.at) / Math.log(high.at / low.at)
  return low.value + share * (high.value - low.value)
}

/** What one process needed in the runs that are to be foretold: on average, with all that disturbed it. */
function costOf(inputs: Inputs, operation: string, part: 'nodeUs' | 'databaseUs' | 'generatorUs', connections: number) {
  const points = inputs.points.filter((point) => point.operation === operation && point.processes === 1)
  return interpolated(
    points.map((point) => ({ at: point.connections, value: point[part] })),
    connections,
  )
}

export type Costs = Pick<Point, 'nodeUs' | 'databaseUs' | 'generatorUs'>

/** What one process needed with as many connections: in a process where its requests share work, and elsewhere in all. */
export function costsOfOne(inputs: Inputs, { operation, processes, connections }: Setting): Costs {
  return {
    nodeUs: costOf(inputs, operation, 'nodeUs', Math.max(1, connections / processes)),
    databaseUs: costOf(inputs, operation, 'databaseUs', connections),
    generatorUs: costOf(inputs, operation, 'generatorUs', connections),
  }
}

export function predict(inputs: Inputs, setting: Setting, costs: Costs = costsOfOne(inputs, setting)): Outcome {
  const { operation, kind, processes, connections, othersShare } = setting
  const places: Place[] = [
    { name: 'generator', servers: 1, machine: 0 },
    { name: 'flush', servers: 1, machine: null, together: true },
  ]
  const journeys = Array.from({ length: processes }, (_, at) => {
    const first = places.length
    places.push(
      { name: `main thread ${at}`, servers: 1, machine: 0 },
      { name: `connections ${at}`, servers: connectionsOfProcess, machine: 0 },
      { name: `hash threads ${at}`, servers: inputs.cores, machine: 0 },
    )
    return journeyOf(inputs, operation, { ...costs, first })
  })
  return simulate({
    machines: [inputs.cores * (1 - othersShare)],
    places,
    journeys,
    load: { kind: 'closed', connections: dealt(kind, processes, connections) },
    times: 'exponential',
    // Enough of them at any rate.
    seconds: seconds * Math.max(1, costs.nodeUs / 1000),
    warmUpSeconds,
  })
}

/** The main thread works before, between and after the round trips to the database; the last one is the commit, where there is one. */
export function journeyOf(
  inputs: Inputs,
  operation: string,
  { nodeUs, databaseUs, generatorUs, first }: Costs & { readonly first: number },
): Step[] {
  const roundTrips = Math.max(0, Math.round(inputOf(inputs, `${operation}.roundTrips`)))
  const hashUs = operation === 'signin-people' ? Math.min(inputOf(inputs, 'argon2.native'), nodeUs) : 0
  const writes = inputOf(inputs, `${operation}.writes`) >= 0.5
  const part = (nodeUs - hashUs) / (roundTrips + 1)
  const steps: Step[] = [
    { place: 0, us: generatorUs / 2 },
    { place: first, us: part },
  ]
  for (let at = 0; at < roundTrips; at += 1) {
    const commits = writes && at === roundTrips - 1
    const trip = { place: first + 1, us: databaseUs / roundTrips }
    if (commits) steps.push({ ...trip, holds: true }, { place: 1, us: inputOf(inputs, 'flush') })
    else steps.push(trip)
    if (at === 0 && hashUs > 0) steps.push({ place: first + 2, us: hashUs })
    steps.push({ place: first, us: part })
  }
  return [...steps, { place: 0, us: generatorUs / 2 }]
}

/** Nodes get connections in turn. The kernel gives those of one port to any of its processes. */
export function dealt(kind: Point['kind'], processes: number, connections: number): { journey: number }[] {
  const random = randomNumbers(7)
  return Array.from({ length: connections }, (_, at) => ({
    journey: kind === 'nodes' ? at % processes : Math.floor(random() * processes),
  }))
}

/** `error` 0.1: ten per cent more than was measured. */
export type Compared = {
  readonly point: Point
  readonly predicted: Outcome
  readonly error: number
  /** With the processor time that the point itself needed: what is left are errors of the queues. */
  readonly ownError: number
}

/** Each measured point beside what is foretold from one process. */
export function compareAll({ inputs, points }: { inputs: Inputs; points: readonly Point[] }): Compared[] {
  return points.map((point) => {
    const predicted = predict(inputs, point)
    const own = predict(inputs, point, point)
    return { point, predicted, error: predicted.rate / point.rate - 1, ownError: own.rate / point.rate - 1 }
  })
}
