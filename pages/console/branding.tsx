import { useId } from 'preact/hooks'
import {
  backgrounds,
  defaultName,
  defaultRadius,
  isLogoAlone,
  pictureMembers,
  radiusAtMost,
} from '../../src/protocol/branding/brand.ts'
import { accentMembers, allTokens, initialOf } from '../../src/protocol/branding/looks.ts'
import { Section } from '../kit/area.tsx'
import { Explained, Select } from '../kit/field.tsx'
import { toast } from '../kit/toast.tsx'
import { site } from '../site.ts'
import { fill, fillNodes, texts } from '../texts.ts'
import { type Call, call, get } from './api.ts'
import './branding.css'
import { ColourField, isColourFaulty } from './branding-colour.tsx'
import { logoWidthOf } from './branding-logo.tsx'
import { Logos } from './branding-logos.tsx'
import { Preview } from './branding-preview.tsx'
import { type Branding, type Draft, draftOf, drawnOf, membersOf, type TextMember } from './branding-record.ts'
import { Field, useChange } from './change.tsx'
import { useDraft } from './draft.ts'
import { Frame } from './frame.tsx'
import { Leaving } from './leaving.tsx'
import { Part, useLoaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { at } from './router.tsx'
import { SaveForm } from './save-form.tsx'
import { words } from './texts.ts'

export const firstCalls = (): readonly Call[] => [get('/branding')]

/** `/admin/branding`. */
export default function BrandingPage() {
  const loaded = useLoaded<Branding>('/branding')
  const text = words().branding
  const saved = async (branding: Branding, etag: string | null) => {
    await wear(branding)
    loaded.set(branding, etag)
    toast(text.saved)
  }
  return (
    <Frame
      page="branding"
      title={words().pages.branding}
      lead={text.lead}
      busy={loaded.value === null && loaded.failed === null}
    >
      <Part loaded={loaded}>{(branding) => <Edit branding={branding} etag={loaded.etag} saved={saved} />}</Part>
    </Frame>
  )
}

/** Puts the console itself into the looks, as the next page that is loaded will be. */
async function wear(brand: Branding): Promise<void> {
  const rule = (theme: 'light' | 'dark') =>
    `:root{${Object.entries(allTokens(brand, theme))
      .map(([token, value]) => `--${token}:${value}`)
      .join(';')}}`
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`${rule('light')}@media(prefers-color-scheme:dark){${rule('dark')}}`)
  document.adoptedStyleSheets = [sheet]
  site.name = brand.name ?? defaultName
  const initial = initialOf(brand)
  if (initial === undefined) delete site.initial
  else site.initial = initial
  const { logo, logo_dark: ofDark } = brand
  const src = logo ?? ofDark
  if (src === null) delete site.logo
  else
    site.logo = {
      src,
      width: await logoWidthOf(src),
      ...(logo && ofDark && { dark: ofDark }),
      ...(isLogoAlone(brand) && { alone: true }),
    }
}

const shown = [
  'name',
  'accent_color',
  'accent_color_dark',
  'corner_radius',
  'background',
  'show_name',
  ...pictureMembers,
]
const links = ['support_url', 'terms_url', 'privacy_url', 'imprint_url'] as const

type EditProps = {
  branding: Branding
  etag: string | null
  saved(branding: Branding, etag: string | null): Promise<void>
}

