/** The state of a table: which columns it shows, and which rows are chosen. */
import { columnVisibilityFeature, constructTable, rowSelectionFeature, tableFeatures } from '@tanstack/table-core'
import type { TableReactivityBindings } from '@tanstack/table-core/reactivity'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { keep, kept } from '../kept.ts'

export type Column<T> = {
  id: string
  label: string
  cell(row: T): ComponentChildren
  /** What the list is asked to sort by; absent: it cannot be sorted by this column. */
  sort?: string
  /** How narrow a table still has room for it. `main`: the one that says what the row is of; it takes the room that is left. */
  room: 'main' | 'always' | 'narrow' | 'middle' | 'wide'
  /** Whether it says nothing of a row: nothing is said of it either where there is no room for the column. */
  isEmpty?(row: T): boolean
  /** Whether it says nothing of most rows. */
  isRare?: true
  /** How many lines most of its cells have, of the column that says what a row is of; default: 2. */
  lines?: number
  /** Whether its values are compared by their digits. */
  isNumber?: true
  /** Whether it can be hidden, and whether it is until somebody wants it. Absent: it can, and is not. */
  hiding?: 'never' | 'at-first'
}

type Props<T> = {
  columns: readonly Column<T>[]
  /** Null: not there yet. */
  rows: readonly T[] | null
  idOf(row: T): string
  /** The name under which this browser keeps the columns. */
  storedAs: string
  /** The ids of the rows that are chosen; absent: none can be. */
  chosen?: ReadonlySet<string> | undefined
  choose?(ids: ReadonlySet<string>): void
}

/** Values that the component holds: it renders anew when one changes, and nobody else listens. */
const held = <Value>(get: () => Value, set: (value: Value) => void = () => undefined) => ({
  get,
  set: (next: Value | ((before: Value) => Value)) =>
    set(typeof next === 'function' ? (next as CallableFunction)(get()) : next),
  subscribe: () => ({ unsubscribe: () => undefined }),
})
const bindings = {
  createOptionsStore: false,
  wrapExternalAtoms: false,
  addSubscription: () => undefined,
  createReadonlyAtom: <Value>(read: () => Value) => held(read),
  createWritableAtom: <Value>(first: Value) => {
    let value = first
    return held(
      () => value,
      (next) => {
        value = next
      },
    )
  },
  untrack: <Value>(read: () => Value) => read(),
  batch: (act: () => void) => act(),
  schedule: (act: () => void) => queueMicrotask(act),
} as unknown as TableReactivityBindings

const features = tableFeatures({ coreReactivityFeature: bindings, columnVisibilityFeature, rowSelectionFeature })
type Visibility = Record<string, boolean>
type Chosen = Record<string, true>
type Change<Value> = Value | ((before: Value) => Value)

/** Returns the table for this rendering. */
export function useTable<T extends object>({ columns, rows, idOf, storedAs, chosen, choose }: Props<T>) {
  const [visibility, setVisibility] = useState<Visibility>(() => ({
    ...Object.fromEntries(columns.map(({ id, hiding }) => [id, hiding !== 'at-first'])),
    ...readStored(storedAs),
  }))
  const rowSelection: Chosen = Object.fromEntries([...(chosen ?? [])].map((id) => [id, true as const]))
  const options = {
    features,
    columns: columns.map(({ id, label, hiding }) => ({ id, header: label, enableHiding: hiding !== 'never' })),
    data: rows ?? [],
    getRowId: idOf,
    enableRowSelection: chosen !== undefined,
    state: { columnVisibility: visibility, rowSelection },
    onColumnVisibilityChange: (change: Change<Visibility>) => {
      const next = typeof change === 'function' ? change(visibility) : change
      setVisibility(next)
      keep(storedKey(storedAs), JSON.stringify(next))
    },
    onRowSelectionChange: (change: Change<Chosen>) => {
      const next = typeof change === 'function' ? change(rowSelection) : change
      choose?.(new Set(Object.keys(next).filter((id) => next[id])))
    },
  }
  const [table] = useState(() => constructTable<typeof features, T>(options))
  table.setOptions((before) => ({ ...before, ...options }))
  const byId = new Map(columns.map((column) => [column.id, column]))
  return { table, byId, rows, isChoosing: chosen !== undefined }
}

export type TableState<T extends object> = ReturnType<typeof useTable<T>>

const storedKey = (name: string): string => `latchkey.console.columns.${name}`

/** What was stored by hand or by another version is no reason to fail. */
function readStored(name: string): Visibility {
  try {
    const stored: unknown = JSON.parse(kept(storedKey(name)) ?? '{}')
    const isKnown = ([, value]: [string, unknown]) => typeof value === 'boolean'
    return Object.fromEntries(Object.entries(stored as object).filter(isKnown))
  } catch {
    return {}
  }
}
