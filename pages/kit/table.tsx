import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Beneath, WaitingBeneath } from './beneath.tsx'
import { Icon } from './icon.tsx'
import { Check } from './labelled.tsx'
import './table.css'
import type { Column, TableState } from './table-state.ts'

/** Descending begins with `-`. */
export type Sort = string

type TableProps<T extends object> = {
  state: TableState<T>
  /** What the table is of. */
  label: string
  sort?: Sort
  sortBy?(sort: Sort): void
  /** The names of the boxes: of all rows, and of one. */
  all?: string
  one?(row: T): string
}

/** How many grey rows stand where the rows will be. */
const waitingRows = 8

/** Records in rows. Its head stays the same while rows are waited for. */
export function Table<T extends object>({ state, label, sort, sortBy, all, one }: TableProps<T>) {
  const { table, byId, rows, isChoosing } = state
  const columns = table.getVisibleLeafColumns().flatMap(({ id }) => byId.get(id) ?? [])
  const isWaiting = rows === null
  return (
    <div class="records">
      {isWaiting && (
        <p class="hidden" role="status">
          {texts.loading}
        </p>
      )}
      <table aria-label={label} aria-busy={isWaiting}>
        <thead>
          <tr>
            {isChoosing && (
              <th class="choice" scope="col">
                <AllBox state={state} label={all ?? ''} />
              </th>
            )}
            {columns.map((column) => (
              <Head key={column.id} column={column} sort={sort} sortBy={sortBy} />
            ))}
          </tr>
        </thead>
        <tbody class={isWaiting ? 'skeleton' : undefined}>
          {isWaiting && Array.from({ length: waitingRows }, (_, at) => <Waiting key={at} state={state} />)}
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} class={row.getIsSelected() ? 'is-chosen' : undefined}>
              {isChoosing && (
                <td class="choice">
                  <input
                    type="checkbox"
                    aria-label={one?.(row.original)}
                    checked={row.getIsSelected()}
                    onClick={row.getToggleSelectedHandler()}
                  />
                </td>
              )}
              {columns.map(({ id, cell, ...column }) =>
                column.room === 'main' ? (
                  <th key={id} scope="row" class={column.room}>
                    {cell(row.original)}
                    <Beneath columns={columns} row={row.original} />
                  </th>
                ) : (
                  <td key={id} class={classOf(column)}>
                    {cell(row.original)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function AllBox<T extends object>({ state: { table }, label }: { state: TableState<T>; label: string }) {
  const box = useRef<HTMLInputElement>(null)
  const isSome = table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected()
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome
  }, [isSome])
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={label}
      checked={table.getRowModel().rows.length > 0 && table.getIsAllRowsSelected()}
      onChange={table.getToggleAllRowsSelectedHandler()}
    />
  )
}

type HeadProps<T> = {
  column: Column<T>
  sort: Sort | undefined
  sortBy: ((sort: Sort) => void) | undefined
}

const classOf = ({ room, isNumber }: Pick<Column<never>, 'room' | 'isNumber'>): string =>
  isNumber ? `${room} number` : room

function Head<T>({ column: { label, sort: by, ...column }, sort = '', sortBy }: HeadProps<T>) {
  const room = classOf(column)
  if (by === undefined || !sortBy)
    return (
      <th scope="col" class={room}>
        {label}
      </th>
    )
  const isDescending = sort === `-${by}`
  const isSorted = isDescending || sort === by
  return (
    <th scope="col" class={room} aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}>
      <button type="button" class="sort" onClick={() => sortBy(sort === by ? `-${by}` : by)}>
        {label}
        <Icon path={isDescending ? 'M4 6.5 8 10.5 12 6.5' : 'M4 9.5 8 5.5 12 9.5'} />
      </button>
    </th>
  )
}

/** As high as the row will be. */
function Waiting<T extends object>({ state: { table, byId, isChoosing } }: { state: TableState<T> }) {
  const columns = table.getVisibleLeafColumns().flatMap(({ id }) => byId.get(id) ?? [])
  return (
    <tr>
      {isChoosing && <td class="choice" />}
      {columns.map((column) => (
        <td key={column.id} class={classOf(column)}>
          {column.room === 'main' ? (
            <>
              <div class="named">
                <span class="initial" />
                <span class="lines">
                  {Array.from({ length: column.lines ?? 2 }, (_, at) => (
                    <div key={at} class="line" />
                  ))}
                </span>
              </div>
              <WaitingBeneath columns={columns} />
            </>
          ) : (
            <div class="line" />
          )}
        </td>
      ))}
    </tr>
  )
}

/** The columns, of which some can be hidden. */
export function ColumnChooser<T extends object>({ state, label }: { state: TableState<T>; label: ComponentChildren }) {
  const box = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (box.current) box.current.open = false
  }
  return (
    <details
      ref={box}
      class="chooser"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !box.current?.open) return
        close()
        box.current.querySelector('summary')?.focus()
      }}
      onFocusOut={(event) => {
        if (event.relatedTarget && !box.current?.contains(event.relatedTarget as Node)) close()
      }}
    >
      <summary class="button quiet">
        <span>{label}</span>
      </summary>
      <div class="choices">
        {state.table
          .getAllLeafColumns()
          .filter((column) => column.getCanHide())
          .map((column) => (
            <Check
              key={column.id}
              checked={column.getIsVisible()}
              onChange={(isShown) => column.toggleVisibility(isShown)}
            >
              {state.byId.get(column.id)?.label}
            </Check>
          ))}
      </div>
    </details>
  )
}
