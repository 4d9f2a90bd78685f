/**
 * The mailbox of the demo: shows the mails that the service wrote to a folder (`Mail:Url` with `file:`), as mail programs
 * do, in a frame that runs nothing, and as text. Only links of the service can be followed.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'

/** A page, as HTML; undefined: there is no such mail. */
export type MailboxPage = string | undefined

const newest = 100

/** `path`: that of the request. `issuer`: whose links can be followed. */
export async function mailboxPage(folder: string, path: string, issuer: string): Promise<MailboxPage> {
  const names = await mailsIn(folder)
  if (path === '/mailbox') return listOf(await Promise.all(names.slice(0, newest).map((name) => read(folder, name))))
  // Only a name that was found in the folder is opened.
  const name = names.find((one) => [`/mailbox/${one}`, `/mailbox/${one}.html`].includes(path))
  if (name === undefined) return undefined
  const letter = await read(folder, name)
  return path.endsWith('.html') ? framed(letter, issuer) : letterOf(letter, issuer)
}

type Letter = {
  readonly name: string
  readonly subject: string
  readonly to: string
  readonly date: string
  readonly text: string
  /** Empty: the mail has none. Its own pictures are in it. */
  readonly html: string
}

/** The newest first. */
async function mailsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => [])
  return names.filter((name) => /^\w[\w-]*\.eml$/.test(name)).sort((a, b) => (a < b ? 1 : -1))
}

async function read(folder: string, name: string): Promise<Letter> {
  const { subject = '', to, date, text = '', html } = await simpleParser(await readFile(join(folder, name)))
  const recipients = to === undefined ? '' : Array.isArray(to) ? to.map((one) => one.text).join(', ') : to.text
  const time = date?.toISOString().slice(0, 19).replace('T', ' ') ?? ''
  return { name, subject, to: recipients, date: time, text, html: html || '' }
}

function listOf(letters: readonly Letter[]): string {
  const rows = letters.map(
    ({ name, subject, to, date }) =>
      `<li class="row"><a href="/mailbox/${name}">${escapeText(subject || name)}</a> <span class="quiet">to <bdi>${escapeText(to)}</bdi>, ${escapeText(date)}</span></li>`,
  )
  const list = rows.length === 0 ? '<p>Nothing has arrived yet.</p>' : `<ul class="items">${rows.join('\n')}</ul>`
  return htmlPage(
    'Mailbox',
    `<p class="quiet">What the service sent, to whomever. <a href="/mailbox">Look again</a> · <a href="/">Demo client</a></p>
<section class="panel">${list}</section>`,
  )
}

function letterOf(letter: Letter, issuer: string): string {
  const { name, subject, to, date, text } = letter
  const frame =
    framed(letter, issuer) === undefined
      ? ''
      : `<iframe class="letter" title="The mail" src="/mailbox/${name}.html" sandbox="allow-same-origin allow-top-navigation-by-user-activation"></iframe>
<script type="module" src="/mailbox.js"></script>`
  return htmlPage(
    subject,
    `<p class="quiet">To <bdi>${escapeText(to)}</bdi>, ${escapeText(date)} · <a href="/mailbox">Mailbox</a></p>
${frame}<section class="panel"><pre class="mail">${withLinks(text, issuer)}</pre></section>`,
  )
}

/** Returns the document of the mail for the frame; undefined: it has none, or leads elsewhere than to the issuer. */
function framed({ html }: Letter, issuer: string): string | undefined {
  if (!html.includes('<head>')) return undefined
  const addresses = [...html.matchAll(/\bhref\s*=\s*["']?([^"'\s>]*)/gi)].map(([, address = '']) =>
    address.replaceAll('&amp;', '&'),
  )
  const isOwn = (address: string): boolean =>
    URL.canParse(address) && new URL(address).origin === new URL(issuer).origin
  if (!addresses.every(isOwn) || /<(?:script|form|meta[^>]*http-equiv|base|link|iframe)/i.test(html)) return undefined
  return html.replace('<head>', '<head>\n<base target="_top">')
}

/** Escapes the text, and marks the links of the issuer and codes on a line of their own. */
function withLinks(text: string, issuer: string): string {
  return text
    .split('\n')
    .map((line) => {
      const word = line.trim()
      if (/^\d{6}$/.test(word)) return `<strong class="code">${word}</strong>`
      if (!URL.canParse(word) || new URL(word).origin !== new URL(issuer).origin) return escapeText(line)
      return `<a href="${escapeText(new URL(word).href)}">${escapeText(word)}</a>`
    })
    .join('\n')
}

function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escapeText(title)}</title>
    <link rel="icon" href="/icon" />
    <link rel="stylesheet" href="/kit/kit.css" />
    <link rel="stylesheet" href="/kit/area.css" />
    <link rel="stylesheet" href="/branding.css" />
    <link rel="stylesheet" href="/style.css" />
  </head>
  <body class="area">
    <header><h1>${escapeText(title)}</h1></header>
    <main>${body}</main>
  </body>
</html>
`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}
