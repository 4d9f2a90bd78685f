/** The HTML form of a mail. */
import { escapeHtml } from '../http/html.ts'
import { textOn } from '../protocol/contrast.ts'
import { tokens } from '../protocol/design-tokens.generated.ts'

/** The parts of a mail, in order. Their texts are plain and of one line each. */
export type MailBody = {
  readonly subject: string
  readonly lead: string
  readonly action: { readonly label: string; readonly url: string } | undefined
  readonly code: { readonly label: string; readonly code: string } | undefined
  readonly valid: string | undefined
  readonly rest: readonly string[]
  /** Labels and values. */
  readonly facts: readonly (readonly [string, string])[]
  readonly footer: string
}

export type MailLooks = {
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** `#rrggbb`; null: the default. */
  readonly accentColor: string | null
}

const { fixed, light } = tokens

/** Mail programs know no root size. */
const px = (token: keyof typeof fixed): string => `${Number.parseFloat(fixed[token]) * 16}px`

const line = `1px solid ${light.edge}`
const page = `margin:0;padding:${px('space-7')} ${px('space-5')};font:${px('size-base')}/1.5 ${fixed.sans}`
const column = 'max-width:32em;margin:0 auto'
const paragraph = `margin:0 0 ${px('space-5')}`
const codeBox = `display:inline-block;margin:0;padding:${px('space-3')} ${px('space-5')};border:${line};border-radius:${px('radius-m')};font:${px('size-2xl')}/1.5 ${fixed.mono};letter-spacing:${px('space-1')}`
const small = `margin:${px('space-7')} 0 0;padding-top:${px('space-5')};border-top:${line};font-size:${px('size-xs')}`

/** Escapes all text. Sets no colours but those of the button and of lines. */
export function htmlMail(body: MailBody, { language, direction, accentColor }: MailLooks): string {
  const { subject, lead, action, code, valid, rest, facts, footer } = body
  const parts = [
    text(lead),
    action && button(action, accentColor ?? light.accent),
    code &&
      `${text(code.label)}<p style="${paragraph}"><span dir="ltr" style='${codeBox}'>${escapeHtml(code.code)}</span></p>`,
    valid && text(valid),
    ...rest.map(text),
    facts.length > 0 && table(facts),
    `<p style="${small}">${escapeHtml(footer)}</p>`,
  ]
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>:root { color-scheme: light dark; }</style>
</head>
<body style='${page}'>
<div style="${column}">
${parts.filter((part) => typeof part === 'string').join('\n')}
</div>
</body>
</html>
`
}

const text = (line: string): string => `<p style="${paragraph}">${escapeHtml(line)}</p>`

function button({ label, url }: { readonly label: string; readonly url: string }, color: string): string {
  const look = `display:inline-block;padding:${px('space-3')} ${px('space-6')};border-radius:${px('radius-m')};background:${color};color:${textOn(color)};text-decoration:none;font-weight:600`
  return `<p style="${paragraph}"><a href="${escapeHtml(url)}" style="${look}">${escapeHtml(label)}</a></p>`
}

function table(rows: MailBody['facts']): string {
  const cells = rows.map(
    ([label, value]) =>
      `<tr><th scope="row" style="padding:2px 16px 2px 0;text-align:start;font-weight:600">${escapeHtml(label)}</th><td style="padding:2px 0"><bdi>${escapeHtml(value)}</bdi></td></tr>`,
  )
  return `<table style="margin:0 0 16px;border-collapse:collapse">${cells.join('')}</table>`
}
