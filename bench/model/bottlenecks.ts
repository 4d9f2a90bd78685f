/** Which part ends first, at how many people, and what moves that. */
import { type Assumptions, type Needs, needsOf } from './demand.ts'
import type { Inputs } from './inputs.ts'

/** What there is of each part. */
export type Machines = {
  readonly nodeCores: number
  readonly primaryCores: number
  /** Of cores and disks, how much may be used in the busiest second. */
  readonly utilisation: number
  readonly connectionsOfProcess: number
  readonly maxConnections: number
  /** What a forced write takes, with the answer of a synchronous replica. */
  readonly flushUs: number
  /** Of the disk of the log, bytes a second. */
  readonly diskWrite: number
  readonly diskBytes: number
  /** Of the primary, bits a second. */
  readonly network: number
  readonly replicas: number
}

export type Site = Assumptions & Machines

export type Sized = Needs & {
  /** Cores of nodes at the utilisation that is allowed; each is one process. */
  readonly nodeCores: number
  readonly primaryCores: number
  readonly openConnections: number
  /** Connections of the primary that execute or wait for a forced write. */
  readonly busyConnections: number
  readonly commitsPerFlush: number
  readonly walBytes: number
  readonly replication: number
  readonly diskBytes: number
}

export function sizeOf(inputs: Inputs, site: Site): Sized {
  const needs = needsOf(inputs, site)
  const nodeCores = (needs.mainCores + needs.passwordCores) / site.utilisation
  const walBytes = needs.wal.rows + needs.wal.pages
  const processes = Math.max(1, Math.ceil(nodeCores))
  return {
    ...needs,
    nodeCores,
    primaryCores: needs.databaseCores / site.utilisation,
    openConnections: processes * site.connectionsOfProcess,
    busyConnections: needs.databaseCores + needs.commits * waitForFlush(site),
    commitsPerFlush: Math.max(1, (needs.commits * site.flushUs) / 1e6),
    walBytes,
    replication: walBytes * 8 * site.replicas,
    diskBytes: Object.values(needs.disk).reduce((sum, bytes) => sum + bytes, 0),
  }
}

/** Seconds: on average half of the one under way, and the next. */
const waitForFlush = ({ flushUs }: Machines) => (1.5 * flushUs) / 1e6

/** `uses` of `has`; `move`: how the site changes so that it ends later. */
export type Part = {
  readonly name: string
  /** It ends a primary, which more nodes do not help. */
  readonly ofPrimary: boolean
  readonly uses: (sized: Sized) => number
  readonly has: (site: Site, inputs: Inputs) => number
  readonly moves: readonly {
    readonly how: string
    readonly to: (site: Site) => Site
    /** Default: that of the part. */
    readonly uses?: (sized: Sized) => number
  }[]
}

const toPasskeys = (site: Site): Site => ({ ...site, passkeyShare: 0.9 })

