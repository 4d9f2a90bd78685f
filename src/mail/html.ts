/** The HTML form of a mail. */
import { escapeHtml } from '../http/html.ts'
import { type BrandMembers, defaultName } from '../protocol/branding/brand.ts'
import { logoHeight } from '../protocol/branding/brand-image.ts'
import { allTokens, type Tokens } from '../protocol/branding/looks.ts'
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
  readonly brand: BrandMembers
  /** The logo, if it is among the mail's own pictures: the address of that, and its width at `logoHeight`. */
  readonly logo: MailPicture | undefined
  /** In its place in the dark theme, for programs that tell it. */
  readonly darkLogo?: MailPicture | undefined
}

type MailPicture = { readonly src: string; readonly width: number }

const { fixed } = tokens

/** Mail programs know no root size. */
const px = (token: keyof typeof fixed): string => pixels(fixed[token])
const pixels = (rem: string): string => `${Number.parseFloat(rem) * 16}px`

const column = 'max-width:32em;margin:0 auto'
const paragraph = `margin:0 0 ${px('space-5')}`

/**
 * Escapes all text. Programs that tell the dark theme get its colours by the style sheet; others that darken a mail find text and
 * background set together, and turn both.
 */
export function htmlMail(body: MailBody, looks: MailLooks): string {
  const { subject, lead, action, code, valid, rest, facts, footer } = body
  const { language, direction, brand } = looks
  const light = allTokens(brand, 'light')
  const page = `margin:0;padding:${px('space-7')} ${px('space-4')};background:${light.page};color:${light.text};font:${px('size-base')}/1.5 ${fixed.sans}`
  const card = `padding:${px('space-7')} ${px('space-7')} ${px('space-3')};border:1px solid ${light.line};border-radius:${pixels(light['radius-l'] ?? '')};background:${light.card}`
  const codeBox = `display:inline-block;margin:0;padding:${px('space-3')} ${px('space-5')};border:1px solid ${light.edge};border-radius:${pixels(light['radius-m'] ?? '')};font:${px('size-2xl')}/1.5 ${fixed.mono};letter-spacing:${px('space-1')}`
  const small = `margin:${px('space-5')} 0 0;color:${light.muted};font-size:${px('size-xs')}`
  const parts = [
    head(looks, light),
    text(lead),
    action && button(action, light),
    code &&
      `${text(code.label)}<p style="${paragraph}"><span class="edge" dir="ltr" style='${codeBox}'>${escapeHtml(code.code)}</span></p>`,
    valid && text(valid),
    ...rest.map(text),
    facts.length > 0 && table(facts),
  ]
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>:root { color-scheme: light dark; }
${darkSheet(allTokens(brand, 'dark'))}</style>
</head>
<body class="page" style='${page}'>
<div style="${column}">
<div class="card" style="${card}">
${parts.filter((part) => typeof part === 'string').join('\n')}
</div>
<p class="muted" style="${small}">${escapeHtml(footer)}</p>
</div>
</body>
</html>
`
}

/** Above what is set in elements, which is all that other programs know. */
function darkSheet(dark: Tokens): string {
  const rules = [
    `.page { background: ${dark.page} !important; color: ${dark.text} !important }`,
    `.card { background: ${dark.card} !important; border-color: ${dark.line} !important }`,
    `.muted { color: ${dark.muted} !important }`,
    `.edge { border-color: ${dark.edge} !important }`,
    '.logo-light { display: none !important }',
    '.logo-dark { display: block !important }',
    `.accent { background: ${dark.accent} !important; color: ${dark['on-accent']} !important }`,
  ]
  return `@media (prefers-color-scheme: dark) { ${rules.join(' ')} }`
}

/**
 * The logo, on the paper that most are drawn for, or the initial of the service; and its name, unless the logo has it. Of two logos
 * the style sheet shows one; programs that read none show the light one.
 */
function head({ brand, logo, darkLogo }: MailLooks, light: Tokens): string {
  const name = brand.name ?? defaultName
  const cell = 'padding:0;vertical-align:middle'
  const isAlone = logo !== undefined && brand.show_name === false
  const alt = isAlone ? name : ''
  const [initial = ''] = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment.toUpperCase())
  const plate = `width:32px;height:32px;border-radius:9px;background:${light.accent};color:${light['on-accent']};font-size:${px('size-l')};line-height:32px;font-weight:600;text-align:center`
  const mark =
    logo === undefined
      ? `<div class="accent" aria-hidden="true" style="${plate}">${escapeHtml(initial)}</div>`
      : picture(logo, `display:block;padding:2px;border-radius:${px('radius-s')};background:${fixed.paper}`, {
          class: darkLogo && 'logo-light',
          alt,
        }) + (darkLogo ? picture(darkLogo, 'display:none;mso-hide:all', { class: 'logo-dark', alt }) : '')
  return `<table role="presentation" style="margin:0 0 ${px('space-6')};border-collapse:collapse"><tr><td style="${cell}">${mark}</td>${isAlone ? '' : `<td style="${cell};padding-inline-start:${px('space-4')};font-size:${px('size-l')};font-weight:600">${escapeHtml(name)}</td>`}</tr></table>`
}

type Shown = { readonly class: string | undefined; readonly alt: string }

function picture({ src, width }: MailPicture, style: string, { class: name, alt }: Shown): string {
  const named = name === undefined ? '' : ` class="${name}"`
  return `<img${named} src="${escapeHtml(src)}" width="${width}" height="${logoHeight}" alt="${escapeHtml(alt)}" style="${style}">`
}

const text = (line: string): string => `<p style="${paragraph}">${escapeHtml(line)}</p>`

function button({ label, url }: { readonly label: string; readonly url: string }, light: Tokens): string {
  const radius = pixels(light['radius-m'] ?? '')
  const look = `display:inline-block;padding:${px('space-3')} ${px('space-6')};border-radius:${radius};background:${light.accent};color:${light['on-accent']};text-decoration:none;font-weight:600`
  return `<p style="${paragraph}"><a class="accent" href="${escapeHtml(url)}" style="${look}">${escapeHtml(label)}</a></p>`
}

function table(rows: MailBody['facts']): string {
  const cells = rows.map(
    ([label, value]) =>
      `<tr><th scope="row" style="padding:2px 16px 2px 0;text-align:start;font-weight:600">${escapeHtml(label)}</th><td style="padding:2px 0"><bdi>${escapeHtml(value)}</bdi></td></tr>`,
  )
  return `<table style="margin:0 0 16px;border-collapse:collapse">${cells.join('')}</table>`
}
