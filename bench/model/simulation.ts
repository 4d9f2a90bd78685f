/**
 * A simulation of requests that pass places: threads of a service, connections of a database, a disk that is forced to
 * write, a generator of load. Places queue first come, first served. Threads share the cores of their machine equally, as
 * a scheduler with short slices does. Nothing here knows what Latchkey is.
 */
import { Heap } from './heap.ts'

/** Where work is done. */
export type Place = {
  readonly name: string
  /** How many requests it serves at a time. */
  readonly servers: number
  /** The number of the machine whose cores the work takes; null: it takes time alone, such as a disk or a network. */
  readonly machine: number | null
  /** One at a time, but everything that waits is served together: a group commit. */
  readonly together?: true
}

export type Step = {
  /** The number of the place. */
  readonly place: number
  /** Time on a core of its own, microseconds. */
  readonly us: number
  /** The server is kept until the next step has ended: a connection whose commit is being written. */
  readonly holds?: true
}

/** `journey`: the number of the list of steps that the request makes. */
export type Load =
  /** Each connection sends its next request when it has the answer to the one before. */
  | { readonly kind: 'closed'; readonly connections: ReadonlyArray<{ readonly journey: number }> }
  /** Requests arrive by themselves, at random (a Poisson process). */
  | {
      readonly kind: 'open'
      readonly journeys: ReadonlyArray<{ readonly journey: number; readonly perSecond: number }>
    }

export type Plan = {
  /** Cores of each machine; a part of a core is what others leave. */
  readonly machines: readonly number[]
  readonly places: readonly Place[]
  readonly journeys: ReadonlyArray<readonly Step[]>
  readonly load: Load
  /** Of simulated time; what happened before `warmUpSeconds` is not counted. */
  readonly seconds: number
  readonly warmUpSeconds: number
  /** Each step takes its time exactly, or at random around it (exponentially). */
  readonly times: 'fixed' | 'exponential'
  readonly seed?: number
}

export type Outcome = {
  /** Requests that arrived, that were answered, and that were under way at the end, the warm-up included. */
  readonly arrived: number
  readonly answered: number
  readonly left: number
  /** Answered in a second. */
  readonly rate: number
  readonly meanUs: number
  readonly p50Us: number
  readonly p99Us: number
  /** Requests under way, on average. */
  readonly underWay: number
  /** Servers in use at each place, on average. */
  readonly inUse: readonly number[]
  /** How many were served together at each place, on average. */
  readonly together: readonly number[]
}

type Request = { readonly journey: number; readonly startedAt: number; step: number; held: number | null }
type Queue = { readonly waiting: Request[]; inUse: number; area: number; since: number; served: number; turns: number }
type Task = { readonly requests: readonly Request[]; readonly place: number }

