import { type ClientsTable, columns, type Prefixed, prefixed } from './tables.ts'

export type ClientRow = Prefixed<'c', ClientsTable>
export const clientColumns = prefixed('clients', 'c', columns.clients)
