import { useEffect, useRef } from 'preact/hooks'
import { Icon } from './kit/icon.tsx'
import { parameter } from './query.ts'
import { site } from './site.ts'
import { recall, remember } from './tab-memory.ts'
import { fillNodes, texts } from './texts.ts'
import { rememberTyped } from './typed.ts'

/** What stands below every page: where one is, whom to ask, and the language unless the page itself has a choice of it. */
export function Footer({ chooser = true }: { chooser?: boolean }) {
  const links: [string | undefined, string][] = [
    [site.support, texts.support],
    [site.terms, texts.terms],
    [site.privacy, texts.privacy],
    [site.imprint, texts.imprint],
  ]
  return (
    <footer>
      <span class="host">
        <Icon path="M5 7V5a3 3 0 0 1 6 0v2M4 7h8v6H4z" />
        <span>{fillNodes(texts.footer, { host: <bdi>{location.host}</bdi> })}</span>
      </span>
      {links.map(
        ([address, label]) =>
          address && (
            <a key={label} href={address} target="_blank" rel="noreferrer">
              {label}
            </a>
          ),
      )}
      {chooser && site.languages.length > 1 && <LanguageChooser />}
    </footer>
  )
}

/** Loads the page again in another language, with what was typed but passwords. */
function LanguageChooser() {
  const select = useRef<HTMLSelectElement>(null)

  useEffect(() => {
    // The focus is where it was before the page was loaded for a choice made here.
    if (recall('language')) setTimeout(() => select.current?.focus())
    remember('language', '')
  }, [])

  return (
    <label class="language">
      <Icon path="M8 1.75a6.25 6.25 0 1 0 0 12.5 6.25 6.25 0 0 0 0-12.5ZM1.75 8h12.5M8 1.75c-5 5-2.5 10.5 0 12.5 2.5-2 5-7.5 0-12.5" />
      <span class="hidden">{texts.language}</span>
      <select ref={select} onChange={(event) => choose(event.currentTarget.value)}>
        {site.languages.map((tag) => (
          <option key={tag} value={tag} lang={tag} selected={tag === document.documentElement.lang}>
            {nameOf(tag)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The language's name in itself. */
function nameOf(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

function choose(tag: string): void {
  writeCookie('language', tag, 31_536_000)
  // The application asked for others: the choice counts for its requests until the browser closes.
  writeCookie('language-despite', encodeURIComponent(askedLocales()))
  const typed: Record<string, string> = {}
  for (const input of document.querySelectorAll('input')) {
    if (input.name && /^(text|email)$/.test(input.type)) typed[input.name.toLowerCase()] = input.value
  }
  rememberTyped(typed)
  remember('language', tag)
  location.reload()
}

/** `ui_locales` of this page, or of the authorization request that it leads on to. */
function askedLocales(): string {
  const own = new URLSearchParams(location.search).get('ui_locales')
  const behind = parameter('ReturnUrl')?.split('?')[1]?.split('#')[0]
  return own ?? new URLSearchParams(behind).get('ui_locales') ?? ''
}

function writeCookie(name: string, value: string, seconds?: number): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  const age = seconds ? `; max-age=${seconds}` : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser, and the server reads it.
  document.cookie = `latchkey.${name}=${value}; path=/; samesite=lax${age}${secure}`
}
