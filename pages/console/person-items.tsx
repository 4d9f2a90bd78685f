import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Message } from '#messages'
import { listInWords, When, withWhen } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { Item } from '../kit/list.tsx'
import type { Tell } from '../kit/said.tsx'
import { fillNodes } from '../texts.ts'
import { nameOf, useNames } from './activity-names.ts'
import { call } from './api.ts'
import { Asking } from './change.tsx'
import { ListPart } from './list.tsx'
import { useList } from './loaded.tsx'
import { StoreConsent } from './person-consents.tsx'
import { pathOf } from './person-name.ts'
import { at } from './router.tsx'
import { words } from './texts.ts'

type Props = { id: string; say: Tell; mayChange: boolean }
type Thing = { id: string }
type Passkey = Thing & { name: string; created_at: string; last_used_at: string | null }
type ExternalLogin = Thing & { provider: string; account: string; created_at: string }
type Session = Thing & { browser: string | null; system: string | null; address: string; last_seen_at: string }
type Authorization = Thing & { client_id: string; scopes: string[]; created_at: string }

/** What belongs to a person, each with its removal. */
export function PersonItems(props: Props) {
  const text = words().people.items
  return (
    <>
      <Items<Passkey>
        {...props}
        kind="passkeys"
        text={text.passkeys}
        nameOf={({ name }) => name}
        detail={({ created_at }) => withWhen(text.since, created_at)}
      />
      <Items<ExternalLogin>
        {...props}
        kind="external-logins"
        text={text.externalLogins}
        nameOf={({ provider }) => provider}
        detail={({ account }) => <bdi>{account}</bdi>}
      />
      <Items<Session>
        {...props}
        kind="sessions"
        text={text.sessions}
        nameOf={({ browser, system }) => listInWords([browser, system].filter((one) => one !== null)) || text.unknown}
        detail={({ address, last_seen_at }) => (
          <>
            <bdi>{address}</bdi> · <When iso={last_seen_at} />
          </>
        )}
      />
      <Items<Authorization>
        {...props}
        kind="authorizations"
        text={text.authorizations}
        clientOf={({ client_id }) => client_id}
        nameOf={({ client_id }) => nameOf('client', client_id) ?? client_id}
        link={({ client_id }) => at('applications', client_id)}
        detail={({ scopes }) => <bdi>{scopes.join(' ')}</bdi>}
        more={(reload) => <StoreConsent id={props.id} say={props.say} reload={reload} />}
      />
    </>
  )
}

type ItemsProps<T> = Props & {
  kind: string
  text: { title: string; empty: string; remove: string; ask: Message<'name'>; body: string; removed: Message<'name'> }
  nameOf(item: T): string
  /** The application that an item is about, whose name is read. */
  clientOf?(item: T): string
  link?(item: T): string
  detail(item: T): ComponentChildren
  /** What is below the list, for those who may change the person. */
  more?(reload: () => Promise<void>): ComponentChildren
}

function Items<T extends Thing>({
  id,
  say,
  mayChange,
  kind,
  text,
  nameOf,
  clientOf,
  link,
  detail,
  more,
}: ItemsProps<T>) {
  const list = useList<T>(pathOf(id, kind))
  const clients = useMemo(
    () =>
      (list.items ?? []).flatMap((one) => (clientOf ? [{ user_id: null, client_id: clientOf(one), details: {} }] : [])),
    [list.items],
  )
  useNames(clients)
  return (
    <Section id={kind} title={text.title}>
      <ListPart list={list} empty={text.empty}>
        {(one) => {
          const name = <bdi>{nameOf(one)}</bdi>
          return (
            <Item
              key={one.id}
              title={link ? <a href={link(one)}>{name}</a> : name}
              action={
                mayChange && (
                  <Asking
                    label={text.remove}
                    question={fillNodes(text.ask, { name })}
                    body={<p>{text.body}</p>}
                    act={() => call({ method: 'DELETE', path: pathOf(id, kind, one.id) })}
                    then={async () => {
                      await list.reload()
                      say(fillNodes(text.removed, { name }))
                    }}
                  />
                )
              }
            >
              <p>{detail(one)}</p>
            </Item>
          )
        }}
      </ListPart>
      {mayChange && more?.(list.reload)}
    </Section>
  )
}
