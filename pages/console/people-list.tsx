import { useEffect, useState } from 'preact/hooks'
import { numberInWords } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { EmptyState } from '../kit/chip.tsx'
import { ColumnChooser, Table } from '../kit/table.tsx'
import { useTable } from '../kit/table-state.ts'
import { fill } from '../texts.ts'
import type { Result } from './api.ts'
import { Frame } from './frame.tsx'
import { type List, NotLoaded, useList } from './loaded.tsx'
import { useMe } from './me.tsx'
import { Bulk } from './people-bulk.tsx'
import { type ListedPerson, peopleColumns } from './people-columns.tsx'
import { chosenAtMost, csvHead, csvOf, readMatching } from './people-matching.ts'
import { askedFor, filtersOf, PeopleChips, PeopleSearch } from './people-search.tsx'
import { PeopleTabs } from './people-tabs.tsx'
import { noFilters } from './people-words.ts'
import { ProblemNotice } from './problem.tsx'
import { at, setQuery, usePlace } from './router.tsx'
import { save } from './save-file.ts'
import { words } from './texts.ts'
import './people-list.css'

type Chosen = ReadonlyMap<string, ListedPerson>
type Failed = Exclude<Result<unknown>, { kind: 'ok' }>
const nobody: Chosen = new Map()

/** `/admin/people`: the list, with its words, filters and order in the address. */
export function PeopleList() {
  const { query } = usePlace()
  const filters = filtersOf(query)
  const sort = query.get('sort') ?? ''
  const asked: Record<string, string> = { ...askedFor(filters, Date.now()), sort }
  const list = useList<ListedPerson>('/users', { ...asked, facts: true })
  const me = useMe()
  const mayChange = me.may('admin:users')
  const [chosen, setChosen] = useState(nobody)
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
          <PeopleChips filters={filters} />
          <div class="chips">
            <Export asked={asked} />
            <ColumnChooser state={state} label={text.table.columns} />
          </div>
        </div>
        {mayChange && (
          <Bulk
            people={[...chosen.values()]}
            clear={() => setChosen(nobody)}
            changed={async () => {
              setChosen(nobody)
              await list.reload()
            }}
          >
            {list.hasMore && state.table.getIsAllRowsSelected() && <AllMatching asked={asked} choose={setChosen} />}
          </Bulk>
        )}
        {list.items === null && list.failed ? (
          <NotLoaded failed={list.failed} reload={list.reload} />
        ) : isEmpty ? (
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
        <More list={list} />
      </Section>
    </Frame>
  )
}

function More({ list }: { list: List<ListedPerson> }) {
  if (list.items === null) return null
  return (
    <>
      {list.failed && <ProblemNotice result={list.failed} />}
      {list.hasMore && (
        <div class="below">
          <Button busy={list.busy} onClick={list.more}>
            {words().common.more}
          </Button>
        </div>
      )}
    </>
  )
}

type MatchingProps = { asked: Record<string, string>; choose(chosen: Chosen): void }

/** Chooses also those who match and are not shown. */
function AllMatching({ asked, choose }: MatchingProps) {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<Failed | undefined>()
  async function run(): Promise<void> {
    setBusy(true)
    const all = new Map<string, ListedPerson>()
    const failure = await readMatching(asked, (people) => {
      for (const person of people) if (all.size < chosenAtMost) all.set(person.id, person)
      return all.size < chosenAtMost
    })
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

/** Downloads everybody who matches, page by page. */
function Export({ asked }: { asked: Record<string, string> }) {
  const [count, setCount] = useState<number | null>(null)
  const [failed, setFailed] = useState<Failed | undefined>()
  async function run(): Promise<void> {
    setCount(0)
    const parts = [new Blob([csvHead])]
    let read = 0
    const failure = await readMatching({ ...asked, facts: true }, (people) => {
      parts.push(new Blob([csvOf(people)]))
      read += people.length
      setCount(read)
      return true
    })
    setCount(null)
    setFailed(failure)
    if (failure === undefined)
      save(new Blob(parts, { type: 'text/csv' }), `people-${new Date().toISOString().slice(0, 10)}.csv`)
  }
  return (
    <>
      {failed && <ProblemNotice result={failed} />}
      <Button busy={count !== null} onClick={run}>
        {words().activity.exportCsv} {count !== null && <span role="status">{numberInWords(count)}</span>}
      </Button>
    </>
  )
}