function Edit({ branding, etag, saved }: EditProps) {
  const [draft, setDraft, sent] = useDraft(draftOf(branding))
  const me = useMe()
  const change = useChange()
  const text = words().branding
  const isReadOnly = !me.may('admin:write')
  const set = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }))
  const settingOf = (member: string) => branding.fixed.find((one) => one.member === member)?.setting
  const hintOf = (member: string, hint?: string) => {
    const setting = settingOf(member)
    return setting === undefined ? hint : fill(text.fixed, { setting })
  }
  const about = (member: string, hint?: string) => ({
    hint: hintOf(member, hint),
    isFixed: settingOf(member) !== undefined,
  })
  const colour = (member: (typeof accentMembers)[number], label: string, hint?: string) => (
    <ColourField member={member} label={label} draft={draft} set={set} {...about(member, hint)} />
  )
  const box = (member: TextMember, label: string, hint?: string, type?: 'url') => (
    <fieldset class="plain-set" disabled={settingOf(member) !== undefined}>
      <Field
        label={label}
        name={member}
        hint={hintOf(member, hint)}
        value={draft[member]}
        result={change.failed}
        {...(type && { type })}
        onInput={(value) => set({ [member]: value })}
      />
    </fieldset>
  )
  function save(): unknown {
    const faulty = accentMembers.find((member) => settingOf(member) === undefined && isColourFaulty(draft, member))
    if (faulty !== undefined) return document.querySelector<HTMLElement>(`input[name="${faulty}"]`)?.focus()
    const before = membersOf(draftOf(branding))
    const changed = Object.entries(membersOf(draft)).filter(
      ([name, value]) => value !== before[name as keyof typeof before],
    )
    const body = Object.fromEntries(changed)
    return change.run(
      () => call<Branding>({ method: 'PATCH', path: '/branding', body, etag }),
      async (value, version) => {
        sent(draft)
        await saved(value, version)
      },
    )
  }

  const linkLabels = [texts.support, texts.terms, texts.privacy, texts.imprint]
  return (
    <div class="branding">
      <Leaving
        isChanged={JSON.stringify(membersOf(draft)) !== JSON.stringify(membersOf(draftOf(branding)))}
        within={at('branding')}
        discard={() => setDraft(draftOf(branding))}
      />
      <SaveForm change={change} shown={[...shown, ...links]} save={save} isReadOnly={isReadOnly} within={null}>
        <Section id="identity" title={text.identity}>
          <div class="plain-set">
            {box('name', text.name, text.nameHint)}
            <Logos draft={draft} set={set} result={change.failed} about={about} />
          </div>
        </Section>
        <Section id="colours" title={text.colours}>
          <div class="plain-set">
            {colour('accent_color', text.accent)}
            {colour('accent_color_dark', text.accentDark, text.accentDarkHint)}
            <Radius {...about('corner_radius')} value={draft.corner_radius} set={set} />
            <fieldset class="plain-set" disabled={settingOf('background') !== undefined}>
              <Select
                label={text.background}
                value={draft.background ?? 'glow'}
                hint={hintOf('background')}
                options={backgrounds.map((one) => [one, text.backgrounds[one]] as const)}
                onChange={(value) => set({ background: value as Draft['background'] })}
              />
            </fieldset>
          </div>
        </Section>
        <Section id="links" title={text.links}>
          <div class="plain-set">
            <p class="quiet">{text.linksHint}</p>
            {links.map((member, index) => box(member, linkLabels[index] ?? member, undefined, 'url'))}
          </div>
        </Section>
      </SaveForm>
      <Preview brand={drawnOf(draft)} />
    </div>
  )
}

type RadiusProps = {
  value: number | null
  hint?: string | undefined
  isFixed: boolean
  set(changes: Pick<Draft, 'corner_radius'>): void
}

function Radius({ value, hint, isFixed, set }: RadiusProps) {
  const id = useId()
  const text = words().branding
  const pixels = value ?? defaultRadius
  return (
    <fieldset class="plain-set" disabled={isFixed}>
      <Explained id={id} label={text.radius} hint={hint}>
        <div class="radius">
          <input
            id={id}
            name="corner_radius"
            type="range"
            min={0}
            max={radiusAtMost}
            value={pixels}
            aria-valuetext={fill(text.pixels, { count: pixels })}
            onInput={(event) => set({ corner_radius: event.currentTarget.valueAsNumber })}
          />
          <span aria-hidden="true">{fillNodes(text.pixels, { count: pixels })}</span>
        </div>
      </Explained>
    </fieldset>
  )
}
