import type { ComponentChildren } from 'preact'
import { Section } from '../kit/area.tsx'
import { Select } from '../kit/field.tsx'
import { List } from '../kit/list.tsx'
import { Field } from './change.tsx'
import { Frame } from './frame.tsx'
import { Part, useLoaded } from './loaded.tsx'
import { setQuery, usePlace } from './router.tsx'
import { words } from './texts.ts'

type Setting = { name: string; value: unknown; source: 'default' | 'file' | 'environment'; secret: boolean }

const sources = ['default', 'file', 'environment'] as const

/** `/admin/settings?search=…&source=…`. */
export default function SettingsPage() {
  const loaded = useLoaded<{ items: Setting[] }>('/settings')
  const { query } = usePlace()
  const search = query.get('search') ?? ''
  const source = query.get('source') ?? ''
  const text = words().settings
  const busy = loaded.value === null && loaded.failed === null
  return (
    <Frame page="settings" title={words().pages.settings} lead={text.lead} busy={busy}>
      <Section id="settings" title={text.inForce}>
        <div class="filters">
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
        </div>
        <Part loaded={loaded}>
          {({ items }) => <Settings settings={items.filter((one) => isMeant(one, search, source))} />}
        </Part>
      </Section>
    </Frame>
  )
}

/** Whether each word that is sought is in the name or the value. */
function isMeant(setting: Setting, search: string, source: string): boolean {
  const whole = `${setting.name} ${JSON.stringify(setting.value)}`.toLowerCase()
  const isFound = search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word))
  return isFound && (source === '' || setting.source === source)
}

function Settings({ settings }: { settings: readonly Setting[] }) {
  const text = words().settings
  if (settings.length === 0) return <p class="quiet">{text.empty}</p>
  return (
    <List items={settings}>
      {(one) => (
        <li key={one.name} class="row setting">
          <strong>
            <bdi dir="ltr">{breakable(one.name)}</bdi>
          </strong>
          <span>{shown(one)}</span>
          <span class="quiet">{text.sources[one.source]}</span>
        </li>
      )}
    </List>
  )
}

/** A long name is broken after a colon. */
function breakable(name: string): ComponentChildren {
  return name.split(/(?<=:)/).flatMap((part, index) => (index > 0 ? [<wbr key={index} />, part] : [part]))
}

function shown({ value, secret, source }: Setting): ComponentChildren {
  const text = words().settings
  if (secret) return <span class="quiet">{source === 'default' ? text.notSet : text.hidden}</span>
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return <span class="quiet">{words().common.none}</span>
  return <code dir="ltr">{typeof value === 'string' ? value : JSON.stringify(value)}</code>
}
