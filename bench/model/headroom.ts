/** How long requests wait on a node that is so busy: what has to be left free for the slowest of a hundred. */
import type { Site } from './bottlenecks.ts'
import { type Act, measuredWith, peakRates } from './demand.ts'
import { type Inputs, inputOf } from './inputs.ts'
import { journeyOf } from './prediction.ts'
import { type Outcome, type Place, simulate } from './simulation.ts'

export type Busy = { readonly utilisation: number; readonly tokens: Outcome; readonly signIns: Outcome }

export const levels: readonly number[] = [0.3, 0.5, 0.6, 0.7, 0.8, 0.9]

export function headroom(inputs: Inputs, site: Site): Busy[] {
  return levels.map((utilisation) => ({
    utilisation,
    tokens: onOneProcess(inputs, site, utilisation),
    signIns: onOneMachine(inputs, site, utilisation),
  }))
}

const nodeUsOf = (inputs: Inputs, act: Act) => inputOf(inputs, `${act}.node.${measuredWith}`)

function placesOf({ primaryCores, connectionsOfProcess, nodeCores }: Site, processes: number): Place[] {
  return [
    { name: 'client', servers: Number.POSITIVE_INFINITY, machine: null },
    { name: 'flush', servers: 1, machine: null, together: true },
    { name: 'main threads', servers: processes, machine: 0 },
    {
      name: 'connections',
      servers: Math.max(1, connectionsOfProcess) * processes,
      machine: primaryCores > 0 ? 1 : null,
    },
    { name: 'hash threads', servers: nodeCores, machine: 0 },
  ]
}

function journeys(inputs: Inputs, { flushUs }: Site, acts: readonly Act[]) {
  return acts.map((act) => {
    const costs = {
      nodeUs: nodeUsOf(inputs, act),
      databaseUs: inputOf(inputs, `${act}.database.${measuredWith}`),
      generatorUs: 0,
      first: 2,
    }
    return journeyOf(inputs, act, costs).map((step) => (step.place === 1 ? { ...step, us: flushUs } : step))
  })
}

/** Codes, refreshes, authorization requests and introspections as they are mixed in the busiest second. */
function onOneProcess(inputs: Inputs, site: Site, utilisation: number): Outcome {
  const acts = ['refresh', 'token', 'authorize', 'introspection'] as const
  const rates = peakRates(site)
  const busy = acts.reduce((sum, act) => sum + rates[act] * nodeUsOf(inputs, act), 0) / 1e6
  return simulate({
    machines: [1, site.primaryCores],
    places: placesOf(site, 1),
    journeys: journeys(inputs, site, acts),
    load: {
      kind: 'open',
      journeys: acts.map((act, journey) => ({ journey, perSecond: (rates[act] * utilisation) / busy })),
    },
    times: 'exponential',
    seconds: 20,
    warmUpSeconds: 2,
  })
}

/** Sign-ins by password alone, on all cores of a machine. */
function onOneMachine(inputs: Inputs, site: Site, utilisation: number): Outcome {
  const perSecond = (site.nodeCores * utilisation * 1e6) / nodeUsOf(inputs, 'signin-people')
  return simulate({
    machines: [site.nodeCores, site.primaryCores],
    places: placesOf(site, site.nodeCores),
    journeys: journeys(inputs, site, ['signin-people']),
    load: { kind: 'open', journeys: [{ journey: 0, perSecond }] },
    times: 'exponential',
    seconds: 60,
    warmUpSeconds: 5,
  })
}
