/** Pages of records whose ids are UUIDv7: in the order of their times, from either end. */
import type { ListOrder } from '../port/list-pages.ts'

/** Read at once, whatever is shown of it: PostgreSQL plans badly for a number that it does not know. */
export const pageRows = 501

type Way = {
  readonly order: ListOrder
  /** What the ids of a page are to the last id of the page before. */
  readonly operator: '<' | '>'
}

/** Registers a statement for each order. `first`: what the first page comes after, in every collation. */
export function pagesOf<Made>(
  build: (way: Way) => Made,
): Readonly<Record<ListOrder, { readonly statement: Made; readonly first: string }>> {
  return {
    newest: { statement: build({ order: 'newest', operator: '<' }), first: 'zzzz' },
    oldest: { statement: build({ order: 'oldest', operator: '>' }), first: '' },
  }
}
