import { useEffect, useState } from 'preact/hooks'
import { numberInWords, When } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { EmptyState, FilterChip } from '../kit/chip.tsx'
import { Select } from '../kit/field.tsx'
import { ColumnChooser, Table } from '../kit/table.tsx'
import { useTable } from '../kit/table-state.ts'
import { fill, fillNodes } from '../texts.ts'
import { type Call, get } from './api.ts'
import { applicationColumns, csvHead, csvOf, type ListedApplication } from './application-columns.tsx'
import { Field } from './change.tsx'
import { Frame } from './frame.tsx'
import { asCsv, ListExport } from './list-export.tsx'
import { NotLoaded, useList, useLoaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { More } from './more.tsx'
import { messagesFor } from './problem.tsx'
import { at, type Place, setQuery, usePlace } from './router.tsx'
import { type Kind, kindNames } from './safe-kinds.ts'
import { words } from './texts.ts'
import './application-list.css'

/** What the list is asked for, as the address has it. Empty: not asked. */
const noFilters = { search: '', type: '', kind: '', used: '', self_registered: '' }
type Filters = typeof noFilters

const filtersOf = ({ query }: Place): Filters =>
  Object.fromEntries(Object.keys(noFilters).map((name) => [name, (query.get(name) ?? '').trim()])) as Filters

export const firstCallsOfList = (place: Place): readonly Call[] => [
  get('/clients', { ...filtersOf(place), sort: place.query.get('sort') ?? '', facts: true }),
  get('/client-counts'),
]

/** `/admin/applications`: the list, with its search and filters in the address. */
export function ApplicationList() {
  const place = usePlace()
  const { query } = place
  const filters = filtersOf(place)
  const sort = query.get('sort') ?? ''
  // The order that the address asks for, when the service said that there are too many applications for it.
  const [refused, setRefused] = useState('')
  const isRefused = sort !== '' && sort === refused
  const asked = { ...filters, sort: isRefused ? 'name' : sort, facts: true }
  const list = useList<ListedApplication>('/clients', asked)
  const isTooMany = list.failed !== null && isComputed(sort) && messagesFor(list.failed, 'sort').length > 0
  useEffect(() => {
    if (isTooMany) setRefused(sort)
  }, [isTooMany, sort])
  const { value: counts } = useLoaded<Counts>('/client-counts')
  const me = useMe()
  const text = words().applications
  const state = useTable<ListedApplication>({
    columns: applicationColumns(counts?.all.exact === true),
    rows: list.items,
    idOf: ({ client_id }) => client_id,
    storedAs: 'applications',
  })
  const isFiltered = Object.values(filters).some((value) => value !== '')
  const adding = me.may('admin:clients') && <ButtonLink href={at('applications', 'new')}>{text.add}</ButtonLink>
  return (
    <Frame
      page="applications"
      title={words().pages.applications}
      lead={text.lead}
      busy={list.items === null && !list.failed}
      actions={adding}
    >
      <Section id="applications" title={words().pages.applications}>
        <div class="filters">
          <Field
            label={text.search}
            name="search"
            type="search"
            value={query.get('search') ?? ''}
            onInput={(value) => setQuery({ search: value })}
          />
          <Select
            label={text.type}
            value={filters.type}
            options={[
              ['', text.all],
              ['public', text.public],
              ['confidential', text.confidential],
            ]}
            onChange={(value) => setQuery({ type: value })}
          />
        </div>
        <div class="tools">
          <Chips filters={filters} counts={counts} />
          <div class="chips">
            <ListExport<ListedApplication>
              path="/clients"
              query={asked}
              name="applications"
              formats={[asCsv(csvHead, linesOf)]}
            />
            <ColumnChooser state={state} label={words().people.table.columns} />
          </div>
        </div>
        <p role="status">{isRefused && text.table.tooMany}</p>
        {list.items === null && list.failed && !isTooMany ? (
          <NotLoaded failed={list.failed} reload={list.reload} />
        ) : list.items?.length === 0 && list.hasMore ? null : list.items?.length === 0 && !list.failed ? (
          <EmptyState
            action={isFiltered ? <Button onClick={() => setQuery(noFilters)}>{words().activity.clear}</Button> : adding}
          >
            {isFiltered ? text.emptySearch : text.empty}
          </EmptyState>
        ) : (
          <Table
            state={state}
            label={words().pages.applications}
            sort={asked.sort}
            sortBy={(next) => setQuery({ sort: next })}
          />
        )}
        <More list={list} lookedAt={(count) => fill(text.table.lookedAt, { count })} />
        {/* Its place is kept. */}
        <p class="quiet counted">
          {counts?.counted_since && fillNodes(text.countedSince, { time: <When iso={counts.counted_since} dayOnly /> })}
        </p>
      </Section>
    </Frame>
  )
}

/** What the service puts in order itself, which it does up to a number. */
const isComputed = (sort: string): boolean => ['kind', 'last_used', 'tokens'].includes(sort.replace(/^-/, ''))

type Counted = { count: number; exact: boolean }
/** How many each filter lets through. `exact` false: of the first ones, since there are more. */
type Counts = Record<'all' | 'unused' | 'self_registered', Counted> & {
  kinds: Record<Kind, Counted>
  /** The first day that anything is counted of. */
  counted_since: string | null
}

function Chips({ filters, counts }: { filters: Filters; counts: Counts | null }) {
  const text = words().applications
  const told = (of: Counted | undefined) => ({ count: of ? numberInWords(of.count) + (of.exact ? '' : '+') : '' })
  const chip = (name: keyof Filters, value: string) => ({
    isOn: filters[name] === value,
    onToggle: (isOn: boolean) => setQuery({ [name]: isOn ? value : '' }),
  })
  return (
    <div class="chips">
      {kindNames.map((kind) => (
        <FilterChip key={kind} {...chip('kind', kind)} {...told(counts?.kinds[kind])}>
          {text.kinds[kind]}
        </FilterChip>
      ))}
      <FilterChip {...chip('used', 'false')} {...told(counts?.unused)}>
        {text.table.neverUsed}
      </FilterChip>
      <FilterChip {...chip('self_registered', 'true')} {...told(counts?.self_registered)}>
        {text.table.registeredItself}
      </FilterChip>
    </div>
  )
}

const linesOf = (applications: readonly ListedApplication[]): string => applications.map(csvOf).join('')
