/** The brand as the API has it, and as it is typed. */
import type { BrandMembers } from '../../src/protocol/branding/brand.ts'
import type { AccentMember } from '../../src/protocol/branding/looks.ts'

export type Branding = BrandMembers & { fixed: { member: keyof BrandMembers; setting: string }[] }

const textMembers = [
  'name',
  'accent_color',
  'accent_color_dark',
  'support_url',
  'terms_url',
  'privacy_url',
  'imprint_url',
] as const

export type TextMember = (typeof textMembers)[number]

/** Texts are as they are typed. */
export type Draft = Omit<BrandMembers, TextMember> & Record<TextMember, string>

export function draftOf({ fixed: _, ...members }: Branding): Draft {
  return { ...members, ...Object.fromEntries(textMembers.map((member) => [member, members[member] ?? ''])) } as Draft
}

/** Returns the members as the API takes them. */
export function membersOf(draft: Draft): BrandMembers {
  const typed = Object.fromEntries(textMembers.map((member) => [member, draft[member].trim() || null]))
  return { ...draft, ...typed } as BrandMembers
}

const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

/** Returns the colour that is typed; null: none; undefined: it is none. */
export function colourOf(draft: Draft, member: AccentMember): string | null | undefined {
  const text = draft[member].trim()
  if (text === '') return null
  return isColour(text) ? text.toLowerCase() : undefined
}

/** Returns what can be drawn of the draft: what is no colour yet is left out. */
export function drawnOf(draft: Draft): BrandMembers {
  const accent_color = colourOf(draft, 'accent_color') ?? null
  return { ...membersOf(draft), accent_color, accent_color_dark: colourOf(draft, 'accent_color_dark') ?? null }
}
