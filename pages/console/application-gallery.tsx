import { useRef, useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Form } from '../kit/field.tsx'
import { fill } from '../texts.ts'
import type { Template } from './application-kinds.ts'
import { drawingOf, markOf, matches, nameOf, own, templateKinds } from './application-templates.ts'
import { Field } from './change.tsx'
import { type Loaded, Part } from './loaded.tsx'
import { at, go } from './router.tsx'
import { words } from './texts.ts'

/** The address of the form for a template. */
export const formFor = (id: string): string => `${at('applications', 'new')}?for=${encodeURIComponent(id)}`

type Pictured = Pick<Template, 'id' | 'title'> & { kind: Template['kind'] | typeof own }

/** The picture of a template: initials, or a drawing. */
export function TemplateMark({ template }: { template: Pictured }) {
  const drawing = drawingOf(template.id)
  return (
    <span class={`tile-mark ${template.kind}`} dir="ltr" aria-hidden="true">
      {drawing === undefined ? (
        markOf(template)
      ) : (
        <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
          <path d={drawing} />
        </svg>
      )}
    </span>
  )
}

/** The choice of what is registered. */
export function Gallery({ templates }: { templates: Loaded<{ items: Template[] }> }) {
  const text = words().gallery
  return (
    <Section id="choice" title={text.title}>
      <p class="quiet">{text.lead}</p>
      <Part loaded={templates}>{({ items }) => <Choice items={items} />}</Part>
    </Section>
  )
}

function Choice({ items }: { items: readonly Template[] }) {
  const [typed, setTyped] = useState('')
  const tiles = useRef<HTMLDivElement>(null)
  const text = words().gallery
  const shown = items.filter((one) => typed.trim() === '' || matches(one, typed))
  const groups = templateKinds.map((kind) => [kind, shown.filter((one) => one.kind === kind)] as const)
  const links = (): HTMLAnchorElement[] => [...(tiles.current?.querySelectorAll('a') ?? [])]

  /** Arrows lead from tile to tile, and from the field to the first one. */
  function onKeyDown(event: KeyboardEvent) {
    const all = links()
    const from = all.indexOf(document.activeElement as HTMLAnchorElement)
    const isField = from === -1
    if (isField && event.key !== 'ArrowDown') return
    const to = isField ? 0 : from + stepOf(event.key, all, from)
    if (!isField && to === from) return
    event.preventDefault()
    all[Math.min(Math.max(to, 0), all.length - 1)]?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is pressed are the links in it; the arrows lead to them
    <div class="gallery" onKeyDown={onKeyDown}>
      <Form onSubmit={() => go(formFor(shown[0]?.id ?? own))}>
        <Field label={text.search} name="filter" type="search" value={typed} onInput={setTyped} />
      </Form>
      <p class="hidden" role="status">
        {typed && fill(text.count, { count: shown.length })}
      </p>
      <div ref={tiles}>
        {groups.map(
          ([kind, members]) =>
            members.length > 0 && (
              <section key={kind} aria-labelledby={`kind-${kind}`}>
                <h3 id={`kind-${kind}`}>{text.kinds[kind]}</h3>
                <ul class="tiles">
                  {members.map((one) => (
                    <Tile key={one.id} template={one} {...nameOf(one)} />
                  ))}
                </ul>
              </section>
            ),
        )}
        {shown.length === 0 && <p>{text.nothing}</p>}
        <ul class="tiles apart">
          <Tile template={{ id: own, title: '', kind: own }} name={text.own} library={text.ownHint} />
        </ul>
      </div>
    </div>
  )
}

type TileProps = { template: Pictured; name: string; library: string }

function Tile({ template, name, library }: TileProps) {
  return (
    <li>
      <a class="tile" href={formFor(template.id)}>
        <TemplateMark template={template} />
        <span class="tile-name">
          <strong>
            <bdi>{name}</bdi>
          </strong>
          {library && (
            <small class="quiet">
              <bdi>{library}</bdi>
            </small>
          )}
        </span>
      </a>
    </li>
  )
}

/** How many tiles a key leads on: up and down by the tiles of a line. */
function stepOf(key: string, all: readonly HTMLElement[], from: number): number {
  const forward = document.documentElement.dir === 'rtl' ? -1 : 1
  if (key === 'ArrowRight') return forward
  if (key === 'ArrowLeft') return -forward
  if (key === 'Home') return -from
  if (key === 'End') return all.length - 1 - from
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return 0
  const here = all[from]?.getBoundingClientRect()
  if (here === undefined) return 0
  const isDown = key === 'ArrowDown'
  const beyond = all
    .map((one, index) => ({ index, place: one.getBoundingClientRect() }))
    .filter(({ place }) => (isDown ? place.top >= here.bottom : place.bottom <= here.top))
  const line = (isDown ? beyond : beyond.toReversed())[0]?.place.top
  const nearest = beyond
    .filter(({ place }) => place.top === line)
    .toSorted((one, other) => Math.abs(one.place.left - here.left) - Math.abs(other.place.left - here.left))[0]
  return nearest === undefined ? 0 : nearest.index - from
}
