/** By the time of the records. */
export type ListOrder = 'newest' | 'oldest'

/** A page of a list. */
export type ListPage = {
  /** The id of the last record of the page before; undefined: this is the first page. */
  readonly after: string | undefined
  /** At most 501. */
  readonly limit: number
  readonly order: ListOrder
}
