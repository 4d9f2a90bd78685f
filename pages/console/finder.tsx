import type { RefObject } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Field } from '../kit/field.tsx'
import { Dialog } from '../kit/list.tsx'
import { fill } from '../texts.ts'
import { call } from './api.ts'
import type { Application } from './application-kinds.ts'
import { valueIn } from './explained-value.ts'
import { type Me, useMe } from './me.tsx'
import { pages } from './pages.ts'
import { usePaused } from './pause.ts'
import { fullNameOf, type Person } from './person-name.ts'
import { at, goByKey } from './router.tsx'
import { words } from './texts.ts'

/** Something that can be gone to. `group`: the heading that it stands under. */
type Found = { group: string; name: string; more?: string; open(): void }

type Props = {
  boxRef: RefObject<HTMLDialogElement | null>
  /** Returns what was typed before the box was there, once. */
  takeTyped(): string
  showKeys(): void
  onClose(): void
}

/** Of people and of applications each. */
const recordsAtMost = 6

/** Finds people, applications, pages and actions by a part of their name, and explains error numbers and trace ids. */
export default function Finder({ boxRef, takeTyped, showKeys, onClose }: Props) {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const me = useMe()
  const text = words().finder
  const list = useId()
  const box = useRef<HTMLInputElement>(null)
  const sought = typed.trim()
  const { records, isBusy } = useRecords(sought, me)
  const named = [pagesOf(me), actionsOf(me, showKeys)].flatMap((of) => within(of, sought))
  const all = [...explained(sought, me), ...named, ...records]
  const current = Math.min(active, all.length - 1)
  const idOf = (index: number) => `${list}-${index}`

  useEffect(() => {
    boxRef.current?.showModal()
    box.current?.focus()
    setTyped(takeTyped())
  }, [])
  useEffect(() => {
    document.getElementById(idOf(current))?.scrollIntoView({ block: 'nearest' })
  }, [current])

  function choose(found: Found | undefined) {
    if (found === undefined) return
    boxRef.current?.close()
    found.open()
  }

  function onKeyDown(event: KeyboardEvent) {
    const last = all.length - 1
    const to: Record<string, number> = {
      ArrowDown: current === last ? 0 : current + 1,
      ArrowUp: current <= 0 ? last : current - 1,
      PageDown: Math.min(current + 8, last),
      PageUp: Math.max(current - 8, 0),
    }
    const next = to[event.key]
    if (event.isComposing) return
    if (event.key === 'Enter') choose(all[current])
    else if (next !== undefined) setActive(next)
    else return
    event.preventDefault()
  }

  return (
    <Dialog boxRef={boxRef} id="finder" title={text.title} onClose={onClose}>
      <div class="finder">
        <Field
          label={text.field}
          name="find"
          type="search"
          boxRef={box}
          value={typed}
          onInput={(value) => {
            setTyped(value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
          autocomplete="off"
          combobox={{ list, active: all.length > 0 ? idOf(current) : undefined }}
        />
        <div id={list} role="listbox" aria-label={text.title} class="found">
          {groupsOf(all).map(({ group, of }) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options is no group of fields.
            <div key={group} role="group" aria-label={group}>
              <p class="quiet" aria-hidden="true">
                {group}
              </p>
              {of.map(({ found, index }) => (
                // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box, which names the option (aria-activedescendant).
                // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the box chooses it.
                <div
                  key={index}
                  id={idOf(index)}
                  role="option"
                  aria-selected={index === current}
                  onMouseMove={() => setActive(index)}
                  onClick={() => choose(found)}
                >
                  <bdi>{found.name}</bdi>
                  {found.more && (
                    <span class="quiet">
                      <bdi>{found.more}</bdi>
                    </span>
                  )}
                </div>
              ))}
            </div>
          ))}
        </div>
        <p class="quiet" role="status">
          {isBusy ? text.busy : all.length === 0 ? text.none : fill(text.count, { count: all.length })}
        </p>
      </div>
    </Dialog>
  )
}

function groupsOf(all: readonly Found[]) {
  const groups = new Map<string, { found: Found; index: number }[]>()
  for (const [index, found] of all.entries()) {
    groups.set(found.group, [...(groups.get(found.group) ?? []), { found, index }])
  }
  return [...groups].map(([group, of]) => ({ group, of }))
}

/** Those whose name has each word that was typed, first those that begin with it. */
function within(all: readonly Found[], sought: string): readonly Found[] {
  const typed = sought.toLocaleLowerCase()
  const parts = typed.split(/\s+/)
  const begins = ({ name }: Found) => name.toLocaleLowerCase().startsWith(typed)
  const found = all.filter(({ name }) => parts.every((part) => name.toLocaleLowerCase().includes(part)))
  return found.toSorted((a, b) => Number(begins(b)) - Number(begins(a)))
}

function pagesOf(me: Me): Found[] {
  return pages
    .filter(({ permission }) => me.may(permission))
    .map(({ name, path }) => ({
      group: words().finder.pages,
      name: words().pages[name],
      open: () => goByKey(at(...path)),
    }))
}

function actionsOf(me: Me, showKeys: () => void): Found[] {
  const { people, groups, attributes, applications, scopes, roles, finder, keyboard } = words()
  const to = (permission: string, name: string, ...path: string[]) => ({
    permission,
    name,
    open: () => goByKey(at(...path)),
  })
  const all = [
    to('admin:users', people.newTitle, 'people', 'new'),
    to('admin:users', people.inviteTitle, 'people', 'invite'),
    to('admin:clients', applications.newTitle, 'applications', 'new'),
    to('admin:clients', scopes.newTitle, 'scopes', 'new'),
    to('admin:users', groups.newTitle, 'groups', 'new'),
    to('admin:users', roles.newTitle, 'roles', 'new'),
    to('admin:users', attributes.newTitle, 'attributes', 'new'),
    { permission: 'admin:read', name: keyboard.title, open: showKeys },
  ]
  return all
    .filter(({ permission }) => me.may(permission))
    .map(({ name, open }) => ({ group: finder.actions, name, open }))
}

function explained(sought: string, me: Me): Found[] {
  const value = me.may('admin:audit:read') ? valueIn(sought) : undefined
  if (value === undefined) return []
  return [
    {
      group: words().pages.explain,
      name: fill(words().finder.explain, { value }),
      open: () => goByKey(at('explain', value)),
    },
  ]
}

/** People and applications, asked for once no key has been pressed for a moment. */
function useRecords(sought: string, me: Me): { records: readonly Found[]; isBusy: boolean } {
  const [found, setFound] = useState<{ of: string; records: readonly Found[] }>({ of: '', records: [] })
  const paused = usePaused(sought)
  useEffect(() => {
    if (paused === '' || paused === found.of) return
    let isWanted = true
    void recordsFor(paused, me).then((records) => isWanted && setFound({ of: paused, records }))
    return () => {
      isWanted = false
    }
  }, [paused])
  if (sought === '') return { records: [], isBusy: false }
  return { records: found.of === sought ? found.records : [], isBusy: found.of !== sought }
}

/** What cannot be read is left out: the pages of the console say why. */
async function recordsFor(search: string, me: Me): Promise<readonly Found[]> {
  const ask = async <T,>(path: string, permission: string, shown: (one: T) => Found): Promise<Found[]> => {
    if (!me.may(permission)) return []
    const query = { search, limit: recordsAtMost }
    const result = await call<{ items: T[] }>({ method: 'GET', path, query }, { isShown: false })
    return result.kind === 'ok' ? result.value.items.map(shown) : []
  }
  const found = await Promise.all([
    ask<Person>('/users', 'admin:users:read', (person) => ({
      group: words().pages.people,
      name: person.username,
      more: [fullNameOf(person), person.email].filter(Boolean).join(' · '),
      open: () => goByKey(at('people', person.id)),
    })),
    ask<Application>('/clients', 'admin:clients:read', ({ client_id, client_name }) => ({
      group: words().pages.applications,
      name: client_name,
      more: client_id,
      open: () => goByKey(at('applications', client_id)),
    })),
  ])
  return found.flat()
}
