import { useId } from 'preact/hooks'
import { type AccentMember, accentsOf, themesWith } from '../../src/protocol/branding/looks.ts'
import { contrast, isReadableAccent, nearestReadableAccent, type ThemeName } from '../../src/protocol/contrast.ts'
import { tokens } from '../../src/protocol/design-tokens.generated.ts'
import { Button } from '../kit/button.tsx'
import { described, Explained } from '../kit/field.tsx'
import { fill, fillNodes } from '../texts.ts'
import { colourOf, type Draft, drawnOf } from './branding-record.ts'
import { words } from './texts.ts'

type Props = {
  member: AccentMember
  label: string
  hint?: string | undefined
  draft: Draft
  set(changes: Partial<Draft>): void
  /** Whether it is only shown. */
  isFixed: boolean
}

/** Whether a colour that was typed is none, or cannot be told from a page. */
export function isColourFaulty(draft: Draft, member: AccentMember): boolean {
  const colour = colourOf(draft, member)
  return colour === undefined || (colour !== null && !isReadableAccent(colour, themesOf(draft, member)))
}

const themesOf = (draft: Draft, member: AccentMember) => themesWith(member, drawnOf(draft))

/** Rounded down, so that what fails never reads as what passes. */
function ratioWith(colour: string, theme: ThemeName): string {
  const ratio = Math.floor(contrast(colour, tokens[theme].page) * 10) / 10
  return new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1 }).format(ratio)
}

/** A colour, typed or picked, with its contrast in words. */
export function ColourField({ member, label, hint, draft, set, isFixed }: Props) {
  const id = useId()
  const text = words().branding
  const colour = colourOf(draft, member)
  const shown = accentsOf(drawnOf(draft))[member === 'accent_color' ? 'light' : 'dark']
  const change = (value: string) => set({ [member]: value })
  const fault =
    colour === undefined
      ? fillNodes(text.contrast.malformed, { example: <bdi dir="ltr">#0b57d0</bdi> })
      : colour !== null && isColourFaulty(draft, member)
        ? faultsOf(colour, themesOf(draft, member)).join(' ')
        : undefined
  return (
    <fieldset class="plain-set colour-field" disabled={isFixed}>
      <Explained id={id} label={label} fault={fault} hint={hint}>
        <div class="colour">
          <input
            type="color"
            aria-label={fill(text.pick, { label })}
            value={shown}
            onInput={(event) => change(event.currentTarget.value)}
          />
          <input
            id={id}
            name={member}
            type="text"
            dir="ltr"
            spellcheck={false}
            autocomplete="off"
            placeholder={shown}
            value={draft[member]}
            {...described(id, { fault, hint })}
            onInput={(event) => change(event.currentTarget.value)}
          />
        </div>
      </Explained>
      {colour && (
        <div class="contrast">
          <p class="hint" role="status">
            {!fault && enough(colour, themesOf(draft, member))}
          </p>
          {fault && <Offers colour={colour} member={member} themes={themesOf(draft, member)} set={set} />}
        </div>
      )}
    </fieldset>
  )
}

function enough(colour: string, themes: readonly ThemeName[]): string {
  const text = words().branding.contrast
  const [first = 'light'] = themes
  return themes.length > 1
    ? fill(text.both, { light: ratioWith(colour, 'light'), dark: ratioWith(colour, 'dark') })
    : fill(text.one, { ratio: ratioWith(colour, first) })
}

function faultsOf(colour: string, themes: readonly ThemeName[]): string[] {
  const text = words().branding.contrast
  return themes
    .filter((theme) => !isReadableAccent(colour, [theme]))
    .map((theme) => fill(theme === 'light' ? text.lowLight : text.lowDark, { ratio: ratioWith(colour, theme) }))
}

type OffersProps = { colour: string; member: AccentMember; themes: readonly ThemeName[]; set: Props['set'] }

/** The nearest colours that can be told from the pages. */
function Offers({ colour, member, themes, set }: OffersProps) {
  const text = words().branding.contrast
  const nearest = nearestReadableAccent(colour, themes)
  const [inLight, inDark] = [nearestReadableAccent(colour, ['light']), nearestReadableAccent(colour, ['dark'])]
  const shown = (one: string) => ({ colour: <bdi dir="ltr">{one}</bdi> })
  return (
    <div class="buttons">
      <Button onClick={() => set({ [member]: nearest })}>
        <span>{fillNodes(text.use, shown(nearest))}</span>
      </Button>
      {themes.length > 1 && (inLight === colour || inDark === colour) && (
        <Button onClick={() => set({ accent_color: inLight, accent_color_dark: inDark })}>
          <span>{fillNodes(text.useDark, shown(inDark))}</span>
        </Button>
      )}
    </div>
  )
}
