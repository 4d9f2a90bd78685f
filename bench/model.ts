/** What a site of so many people needs. See README.md, and `npm run model -- --help`. */
import { bottlenecks, regionsFor, type Site, sizeOf } from './model/bottlenecks.ts'
import { headroom } from './model/headroom.ts'
import { type Inputs, readInputs, WrongInputs } from './model/inputs.ts'
import { type Chosen, readModelOptions, Usage, usage } from './model/options.ts'
import { compareAll } from './model/prediction.ts'
import { amount, bottlenecksText, checkText, headroomText, needsText, regionsText } from './model/text.ts'

function main(parameters: readonly string[]): void {
  const options = readModelOptions(parameters)
  if (options.help) {
    process.stdout.write(`${usage}\n`)
    return
  }
  const inputs = readInputs(options.inputs)
  process.stdout.write(options.json ? `${JSON.stringify(results(inputs, options), null, 2)}\n` : text(inputs, options))
}

function results(inputs: Inputs, { users, site, check, headroom: waits }: Chosen) {
  const sites = users.map((one) => ({ ...site, users: one }))
  return {
    sites: sites.map((one) => ({ users: one.users, ...sizeOf(inputs, one), region: regionsFor(inputs, one) })),
    bottlenecks: bottlenecks(inputs, site).map(({ part, ...found }) => ({ name: part.name, ...found })),
    ...(waits && { headroom: headroom(inputs, site) }),
    ...(check && { check: compareAll({ inputs, points: inputs.points }) }),
  }
}

/** What people choose who would have many regions otherwise. */
const variants: ReadonlyArray<{ readonly name: string; readonly to: (site: Site) => Site }> = [
  { name: 'as assumed', to: (site) => site },
  {
    name: 'audit trail for 30 days, older elsewhere',
    to: (site) => ({ ...site, auditDays: Math.min(30, site.auditDays) }),
  },
]

function text(inputs: Inputs, { users, site, check, headroom: waits }: Chosen): string {
  const sites = users.map((one) => ({ ...site, users: one }))
  const columns = sites.map((one) => ({ title: amount(one.users), site: one, sized: sizeOf(inputs, one) }))
  const split = sites.flatMap((one) =>
    variants.map(({ name, to }) => ({ name, site: to(one), ...regionsFor(inputs, to(one)) })),
  )
  const largest = split.at(-1)
  const parts = [
    `Costs were measured on ${inputs.machine}.`,
    needsText(columns),
    bottlenecksText(bottlenecks(inputs, site)),
    regionsText(split),
  ]
  if (largest !== undefined && largest.regions > 1) {
    const { regions, people, sized, name } = largest
    const column = { title: `${amount(people)} people`, site: { ...largest.site, users: people }, sized }
    parts.push(`One of ${amount(regions)} regions, ${name}\n\n${needsText([column])}`)
  }
  if (waits) parts.push(headroomText(headroom(inputs, site)))
  if (check) parts.push(checkText(compareAll({ inputs, points: inputs.points })))
  return `${parts.join('\n\n')}\n`
}

if (import.meta.main) {
  try {
    main(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof Usage || error instanceof WrongInputs)) throw error
    process.stderr.write(error instanceof Usage ? `${error.message}\n\n${usage}\n` : `model: ${error.message}\n`)
    process.exitCode = error instanceof Usage ? 2 : 1
  }
}
