import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import loaders from '#setting-meanings'
import { Section } from '../kit/area.tsx'
import { Select } from '../kit/field.tsx'
import { Facts, List } from '../kit/list.tsx'
import { fillNodes } from '../texts.ts'
import { type Call, get } from './api.ts'
import { Field } from './change.tsx'
import { Copyable } from './command.tsx'
import { Frame } from './frame.tsx'
import { Part, useLoaded } from './loaded.tsx'
import { InEnglish } from './problem.tsx'
import { setQuery, usePlace } from './router.tsx'
import { environmentLine, fileText, measured, type Setting } from './setting-values.ts'
import { words } from './texts.ts'

const sources = ['default', 'file', 'environment'] as const

export const firstCalls = (): readonly Call[] => [get('/settings')]

/** `/admin/settings?search=…&source=…`. */
export default function SettingsPage() {
  const loaded = useLoaded<{ issuer: string; items: Setting[] }>('/settings')
  const { query } = usePlace()
  const search = query.get('search') ?? ''
  const source = query.get('source') ?? ''
  const text = words().settings
  const translations = useTranslations()
  const busy = (loaded.value === null && loaded.failed === null) || translations === null
  return (
    <Frame page="settings" title={words().pages.settings} lead={text.lead} busy={busy}>
      <search class="filters">
        <Field
          label={text.search}
          name="search"
          type="search"
          value={search}
          onInput={(value) => setQuery({ search: value })}
        />
        <Select
          label={text.source}
          value={source}
          options={[['', text.anySource], ...sources.map((one) => [one, text.sources[one]] as const)]}
          onChange={(value) => setQuery({ source: value })}
        />
      </search>
      <Part loaded={loaded}>
        {({ issuer, items }) => (
          <>
            {search === '' && source === '' && <Issuer issuer={issuer} />}
            {translations && (
              <Settings
                settings={items.filter((one) => isMeant(one, translations, search, source))}
                translations={translations}
              />
            )}
          </>
        )}
      </Part>
    </Frame>
  )
}

/** What settings mean in the language of the page, by English text. */
type Translations = Readonly<Record<string, string>>

/** Returns null until they are there. A language that has none, and a file that does not come, leave the English texts. */
function useTranslations(): Translations | null {
  const load = loaders[document.documentElement.lang]
  const [translations, setTranslations] = useState<Translations | null>(load ? null : {})
  useEffect(() => {
    load?.().then(
      (file) => setTranslations(file.default),
      () => setTranslations({}),
    )
  }, [load])
  return translations
}

/** Whether each word that is sought is in the name, the value or the meaning, in English or in the language of the page. */
function isMeant(setting: Setting, translations: Translations, search: string, source: string): boolean {
  const { name, value, meaning } = setting
  const whole = `${name} ${JSON.stringify(value)} ${meaning} ${translations[meaning] ?? ''}`.toLowerCase()
  const isFound = search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word))
  return isFound && (source === '' || setting.source === source)
}

/** What applications, providers and people are told, as it follows from the issuer. */
function Issuer({ issuer }: { issuer: string }) {
  const text = words().settings.issuer
  const { origin } = new URL(issuer)
  const addresses = [
    [text.issuer, issuer],
    [text.discovery, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`],
    [text.account, `${origin}/account`],
    [text.callback, `${origin}/callback/login/<Name>`],
  ] as const
  return (
    <Section id="issuer" title={text.title}>
      <p class="quiet">{text.lead}</p>
      <Facts
        facts={addresses.map(([label, address]) => [
          label,
          <code key={label} dir="ltr">
            {address}
          </code>,
        ])}
      />
    </Section>
  )
}

type GroupName = keyof ReturnType<typeof words>['settings']['groups']

function Settings({ settings, translations }: { settings: readonly Setting[]; translations: Translations }) {
  const text = words().settings
  if (settings.length === 0) return <p class="quiet">{text.empty}</p>
  const own = settings.filter(({ source }) => source !== 'default')
  const groups = Map.groupBy(
    settings.filter(({ source }) => source === 'default'),
    ({ name }) => name.split(':', 1)[0] as GroupName,
  )
  return (
    <>
      {own.length > 0 && (
        <Section id="own" title={text.own}>
          <List items={own}>{(one) => <Row key={one.name} setting={one} translations={translations} />}</List>
        </Section>
      )}
      {[...groups].map(([name, of]) => (
        <Section key={name} id={`group-${name}`} title={text.groups[name]}>
          <List items={of}>{(one) => <Row key={one.name} setting={one} translations={translations} />}</List>
        </Section>
      ))}
    </>
  )
}

function Row({ setting, translations }: { setting: Setting; translations: Translations }) {
  const { name, source, meaning, type } = setting
  const text = words().settings
  return (
    <li class="row setting">
      <strong>
        <bdi dir="ltr">{breakable(name)}</bdi>
      </strong>
      <span>
        {shown(setting)} {source !== 'default' && <span class="tag">{text.sources[source]}</span>}
      </span>
      <div class="says">
        <Said text={meaning} translations={translations} />
        <HowToSet setting={setting} />
      </div>
      <span class="quiet kind">
        <Said text={type} translations={translations} />
      </span>
    </li>
  )
}

/** A text of the table of settings in the language of the page, or else in English. */
function Said({ text, translations }: { text: string; translations: Translations }) {
  const translation = translations[text]
  return translation === undefined ? <InEnglish>{marked(text)}</InEnglish> : <bdi>{marked(translation)}</bdi>
}

/** The lines are made when they are asked for: there are many settings. */
function HowToSet({ setting }: { setting: Setting }) {
  const [isOpen, setOpen] = useState(false)
  const text = words().settings
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{text.howToSet}</summary>
      {isOpen && (
        <>
          <p class="quiet">{setting.needs_restart ? text.restart : text.reload}</p>
          <Copyable text={environmentLine(setting)} />
          <Copyable text={fileText(setting)} />
        </>
      )}
    </details>
  )
}

/** A long name is broken after a colon. */
function breakable(name: string): ComponentChildren {
  return name
    .split(/(?<=:)|(?<=[a-z])(?=[A-Z])/)
    .flatMap((part, index) => (index > 0 ? [<wbr key={index} />, part] : [part]))
}

/** Text with code in it; of a link to a document the words alone. */
function marked(markdown: string): ComponentChildren {
  const plain = markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
  return plain.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={index} dir="ltr">
        {part}
      </code>
    ),
  )
}

function shown(setting: Setting): ComponentChildren {
  const { value, secret, source } = setting
  const text = words().settings
  if (secret) return <span class="quiet">{source === 'default' ? text.notSet : text.hidden}</span>
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return <span class="quiet">{text.notSet}</span>
  const inWords = measured(setting)
  const written = <code dir="ltr">{typeof value === 'string' ? value : JSON.stringify(value)}</code>
  return inWords === undefined ? written : fillNodes(text.measured, { value: written, words: inWords })
}
