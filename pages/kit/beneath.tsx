import type { Column } from './table-state.ts'

type Props<T> = { columns: readonly Column<T>[]; row: T }

const goesBeneath = <T,>({ room }: Column<T>): boolean => room !== 'main' && room !== 'always'

/** What the columns say for which the table has no room, below what the row is of. The style shows each where its column is hidden. */
export function Beneath<T>({ columns, row }: Props<T>) {
  const shown = columns.filter((column) => goesBeneath(column) && column.isEmpty?.(row) !== true)
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

/** Takes as much room as that most often will. */
export function WaitingBeneath<T>({ columns }: Pick<Props<T>, 'columns'>) {
  return (
    <div class="beneath" aria-hidden="true">
      {columns
        .filter((column) => goesBeneath(column) && !column.isRare)
        .map(({ id, label, room }) => (
          <div key={id} class={`without-${room}`}>
            <span>{label}</span>
          </div>
        ))}
    </div>
  )
}