export const parts: readonly Part[] = [
  {
    name: 'one process: the main thread',
    ofPrimary: false,
    uses: ({ mainCores }) => mainCores,
    has: ({ utilisation }) => utilisation,
    moves: [],
  },
  {
    name: 'one machine: password hashes and the rest',
    ofPrimary: false,
    uses: ({ mainCores, passwordCores }) => mainCores + passwordCores,
    has: ({ nodeCores, utilisation }) => nodeCores * utilisation,
    moves: [
      { how: 'with the hash of the runtime in place of the native one', to: (site) => ({ ...site, hash: 'runtime' }) },
      { how: 'nine of ten sign-ins by passkey', to: toPasskeys },
    ],
  },
  {
    name: 'connections of the primary',
    ofPrimary: true,
    uses: ({ openConnections }) => openConnections,
    has: ({ maxConnections }) => maxConnections,
    moves: [
      {
        how: 'a pooler: only those that execute or wait for the disk count',
        to: (site) => site,
        uses: ({ busyConnections }) => busyConnections,
      },
      { how: 'nine of ten sign-ins by passkey: fewer processes', to: toPasskeys },
    ],
  },
  {
    name: 'disk of the primary',
    ofPrimary: true,
    uses: ({ diskBytes }) => diskBytes,
    has: ({ diskBytes, utilisation }) => diskBytes * utilisation,
    moves: [
      {
        how: 'the audit trail for 90 days',
        to: (site) => ({ ...site, auditDays: 90 }),
      },
      {
        how: 'the same, and refresh tokens for two days in place of fourteen',
        to: (site) => ({ ...site, auditDays: 90, grantDays: Math.min(2, site.grantDays) }),
      },
    ],
  },
  {
    name: 'processor of the primary',
    ofPrimary: true,
    uses: ({ databaseCores }) => databaseCores,
    has: ({ primaryCores, utilisation }) => primaryCores * utilisation,
    moves: [
      {
        how: 'access tokens for two hours: half of the refreshes',
        to: (site) => ({ ...site, refreshesAnHour: site.refreshesAnHour / 2 }),
      },
    ],
  },
  {
    name: 'forced writes, one commit each',
    ofPrimary: true,
    uses: ({ commits }) => commits,
    has: ({ flushUs }) => 1e6 / flushUs,
    moves: [],
  },
  {
    name: 'forced writes, all waiting commits together',
    ofPrimary: true,
    uses: ({ busyConnections }) => busyConnections,
    has: ({ maxConnections, utilisation }) => maxConnections * utilisation,
    moves: [{ how: 'a disk and a replica twice as quick', to: (site) => ({ ...site, flushUs: site.flushUs / 2 }) }],
  },
  {
    name: 'the log on its disk',
    ofPrimary: true,
    uses: ({ walBytes }) => walBytes,
    has: ({ diskWrite, utilisation }) => diskWrite * utilisation,
    moves: [
      { how: 'checkpoints half as often', to: (site) => ({ ...site, checkpointMinutes: site.checkpointMinutes * 2 }) },
    ],
  },
  {
    name: 'the log to the replicas',
    ofPrimary: true,
    uses: ({ replication, databaseNetwork }) => replication + databaseNetwork,
    has: ({ network, utilisation }) => network * utilisation,
    moves: [],
  },
]

/** Group commit is what PostgreSQL does, so its absence bounds nothing; with a pooler connections are what is busy. */
const isNoBound = new Set(['forced writes, one commit each', 'connections of the primary'])

/** People whom a part can bear; Infinity: it never ends. */
export function peopleAt(inputs: Inputs, site: Site, { uses, has }: Part): number {
  const most = has(site, inputs)
  const bears = (users: number) => uses(sizeOf(inputs, { ...site, users })) <= most
  if (bears(1e12)) return Number.POSITIVE_INFINITY
  let [low, high] = [0, 1e12]
  while (high - low > Math.max(1, low * 1e-6)) {
    const middle = (low + high) / 2
    if (bears(middle)) low = middle
    else high = middle
  }
  return low
}

export type Bottleneck = {
  readonly part: Part
  readonly people: number
  readonly moved: readonly { readonly how: string; readonly people: number }[]
}

/** In the order in which they are reached. */
export function bottlenecks(inputs: Inputs, site: Site): Bottleneck[] {
  return parts
    .map((part) => ({
      part,
      people: peopleAt(inputs, site, part),
      moved: part.moves.map(({ how, to, uses = part.uses }) => ({
        how,
        people: peopleAt(inputs, to(site), { ...part, uses }),
      })),
    }))
    .sort((a, b) => a.people - b.people)
}

/** People of one primary: the bounds that neither more nodes nor a pooler move. */
export function peopleOfPrimary(inputs: Inputs, site: Site): { readonly people: number; readonly part: Part } {
  const bounds = parts.filter(({ ofPrimary, name }) => ofPrimary && !isNoBound.has(name))
  const [first] = bounds
    .map((part) => ({ part, people: peopleAt(inputs, site, part) }))
    .sort((a, b) => a.people - b.people)
  if (first === undefined) throw new Error('there is no bound')
  return first
}

export type Regions = {
  readonly regions: number
  /** In each of them. */
  readonly people: number
  /** What one of them needs. */
  readonly sized: Sized
  /** What bounds the primary of one. */
  readonly bound: string
}

/** Regions of equal size, each with a primary of its own. */
export function regionsFor(inputs: Inputs, site: Site): Regions {
  const { people: most, part } = peopleOfPrimary(inputs, site)
  const regions = Math.max(1, Math.ceil(site.users / most))
  const people = site.users / regions
  return { regions, people, sized: sizeOf(inputs, { ...site, users: people }), bound: part.name }
}

/** A pooler in front: what one region would open otherwise. */
export const needsPooler = (sized: Sized, { maxConnections }: Machines) => sized.openConnections > maxConnections
