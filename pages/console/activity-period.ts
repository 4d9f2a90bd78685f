/** Times to choose from, by their name in the address. */
export const periods = ['today', 'yesterday', 'week', 'month'] as const
export type Period = (typeof periods)[number]

/** ISO times, both inclusive; empty: without an end. */
export type Span = { since: string; until: string }

export const isPeriod = (name: string): name is Period => (periods as readonly string[]).includes(name)

/** Returns whole days, or the month before this one, where the visitor is. Each stays the same for a day. */
export function spanOf(period: Period, now: Date): Span {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const from = (date: Date): string => date.toISOString()
  const before = (date: Date): string => new Date(date.getTime() - 1).toISOString()
  switch (period) {
    case 'today':
      return { since: from(new Date(year, month, day)), until: '' }
    case 'yesterday':
      return { since: from(new Date(year, month, day - 1)), until: before(new Date(year, month, day)) }
    case 'week':
      return { since: from(new Date(year, month, day - 6)), until: '' }
    case 'month':
      return { since: from(new Date(year, month - 1, 1)), until: before(new Date(year, month, 1)) }
  }
}
