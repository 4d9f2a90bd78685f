import { useRef } from 'preact/hooks'
import type { BrandMember } from '../../src/protocol/branding/brand.ts'
import { Check } from '../kit/labelled.tsx'
import type { Result } from './api.ts'
import { LogoField, mailPictureOf } from './branding-logo.tsx'
import type { Draft } from './branding-record.ts'
import { words } from './texts.ts'

type Props = {
  draft: Draft
  set(changes: Partial<Draft>): void
  result: Result<unknown> | null
  /** The hint of a member, and whether a setting fixes it. */
  about(member: BrandMember, hint?: string): { hint: string | undefined; isFixed: boolean }
}

/** The logos of pages and mails, and whether the name stands beside them. */
export function Logos({ draft, set, result, about }: Props) {
  const text = words().branding
  const field = (member: 'logo' | 'logo_dark' | 'logo_mail' | 'logo_mail_dark', label: string, hint: string) => (
    <LogoField
      member={member}
      label={label}
      value={draft[member]}
      set={(value) => void choose(member, value)}
      result={result}
      {...about(member, hint)}
      hint={about(member, hint).hint ?? ''}
    />
  )

  const latest = useRef(draft)
  latest.current = draft
  /** The pictures for pages that there were, the one of now last. */
  const chosen = useRef({ logo: [draft.logo], logo_dark: [draft.logo_dark] })
  /** A picture for pages is made one for mails, too, which show nothing but PNG. One that was chosen for mails stays. */
  async function choose(member: 'logo' | 'logo_dark' | 'logo_mail' | 'logo_mail_dark', value: string | null) {
    set({ [member]: value })
    if (member === 'logo_mail' || member === 'logo_mail_dark') return
    const mailed = member === 'logo' ? 'logo_mail' : 'logo_mail_dark'
    if (about(mailed).isFixed) return
    const before = chosen.current[member]
    const all = [...before, value]
    chosen.current[member] = all
    const [made, ...derived] = await Promise.all([value, ...before].map(mailPictureOf))
    const shown = latest.current[mailed]
    // Another picture was chosen meanwhile.
    if (chosen.current[member] !== all) return
    if (shown === null || derived.includes(shown)) set({ [mailed]: made ?? null })
  }

  const { hint, isFixed } = about('show_name')
  return (
    <>
      {field('logo', text.logo, text.logoHint)}
      {field('logo_dark', text.logoDark, text.logoDarkHint)}
      {(draft.logo ?? draft.logo_dark) !== null && (
        <fieldset class="plain-set" disabled={isFixed}>
          <Check
            name="show_name"
            checked={draft.show_name !== false}
            onChange={(checked) => set({ show_name: checked ? null : false })}
          >
            {text.showName}
          </Check>
          {hint && <p class="hint">{hint}</p>}
        </fieldset>
      )}
      {field('logo_mail', text.logoMail, text.logoMailHint)}
      {(draft.logo_mail ?? draft.logo_mail_dark ?? draft.logo_dark) !== null &&
        field('logo_mail_dark', text.logoMailDark, text.logoDarkHint)}
    </>
  )
}
