/**
 * Sums a processor profile up: where the time went, alone and with everything called from there.
 *
 *   node bench/profile.ts FILE.cpuprofile [LINES]
 */
import { readFileSync } from 'node:fs'
import { table } from './report.ts'

type Node = {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly children?: readonly number[]
}

type Profile = {
  readonly nodes: readonly Node[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

type Share = { readonly place: string; own: number; total: number }

/** Time in which nothing ran; not counted. */
const atRest = new Set(['(idle)', '(root)'])

/** Own and total time of every function, as shares of the time in which anything ran. */
function sumUp({ nodes, samples, timeDeltas }: Profile): Share[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id] as const)))
  const times = new Map<number, number>()
  for (const [at, id] of samples.entries()) times.set(id, (times.get(id) ?? 0) + Math.max(0, timeDeltas[at] ?? 0))
  const shares = new Map<string, Share>()
  const shareOf = (node: Node): Share => {
    const place = placeOf(node)
    const share = shares.get(place) ?? { place, own: 0, total: 0 }
    shares.set(place, share)
    return share
  }
  let busy = 0
  for (const [id, time] of times) {
    const node = byId.get(id)
    if (node === undefined || atRest.has(node.callFrame.functionName)) continue
    busy += time
    shareOf(node).own += time
    // A function that calls itself counts once.
    const seen = new Set<Share>()
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const share = shareOf(byId.get(at) as Node)
      if (!seen.has(share)) share.total += time
      seen.add(share)
    }
  }
  return [...shares.values()].map(({ place, own, total }) => ({ place, own: own / busy, total: total / busy }))
}

function placeOf({ callFrame: { functionName, url, lineNumber } }: Node): string {
  const file = url.replace(/^.*\/node_modules\//, '').replace(/^file:.*\/(src\/)/, '$1')
  return `${functionName || '(anonymous)'}${file === '' ? '' : ` ${file}:${lineNumber + 1}`}`
}

const [file, lines = '40'] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: node bench/profile.ts FILE.cpuprofile [LINES]')
const shares = sumUp(JSON.parse(readFileSync(file, 'utf8')) as Profile)
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
for (const by of ['own', 'total'] as const) {
  const first = shares.toSorted((a, b) => b[by] - a[by]).slice(0, Number(lines))
  const rows = first.map(({ place, own, total }) => [place, percent(own), percent(total)])
  process.stdout.write(`By ${by} time\n${table(['function', 'own', 'total'], rows)}\n\n`)
}
