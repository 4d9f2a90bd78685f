import { When } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { fillNodes } from '../texts.ts'
import { actorOf, type Entry, kindInWords } from './activity-entry.ts'
import { type Kind, nameOf, useNames } from './activity-names.ts'
import { ListPart } from './list.tsx'
import { useList } from './loaded.tsx'
import { useMe } from './me.tsx'
import { pathOf } from './person-name.ts'
import { at } from './router.tsx'
import { words } from './texts.ts'

/** So many entries are read at once. */
const entriesAtOnce = 10
const none: readonly Entry[] = []

/** What happened to the account, newest first. */
export function Activity({ id }: { id: string }) {
  const list = useList<Entry>(pathOf(id, 'activity'), { limit: entriesAtOnce })
  useNames(list.items ?? none)
  const mayReadTrail = useMe().may('admin:audit:read')
  const text = words().people.activity
  return (
    <Section id="activity" title={text.title}>
      <ListPart list={list} empty={text.empty}>
        {(entry) => (
          <li class="item" key={entry.hash}>
            <What entry={entry} />
          </li>
        )}
      </ListPart>
      {mayReadTrail && (
        <p class="below">
          <a href={`${at('activity')}?${new URLSearchParams({ user_id: id })}`}>{text.all}</a>
        </p>
      )}
    </Section>
  )
}

function What({ entry }: { entry: Entry }) {
  const { at: iso, kind, client_id: clientId, address } = entry
  const actor = actorOf(entry)
  return (
    <div class="what">
      <strong>{kindInWords(kind)}</strong>
      <p>
        <When iso={iso} />
        {actor && [
          ' · ',
          fillNodes(words().activity.by, {
            name: actor.kind ? <Named kind={actor.kind} id={actor.id} /> : <bdi>{actor.id}</bdi>,
          }),
        ]}
        {clientId && [' · ', <Named key={clientId} kind="client" id={clientId} />]}
        {address && [' · ', <bdi key={address}>{address}</bdi>]}
      </p>
    </div>
  )
}

function Named({ kind, id }: { kind: Kind; id: string }) {
  return (
    <a href={at(kind === 'user' ? 'people' : 'applications', id)}>
      <bdi>{nameOf(kind, id) ?? id}</bdi>
    </a>
  )
}
