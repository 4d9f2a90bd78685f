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
      set={(value) => choose(member, value)}
      result={result}
      {...about(member, hint)}
      hint={about(member, hint).hint ?? ''}
    />
  )

  const chosen = useRef<Partial<Record<'logo_mail' | 'logo_mail_dark', string | null>>>({})
  /** A picture for pages is made one for mails, too, which show nothing but PNG. */
  function choose(member: 'logo' | 'logo_dark' | 'logo_mail' | 'logo_mail_dark', value: string | null): void {
    set({ [member]: value })
    const mailed = member === 'logo' ? 'logo_mail' : member === 'logo_dark' ? 'logo_mail_dark' : undefined
    if (mailed === undefined || about(mailed).isFixed) return
    chosen.current[mailed] = value
    void mailPictureOf(value).then((made) => {
      // Another picture was chosen meanwhile.
      if (chosen.current[mailed] === value) set({ [mailed]: made })
    })
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
