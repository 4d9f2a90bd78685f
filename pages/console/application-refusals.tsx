import { useState } from 'preact/hooks'
import { When } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { call } from './api.ts'
import type { Application } from './application-kinds.ts'
import { useChange } from './change.tsx'
import { ListPart } from './list.tsx'
import { useList } from './loaded.tsx'
import { useMe } from './me.tsx'
import { InEnglish, ProblemNotice } from './problem.tsx'
import { redirectFault } from './redirect-address.ts'
import { words } from './texts.ts'

type Refusal = {
  trace_id: string
  time: string
  rule: string
  id: string
  what: string
  why: string
  fix: string
  detail: Record<string, unknown>
}

type Mend = { member: 'redirect_uris' | 'scope' | 'grant_types'; values: string[] }

type Props = {
  client: Application
  etag: string | null
  saved(client: Application, etag: string | null): void
}

/** The last refusals of an application, and the changes of it that would cure them. */
export function Refusals({ client, etag, saved }: Props) {
  const list = useList<Refusal>(`/clients/${encodeURIComponent(client.client_id)}/refusals`, { limit: 20 })
  const text = words().applications
  return (
    <Section id="refusals" title={text.refusals}>
      <ListPart list={list} empty={text.refusalsNone}>
        {(one, index) => (
          <li key={`${one.trace_id} ${index}`} class="refusal">
            <strong>
              <InEnglish>{one.what}</InEnglish>
            </strong>
            <p>
              <InEnglish>{one.why}</InEnglish>
            </p>
            <p>
              <InEnglish>{one.fix}</InEnglish>
            </p>
            <p class="quiet">
              <When iso={one.time} /> <bdi>{one.id}</bdi> <bdi>{one.trace_id}</bdi>
            </p>
            <MendButton client={client} etag={etag} mend={mendOf(one, client)} saved={saved} />
          </li>
        )}
      </ListPart>
    </Section>
  )
}

/** Returns what the application lacks; undefined: the cure is not a change of it. */
function mendOf({ rule, detail }: Refusal, client: Application): Mend | undefined {
  const { received, notPermitted } = detail
  const has = (value: string) =>
    [...client.redirect_uris, ...client.grant_types, ...client.scope.split(' ')].includes(value)
  const lacking = (member: Mend['member'], values: readonly unknown[]): Mend | undefined => {
    const found = values.filter((one): one is string => typeof one === 'string' && !has(one))
    return found.length === 0 ? undefined : { member, values: found }
  }
  switch (rule) {
    case 'redirect_uri_unregistered':
      // Records leave out the values of queries, and shorten and escape what is odd: such an address is not what was sent.
      if (typeof received !== 'string' || !/^[^\s?\\]+$/.test(received) || redirectFault(received)) return undefined
      return lacking('redirect_uris', [received])
    case 'scope_not_permitted':
      return lacking('scope', Array.isArray(notPermitted) ? notPermitted : [])
    case 'offline_access_not_permitted':
      return lacking('scope', ['offline_access'])
    case 'grant_type_not_permitted':
      return lacking('grant_types', [received])
    default:
      return undefined
  }
}

function MendButton({ client, etag, mend, saved }: Props & { mend: Mend | undefined }) {
  const [open, setOpen] = useState(false)
  const change = useChange()
  const me = useMe()
  const text = words().applications
  if (mend === undefined || !me.may('admin:clients')) return null
  if (!open) return <Button onClick={() => setOpen(true)}>{text.mends[mend.member]}</Button>
  const { member, values } = mend
  const added = member === 'scope' ? [client.scope, ...values].join(' ') : [...client[member], ...values]
  // Offline access is of use with refresh tokens alone.
  const grant = values.includes('offline_access') && !client.grant_types.includes('refresh_token')
  const save = () =>
    change.run(
      () =>
        call<Application>({
          method: 'PATCH',
          path: `/clients/${encodeURIComponent(client.client_id)}`,
          body: {
            [member]: added,
            ...(grant && { grant_types: [...client.grant_types, 'refresh_token'] }),
          },
          etag,
        }),
      saved,
    )
  return (
    <div class="mend">
      <p>{text.mendWill}</p>
      <ul>
        {[...values, ...(grant ? ['refresh_token'] : [])].map((one) => (
          <li key={one}>
            <code>
              <bdi>{one}</bdi>
            </code>
          </li>
        ))}
      </ul>
      <p>{text.mendCare}</p>
      {change.failed && <ProblemNotice result={change.failed} />}
      <div class="buttons">
        <Button look="main" busy={change.busy} onClick={save}>
          {words().common.save}
        </Button>
        <Button onClick={() => setOpen(false)}>{words().common.cancel}</Button>
      </div>
    </div>
  )
}
