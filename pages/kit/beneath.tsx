import type { Column } from './table-state.ts'

type Props<T> = { columns: readonly Column<T>[]; row: T }

/** What the columns say for which the table has no room, below what the row is of. The style shows each where its column is hidden. */
export function Beneath<T>({ columns, row }: Props<T>) {
  const shown = columns.filter(({ room, isEmpty }) => room !== 'main' && room !== 'always' && isEmpty?.(row) !== true)
  return (
    <dl class="beneath">
      {shown.map(({ id, label, room, cell }) => (
        <div key={id} class={`without-${room}`}>
          <dt>{label}</dt>
          <dd>{cell(row)}</dd>
        </div>
      ))}
    </dl>
  )
}
