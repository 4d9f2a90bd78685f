import { useEffect, useRef, useState } from 'preact/hooks'
import { numberInWords } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { EmptyState } from '../kit/chip.tsx'
import { ColumnChooser, Table } from '../kit/table.tsx'
import { useTable } from '../kit/table-state.ts'
import { fill } from '../texts.ts'
import { type Call, get } from './api.ts'
import { Frame } from './frame.tsx'
import { asCsv, ListExport } from './list-export.tsx'
import { NotLoaded, useList } from './loaded.tsx'
import { useMe } from './me.tsx'
import { More } from './more.tsx'
import { Bulk } from './people-bulk.tsx'
import { type ListedPerson, peopleColumns } from './people-columns.tsx'
import { chosenAtMost, csvHead, csvOf } from './people-matching.ts'
import { askedFor, filtersOf, PeopleChips, PeopleSearch } from './people-search.tsx'
import { PeopleTabs } from './people-tabs.tsx'
import { noFilters } from './people-words.ts'
import { ProblemNotice } from './problem.tsx'
import { type Failed, readPages } from './read-pages.ts'
import { at, type Place, setQuery, usePlace } from './router.tsx'
import { words } from './texts.ts'
import './people-list.css'

type Chosen = ReadonlyMap<string, ListedPerson>
const nobody: Chosen = new Map()

/** What the list is asked for, as the address of the page has it. */
function askedIn({ query }: Place): Record<string, string> {
  return { ...askedFor(filtersOf(query), Date.now()), sort: query.get('sort') ?? '' }
}

export const firstCallsOfList = (place: Place): readonly Call[] => [
  get('/users', { ...askedIn(place), facts: true }),
  get('/user-counts'),
]

/** `/admin/people`: the list, with its words, filters and order in the address. */
export function PeopleList() {
  const place = usePlace()
  const filters = filtersOf(place.query)
  const asked = askedIn(place)
  const { sort = '' } = asked
  const list = useList<ListedPerson>('/users', { ...asked, facts: true })
  const me = useMe()
  const mayChange = me.may('admin:users')
  const [chosen, setChosen] = useState(nobody)
  const [changes, setChanges] = useState(0)
  const text = words().people
  const state = useTable<ListedPerson>({
    columns: peopleColumns(),
    rows: list.items,
    idOf: ({ id }) => id,
    storedAs: 'people',
    chosen: mayChange ? new Set(chosen.keys()) : undefined,
    choose: (ids) => {
      const known = new Map([...chosen, ...(list.items ?? []).map((one) => [one.id, one] as const)])
      setChosen(new Map([...known].filter(([id]) => ids.has(id))))
    },
  })
  // A change is for the people whom these filters let through.
  const key = JSON.stringify(filters)
  useEffect(() => setChosen(nobody), [key])

  const isFiltered = Object.values(filters).some((value) => value !== '')
  const isEmpty = list.items?.length === 0 && !list.failed
  const isLooking = isEmpty && list.hasMore
  const clear = () => {
    setQuery({ ...noFilters, sort: '' })
    // The button goes with the empty list.
    document.querySelector<HTMLInputElement>('.people-search input')?.focus()
  }
  const adding = mayChange && (
    <>
      <ButtonLink href={at('people', 'new')}>{text.add}</ButtonLink>
      <ButtonLink look="quiet" href={at('people', 'invite')}>
        {text.invite}
      </ButtonLink>
    </>
  )
  return (
    <Frame
      page="people"
      title={words().pages.people}
      lead={text.lead}
      busy={list.items === null && !list.failed}
      actions={adding}
    >
      <PeopleTabs current="people" />
      <Section id="people" title={words().pages.people}>
        <PeopleSearch filters={filters} />
        <div class="tools">
          <PeopleChips filters={filters} changes={changes} />
          <div class="chips">
            <ListExport<ListedPerson>
              path="/users"
              query={{ ...asked, facts: true }}
              name="people"
              formats={[asCsv(csvHead, csvOf)]}
            />
            <ColumnChooser state={state} label={text.table.columns} />
          </div>
        </div>
        {mayChange && (
          <Bulk
            people={[...chosen.values()]}
            clear={() => setChosen(nobody)}
            changed={async () => {
              setChosen(nobody)
              setChanges((count) => count + 1)
              await list.reload()
            }}
          >
            {list.hasMore && state.table.getIsAllRowsSelected() && <AllMatching asked={asked} choose={setChosen} />}
          </Bulk>
        )}
        {list.items === null && list.failed ? (
          <NotLoaded failed={list.failed} reload={list.reload} />
        ) : isLooking ? null : isEmpty ? (
          <EmptyState action={isFiltered ? <Button onClick={clear}>{words().activity.clear}</Button> : adding}>
            {isFiltered ? text.nobodyFound : text.empty}
          </EmptyState>
        ) : (
          <Table
            state={state}
            label={words().pages.people}
            sort={sort || (filters.created ? '-created_at' : 'username')}
            {...(filters.search === '' && { sortBy: (next: string) => setQuery({ sort: next }) })}
            all={text.bulk.all}
            one={({ username }) => fill(text.bulk.one, { name: username })}
          />
        )}
        <More list={list} lookedAt={(count) => fill(text.table.lookedAt, { count })} />
      </Section>
    </Frame>
  )
}

type MatchingProps = { asked: Record<string, string>; choose(chosen: Chosen): void }

/** Chooses also those who match and are not shown. */
function AllMatching({ asked, choose }: MatchingProps) {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<Failed | undefined>()
  const isGone = useRef(false)
  useEffect(
    () => () => {
      isGone.current = true
    },
    [],
  )
  async function run(): Promise<void> {
    setBusy(true)
    const all = new Map<string, ListedPerson>()
    const failure = await readPages<ListedPerson>('/users', asked, (people) => {
      for (const person of people) if (all.size < chosenAtMost) all.set(person.id, person)
      return !isGone.current && all.size < chosenAtMost
    })
    // The filters have changed meanwhile, or an action was begun for those who were chosen.
    if (isGone.current) return
    setBusy(false)
    setFailed(failure)
    if (failure === undefined) choose(all)
  }
  return (
    <>
      <Button look="link" busy={busy} onClick={run}>
        {fill(words().people.table.allMatching, { count: numberInWords(chosenAtMost) })}
      </Button>
      {failed && <ProblemNotice result={failed} />}
    </>
  )
}
