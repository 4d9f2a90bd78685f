/** Rules about changes of a brand. */
import { type Judged, judge, lineFault, memberProblem, type Problem, problem } from '../../problem.ts'
import { contrast, isReadableAccent, nearestReadableAccent, type ThemeName } from '../contrast.ts'
import { tokens } from '../design-tokens.generated.ts'
import { isLoopbackHost } from '../loopback.ts'
import {
  type Background,
  type BrandMember,
  type BrandMembers,
  backgrounds,
  type FixedMembers,
  nameAtMost,
  noBrand,
  radiusAtMost,
} from './brand.ts'
import { imageOfUrl, isForMail, notForMail, urlOfImage } from './brand-image.ts'
import { type AccentMember, accentMembers, themesWith } from './looks.ts'

/** A value that is stored, or the end of a sentence about why it is not. */
type Read = { readonly value: string | number | boolean | Background } | { readonly fault: string }

/**
 * Returns the brand with the changes, in which null takes a member back to its default. A member that a setting fixes can
 * be sent as it is in force, and is not stored. `inForce`: what the API shows.
 */
export function changeBrand(
  stored: BrandMembers,
  changes: Readonly<Record<string, unknown>>,
  fixed: FixedMembers = new Map(),
  inForce: BrandMembers = stored,
): Judged<BrandMembers> {
  const problems: Problem[] = []
  const next: Record<string, unknown> = { ...stored }
  for (const [member, given] of Object.entries(changes)) {
    const unknown = memberProblem(member, Object.keys(noBrand), new Map(), 'the brand')
    if (unknown !== undefined) {
      problems.push(unknown)
      continue
    }
    const name = member as BrandMember
    const setting = fixed.get(name)
    if (setting !== undefined) {
      if (given !== inForce[name])
        problems.push(problem(member, member, `is set by ${setting}, and cannot be changed here`))
      continue
    }
    const read: Read | null = given === null ? null : readers[name](given)
    if (read !== null && 'fault' in read) problems.push(problem(member, member, read.fault))
    else next[member] = read === null ? null : read.value
  }
  const brand = next as BrandMembers
  const isColourFaulty = problems.some(({ member }) => member.startsWith('accent_color'))
  const seen = { ...brand, ...Object.fromEntries([...fixed.keys()].map((member) => [member, inForce[member]])) }
  return judge(brand, isColourFaulty ? problems : [...problems, ...accentProblems(seen, fixed)])
}

function accentProblems(accents: Pick<BrandMembers, AccentMember>, fixed: FixedMembers): Problem[] {
  return accentMembers.flatMap((member) => {
    const colour = accents[member]
    const themes = themesWith(member, accents)
    if (colour === null || fixed.has(member) || isReadableAccent(colour, themes)) return []
    return [problem(member, member, accentFault(colour, themes))]
  })
}

/** Returns what is wrong with the colour, with the nearest ones, as the end of a sentence. */
export function accentFault(colour: string, themes: readonly ThemeName[]): string {
  const told = themes
    .filter((theme) => !isReadableAccent(colour, [theme]))
    .map((theme) => `${rounded(contrast(colour, tokens[theme].page))}:1 with the ${theme} page`)
  const nearest = nearestReadableAccent(colour, themes)
  const each = (['light', 'dark'] as const).map((theme) => nearestReadableAccent(colour, [theme]))
  const besides = themes.length > 1 ? `, or ${each[0]} in light and ${each[1]} in dark` : ''
  return `has a contrast of ${told.join(' and ')}, where 3:1 is needed; the nearest one is ${nearest}${besides}`
}

/** Down, so that what fails never reads as what passes. */
const rounded = (ratio: number): string => (Math.floor(ratio * 10) / 10).toFixed(1)

const colour = (given: unknown): Read =>
  typeof given === 'string' && /^#[0-9a-f]{6}$/i.test(given)
    ? { value: given.toLowerCase() }
    : { fault: 'must be a colour of six hexadecimal digits such as #0b57d0' }

const link = (given: unknown): Read => {
  const fault = { fault: 'must be an https URL without user name and password' }
  if (typeof given !== 'string' || given.length > 2000 || !URL.canParse(given)) return fault
  const { protocol, hostname, username, password, href } = new URL(given)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))
  return isSafe && username === '' && password === '' ? { value: href } : fault
}

const logo = (given: unknown): Read => {
  const image = typeof given === 'string' ? imageOfUrl(given) : 'must be a data: URL with Base64'
  return typeof image === 'string' ? { fault: image } : { value: urlOfImage(image) }
}

const mailLogo = (given: unknown): Read => {
  const image = typeof given === 'string' ? imageOfUrl(given) : 'must be a data: URL with Base64'
  if (typeof image === 'string') return { fault: image }
  return isForMail(image) ? { value: urlOfImage(image) } : { fault: notForMail }
}

const readers: Readonly<Record<BrandMember, (given: unknown) => Read>> = {
  name(given) {
    if (typeof given !== 'string') return { fault: 'must be text' }
    const fault = lineFault(given, nameAtMost)
    return fault === undefined ? { value: given } : { fault }
  },
  accent_color: colour,
  accent_color_dark: colour,
  corner_radius(given) {
    return Number.isInteger(given) && Number(given) >= 0 && Number(given) <= radiusAtMost
      ? { value: Number(given) }
      : { fault: `must be a whole number from 0 to ${radiusAtMost}` }
  },
  background(given) {
    const known = backgrounds.find((one) => one === given)
    return known === undefined ? { fault: `must be ${backgrounds.join(', ')}` } : { value: known }
  },
  logo,
  logo_dark: logo,
  logo_mail: mailLogo,
  logo_mail_dark: mailLogo,
  show_name: (given) => (typeof given === 'boolean' ? { value: given } : { fault: 'must be true or false' }),
  support_url: link,
  terms_url: link,
  privacy_url: link,
  imprint_url: link,
}
