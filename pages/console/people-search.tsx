import { useEffect, useRef, useState } from 'preact/hooks'
import { numberInWords } from '../account/when.tsx'
import { FilterChip } from '../kit/chip.tsx'
import { fill } from '../texts.ts'
import { Field } from './change.tsx'
import { useLoaded } from './loaded.tsx'
import { PAUSE_MS } from './pause.ts'
import {
  boundsOf,
  completed,
  filterNames,
  type PeopleFilters,
  readWords,
  suggestionsFor,
  writeWords,
} from './people-words.ts'
import { setQuery } from './router.tsx'
import { words } from './texts.ts'

/** The filters in the address. */
export const filtersOf = (query: URLSearchParams): PeopleFilters =>
  Object.fromEntries(filterNames.map((name) => [name, query.get(name) ?? ''])) as PeopleFilters

/** What the list is asked for. */
export function askedFor({ created, last, ...others }: PeopleFilters, nowMs: number): Record<string, string> {
  const [made, seen] = [boundsOf(created, nowMs), boundsOf(last, nowMs)]
  return {
    ...others,
    created_after: made.after ?? '',
    created_before: made.before ?? '',
    last_sign_in_after: seen.after ?? '',
    last_sign_in_before: seen.before ?? '',
  }
}

/** The search box, what the last word may become, and the filters that are chosen most. */
export function PeopleSearch({ filters }: { filters: PeopleFilters }) {
  const inAddress = writeWords(filters)
  const [typed, setTyped] = useState(inAddress)
  const { filters: meant, unknown } = readWords(typed)
  const [closedAt, setClosedAt] = useState('')
  const suggestions = closedAt === typed ? [] : suggestionsFor(typed).slice(0, 6)
  const text = words().people

  const sent = useRef(inAddress)

  useEffect(() => {
    if (writeWords(meant) === inAddress) return
    const timer = setTimeout(() => {
      sent.current = writeWords(meant)
      // An order goes with no search.
      setQuery({ ...meant, ...(meant.search !== '' && { sort: '' }) })
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  // Chips change the address, and the words with it. What was typed here may have gone on meanwhile.
  useEffect(() => {
    if (inAddress !== sent.current) setTyped(inAddress)
    sent.current = inAddress
  }, [inAddress])

  const focusBox = () => document.querySelector<HTMLInputElement>('.people-search input')?.focus()
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || suggestions.length === 0) return
    // The box would be emptied.
    event.preventDefault()
    setClosedAt(typed)
    focusBox()
  }
  const [wrong] = suggestions.length > 0 ? [] : unknown
  return (
    <search class="people-search" onKeyDown={close}>
      <Field
        label={text.search}
        name="search"
        type="search"
        value={typed}
        onInput={setTyped}
        message={wrong && fill(text.table.unknown, { word: wrong.word, known: wrong.known.join(' ') })}
      />
      {suggestions.length > 0 && (
        <div class="chips">
          {suggestions.map((word) => (
            <button
              key={word}
              type="button"
              class="tag"
              onClick={() => {
                setTyped(completed(typed, word))
                focusBox()
              }}
            >
              <bdi>{word}</bdi>
            </button>
          ))}
        </div>
      )}
    </search>
  )
}

type Counts = Record<'locked' | 'unconfirmed', { count: number; exact: boolean }>

/** The filters that are chosen most. `changes`: how many were made on this page, after each of which people are counted again. */
export function PeopleChips({ filters, changes }: { filters: PeopleFilters; changes: number }) {
  const { value: counts, reload } = useLoaded<Counts>('/user-counts')
  const text = words().people
  useEffect(() => {
    if (changes > 0) void reload()
  }, [changes])
  const counted = (of: keyof Counts): string | undefined =>
    counts ? numberInWords(counts[of].count) + (counts[of].exact ? '' : '+') : undefined
  const chip = (name: keyof PeopleFilters, value: string) => ({
    isOn: filters[name] === value,
    onToggle: (isOn: boolean) => setQuery({ [name]: isOn ? value : '' }),
  })
  return (
    <div class="chips">
      <FilterChip {...chip('locked', 'true')} count={counted('locked')}>
        {text.onlyLocked}
      </FilterChip>
      <FilterChip {...chip('email_verified', 'false')} count={counted('unconfirmed')}>
        {text.onlyUnconfirmed}
      </FilterChip>
      <FilterChip {...chip('second_factor', 'false')}>{text.onlyWithoutFactor}</FilterChip>
    </div>
  )
}