export function simulate(plan: Plan): Outcome {
  const { machines, places, journeys, load, times, seed = 1 } = plan
  const random = randomNumbers(seed)
  const exponential = (mean: number) => -mean * Math.log(1 - random())
  const endsAt = plan.seconds * 1e6
  const countsFrom = plan.warmUpSeconds * 1e6
  let now = 0
  const queues = places.map((): Queue => ({ waiting: [], inUse: 0, area: 0, since: countsFrom, served: 0, turns: 0 }))
  const processors = machines.map((cores) => new Processor(cores))
  const timed = new Heap<() => void>()
  const latencies: number[] = []
  let [arrived, answered, underWay, area, since] = [0, 0, 0, 0, countsFrom]

  function countUnderWay(change: number): void {
    if (now > since) {
      area += underWay * (now - since)
      since = now
    }
    underWay += change
  }

  function use(queue: Queue, change: number): void {
    if (now > queue.since) {
      queue.area += queue.inUse * (now - queue.since)
      queue.since = now
    }
    queue.inUse += change
  }

  function arrive(journey: number): void {
    arrived += 1
    countUnderWay(1)
    enter({ journey, startedAt: now, step: 0, held: null })
  }

  const stepOf = ({ journey, step }: Request) => journeys[journey]?.[step] as Step

  function enter(request: Request): void {
    const { place } = stepOf(request)
    queues[place]?.waiting.push(request)
    serve(place)
  }

  function serve(at: number): void {
    const place = places[at] as Place
    const queue = queues[at] as Queue
    while (queue.waiting.length > 0 && queue.inUse < place.servers) {
      const requests = place.together ? queue.waiting.splice(0) : [queue.waiting.shift() as Request]
      use(queue, 1)
      if (now >= countsFrom) {
        queue.turns += 1
        queue.served += requests.length
      }
      const { us } = stepOf(requests[0] as Request)
      const work = times === 'fixed' ? us : exponential(us)
      const task = { requests, place: at }
      if (place.machine === null) timed.add(now + work, () => finish(task))
      else processors[place.machine]?.add(now, work, task)
    }
  }

  function release(at: number): void {
    use(queues[at] as Queue, -1)
    serve(at)
  }

  function finish({ requests, place }: Task): void {
    const isHeld = requests.length === 1 && stepOf(requests[0] as Request).holds === true
    if (!isHeld) use(queues[place] as Queue, -1)
    for (const request of requests) {
      const before = request.held
      request.held = isHeld ? place : null
      request.step += 1
      if (before !== null) release(before)
      if (request.step < (journeys[request.journey]?.length ?? 0)) enter(request)
      else answer(request)
    }
    if (!isHeld) serve(place)
  }

  function answer({ journey, startedAt, held }: Request): void {
    if (held !== null) release(held)
    answered += 1
    countUnderWay(-1)
    if (now >= countsFrom) latencies.push(now - startedAt)
    if (load.kind === 'closed') timed.add(now, () => arrive(journey))
  }

  if (load.kind === 'closed') for (const { journey } of load.connections) arrive(journey)
  else {
    for (const { journey, perSecond } of load.journeys) {
      if (perSecond <= 0) continue
      const next = () => {
        arrive(journey)
        timed.add(now + exponential(1e6 / perSecond), next)
      }
      timed.add(exponential(1e6 / perSecond), next)
    }
  }
  for (;;) {
    let at = timed.first() ?? Number.POSITIVE_INFINITY
    let processor: Processor | undefined
    for (const one of processors) {
      const ends = one.nextEnd()
      if (ends < at) [at, processor] = [ends, one]
    }
    if (!(at <= endsAt)) break
    now = at
    if (processor === undefined) timed.take()?.()
    else finish(processor.take(now))
  }
  now = endsAt
  countUnderWay(0)
  for (const queue of queues) use(queue, 0)
  latencies.sort((a, b) => a - b)
  const quantile = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
  const counted = endsAt - countsFrom
  return {
    arrived,
    answered,
    left: underWay,
    rate: (latencies.length / counted) * 1e6,
    meanUs: latencies.reduce((sum, one) => sum + one, 0) / Math.max(1, latencies.length),
    p50Us: quantile(0.5),
    p99Us: quantile(0.99),
    underWay: area / counted,
    inUse: queues.map((queue) => queue.area / counted),
    together: queues.map(({ served, turns }) => (turns === 0 ? 0 : served / turns)),
  }
}

/** Cores that everything which runs shares equally; nothing gets more than one of them. */
class Processor {
  readonly #cores: number
  /** By how much each of the running tasks has moved on since the start, microseconds of a core. */
  #progress = 0
  #at = 0
  readonly #running = new Heap<Task>()

  constructor(cores: number) {
    this.#cores = cores
  }

  #speed(): number {
    return Math.min(1, this.#cores / this.#running.size)
  }

  #moveTo(now: number): void {
    if (this.#running.size > 0) this.#progress += (now - this.#at) * this.#speed()
    this.#at = now
  }

  add(now: number, work: number, task: Task): void {
    this.#moveTo(now)
    this.#running.add(this.#progress + work, task)
  }

  nextEnd(): number {
    const first = this.#running.first()
    return first === undefined ? Number.POSITIVE_INFINITY : this.#at + (first - this.#progress) / this.#speed()
  }

  take(now: number): Task {
    this.#moveTo(now)
    return this.#running.take() as Task
  }
}

/** Numbers from 0 to 1, the same ones for the same seed (xorshift with 32 bits). */
export function randomNumbers(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 4_294_967_296
  }
}
