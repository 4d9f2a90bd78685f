import { numberInWords, When } from '../account/when.tsx'
import { ClientLogo } from '../client-logo.tsx'
import { Ago } from '../kit/ago.tsx'
import { Avatar } from '../kit/avatar.tsx'
import { Named } from '../kit/chip.tsx'
import type { Column } from '../kit/table-state.ts'
import { type Application, kindOf } from './application-kinds.ts'
import { at } from './router.tsx'
import { csvLine } from './save-file.ts'
import { words } from './texts.ts'

/** An application of a list with `facts`. `tokens`: of the last 30 days. */
export type ListedApplication = Application & { last_used: string | null; tokens: number }

export const createdAt = ({ client_id_issued_at: seconds }: Application): string =>
  new Date(seconds * 1000).toISOString()

/** `hasAll`: whether applications are few enough to be put in every order. */
export function applicationColumns(hasAll: boolean): readonly Column<ListedApplication>[] {
  const text = words().applications
  return [
    {
      id: 'application',
      label: words().activity.application,
      room: 'main',
      hiding: 'never',
      sort: 'name',
      cell: Which,
    },
    {
      id: 'kind',
      label: text.kind,
      room: 'always',
      ...(hasAll && { sort: 'kind' }),
      cell: (one) => (
        <>
          {text.kinds[kindOf(one)]}
          {one.registration && <div class="quiet">{text.table.registeredItself}</div>}
        </>
      ),
    },
    {
      id: 'last',
      label: text.lastUsed,
      room: 'narrow',
      ...(hasAll && { sort: 'last_used' }),
      cell: ({ last_used: last }) => (last ? <Ago iso={last} /> : text.never),
    },
    {
      id: 'tokens',
      label: text.table.tokens,
      room: 'middle',
      isNumber: true,
      ...(hasAll && { sort: 'tokens' }),
      cell: ({ tokens }) => numberInWords(tokens),
    },
    {
      id: 'created',
      label: words().people.table.created,
      room: 'wide',
      sort: 'created_at',
      cell: (one) => <When iso={createdAt(one)} dayOnly />,
    },
  ]
}

function Which(one: Application) {
  const { client_id: id, client_name: name } = one
  // The service fetches no logo that the application chose itself.
  const hasLogo = !one.registration && Object.keys(one).some((member) => /^logo_uri(#|$)/.test(member))
  return (
    <Named
      href={at('applications', id)}
      name={name}
      picture={
        <span class="mark">
          <Avatar name={name} />
          {hasLogo && <ClientLogo id={id} />}
        </span>
      }
    >
      <bdi>{id}</bdi>
    </Named>
  )
}

export const csvHead = csvLine([
  ...['client_id', 'client_name', 'kind', 'registration', 'grant_types', 'scope'],
  ...['last_used', 'tokens_in_30_days', 'created_at'],
])

export const csvOf = (one: ListedApplication): string =>
  csvLine([
    ...[one.client_id, one.client_name, kindOf(one), one.registration ?? 'operator', one.grant_types, one.scope],
    ...[one.last_used, one.tokens, createdAt(one)],
  ])
