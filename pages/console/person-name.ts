/** A person as the API describes them, what they are called, and where they are. */
export const claims = ['name', 'given_name', 'family_name', 'nickname', 'phone_number', 'locale', 'zoneinfo'] as const

export type Person = {
  id: string
  username: string
  email: string
  email_verified: boolean
  roles: string[]
  locked_until: string | null
  disabled: boolean
  created_at: string
} & { [Claim in (typeof claims)[number]]?: string }

/** As the search sees it: the full name, or else first and last name; empty: none is set. */
export const fullNameOf = ({ name, given_name = '', family_name = '' }: Person): string =>
  name ?? `${given_name} ${family_name}`.trim()

export const pathOf = (id: string, ...below: string[]): string =>
  ['/users', encodeURIComponent(id), ...below.map(encodeURIComponent)].join('/')

/** One in each line, or separated by spaces. */
export const rolesOf = (typed: string): string[] => typed.split(/\s+/).filter((role) => role !== '')
