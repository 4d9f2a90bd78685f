import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Message } from '#messages'
import { withWhen } from '../account/when.tsx'
import { Ago } from '../kit/ago.tsx'
import { Section } from '../kit/area.tsx'
import { Item } from '../kit/list.tsx'
import type { toast } from '../kit/toast.tsx'
import { fillNodes } from '../texts.ts'
import { nameOf, useNames } from './activity-names.ts'
import { call } from './api.ts'
import { Asking } from './change.tsx'
import { ListPart } from './list.tsx'
import { useList } from './loaded.tsx'
import { StoreConsent } from './person-consents.tsx'
import { deviceInWords, pathOf } from './person-name.ts'
import { at } from './router.tsx'
import { words } from './texts.ts'

type Props = {
  id: string
  username: string
  say: typeof toast
  mayChange: boolean
  /** Something has ended. */
  changed(): unknown
}
type Thing = { id: string }
type Passkey = Thing & { name: string; second_factor: boolean; created_at: string; last_used_at: string | null }
type App = Thing & { name: string | null; created_at: string; last_used_at: string | null }
type ExternalLogin = Thing & { provider: string; account: string; created_at: string }
type Session = Thing & { browser: string | null; system: string | null; address: string; last_seen_at: string }
type Grant = Thing & { client_id: string; scopes: string[]; last_used_at: string; expires_at: string }
type Authorization = Thing & { client_id: string; scopes: string[]; created_at: string }

/** What a person signs in with beside the password, each with its removal. */
export function SignInItems(props: Props) {
  const text = words().people.items
  const { app, apps, noApps } = words().people.overview
  return (
    <>
      <Items<Passkey>
        {...props}
        kind="passkeys"
        text={text.passkeys}
        nameOf={({ name }) => name}
        detail={({ created_at, last_used_at, second_factor }) => (
          <>
            {withWhen(text.since, created_at)}
            {last_used_at && [' · ', fillNodes(text.used, { when: <Ago iso={last_used_at} /> })]}
            {second_factor && ` · ${text.factorOnly}`}
          </>
        )}
      />
      <Items<App>
        {...props}
        kind="authenticator-apps"
        text={{ ...text.apps, title: apps, empty: noApps, remove: text.passkeys.remove }}
        nameOf={({ name }) => name ?? app}
        detail={({ created_at, last_used_at }) => (
          <>
            {withWhen(text.since, created_at)}
            {last_used_at && [' · ', fillNodes(text.used, { when: <Ago iso={last_used_at} /> })]}
          </>
        )}
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
        nameOf={deviceInWords}
        detail={({ address, last_seen_at }) => (
          <>
            <bdi>{address}</bdi> · <Ago iso={last_seen_at} dayOnly />
          </>
        )}
      />
    </>
  )
}

/** The applications that a person lets act for them, and those that have access now. */
export function AccessItems(props: Props) {
  const text = words().people.items
  return (
    <>
      <Items<Authorization>
        {...props}
        kind="authorizations"
        text={text.authorizations}
        clientOf={({ client_id }) => client_id}
        nameOf={({ client_id }) => nameOf('client', client_id) ?? client_id}
        link={({ client_id }) => at('applications', client_id)}
        detail={({ scopes, created_at }) => (
          <>
            <bdi>{scopes.join(' ')}</bdi> · {withWhen(text.since, created_at)}
          </>
        )}
        more={(reload) => <StoreConsent id={props.id} say={props.say} reload={reload} />}
      />
      <Items<Grant>
        {...props}
        kind="grants"
        text={text.grants}
        clientOf={({ client_id }) => client_id}
        nameOf={({ client_id }) => nameOf('client', client_id) ?? client_id}
        link={({ client_id }) => at('applications', client_id)}
        detail={({ scopes, last_used_at, expires_at }) => (
          <>
            <bdi>{scopes.join(' ')}</bdi> · {fillNodes(text.used, { when: <Ago iso={last_used_at} /> })} ·{' '}
            {withWhen(text.until, expires_at, false)}
          </>
        )}
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
  username,
  say,
  mayChange,
  changed,
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
                    act={() => call({ method: 'DELETE', path: pathOf(id, kind, one.id), username })}
                    then={async () => {
                      await list.reload()
                      void changed()
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
