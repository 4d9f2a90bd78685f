import { useState } from 'preact/hooks'
import { Avatar } from './avatar.tsx'
import { Button } from './button.tsx'
import { Chip, EmptyState, FilterChip, Named } from './chip.tsx'
import { ColumnChooser, Table } from './table.tsx'
import { type Column, useTable } from './table-state.ts'

type Thing = { name: string; more: string }
const things: readonly Thing[] = [
  { name: 'Ada Lovelace', more: 'ada@example.com' },
  { name: 'ליאת (9)', more: 'liat@example.com' },
  { name: 'a name that is so long that it has to be broken somewhere'.replaceAll(' ', '-'), more: '' },
]
const columns: readonly Column<Thing>[] = [
  {
    id: 'name',
    label: 'Name',
    room: 'main',
    hiding: 'never',
    sort: 'name',
    cell: ({ name, more }) => (
      <Named href="#one" name={name} picture={<Avatar name={name} />}>
        {more}
      </Named>
    ),
  },
  { id: 'state', label: 'State', room: 'always', cell: () => <Chip look="warning">locked</Chip> },
  { id: 'roles', label: 'Roles', room: 'narrow', cell: () => <Chip>editor</Chip> },
  { id: 'used', label: 'Used', room: 'middle', sort: 'used', cell: () => 'yesterday' },
  { id: 'made', label: 'Created', room: 'wide', hiding: 'at-first', cell: () => 'last year' },
]

/** A table with rows, one that waits for them, and what stands where there are none. */
export function Tables() {
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set(['Ada Lovelace']))
  const [sort, setSort] = useState('name')
  const [isOn, setIsOn] = useState(true)
  const shared = { columns, idOf: ({ name }: Thing) => name, storedAs: 'gallery' }
  const state = useTable({ ...shared, rows: things, chosen, choose })
  const waiting = useTable({ ...shared, rows: null })
  return (
    <>
      <div class="tools">
        <div class="chips">
          <FilterChip isOn={isOn} onToggle={setIsOn} count="12">
            Locked
          </FilterChip>
          <FilterChip isOn={!isOn} onToggle={(next) => setIsOn(!next)}>
            Others
          </FilterChip>
        </div>
        <ColumnChooser state={state} label="Columns" />
      </div>
      <Table state={state} label="Things" sort={sort} sortBy={setSort} all="Select all" one={({ name }) => name} />
      <Table state={waiting} label="Things to come" />
      <EmptyState action={<Button>Add one</Button>}>There is nothing yet.</EmptyState>
    </>
  )
}
