import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { When, withWhen } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { ButtonLink } from '../kit/button.tsx'
import { Item } from '../kit/list.tsx'
import { toast } from '../kit/toast.tsx'
import { site } from '../site.ts'
import { fillNodes } from '../texts.ts'
import { call } from './api.ts'
import { Asking } from './change.tsx'
import { Frame } from './frame.tsx'
import { ListPart } from './list.tsx'
import { type List, useList } from './loaded.tsx'
import { type Failed, type MailState, reasonOfMail } from './mail-failure.tsx'
import { useMe } from './me.tsx'
import { PeopleTabs } from './people-tabs.tsx'
import { type Handed, HandedLink } from './person-password.tsx'
import { at } from './router.tsx'
import { StateFilter, useChosenState } from './state-filter.tsx'
import { words } from './texts.ts'

type Invitation = {
  id: string
  email: string
  roles: string[]
  state: 'waiting' | 'opened' | 'expired'
  sent_by: string | null
  sent_by_name: string | null
  in_force: boolean
  mail: (Failed & { state: MailState }) | null
  created_at: string
  expires_at: string
}
type Shown = Handed & { email: string }

const pathOf = (id: string, ...below: readonly string[]): string =>
  ['/invitations', encodeURIComponent(id), ...below].join('/')

/** `/admin/people/invitations`: who was invited, what came of it, and what can be done about it. */
export function InvitationsPage() {
  const state = useChosenState()
  const list = useList<Invitation>('/invitations', { order: 'newest', state })
  const me = useMe()
  const text = words().people.invitations
  return (
    <Frame
      page="people"
      title={text.all}
      lead={text.lead}
      busy={list.items === null && list.failed === null}
      actions={me.may('admin:users') && <ButtonLink href={at('people', 'invite')}>{words().people.invite}</ButtonLink>}
    >
      <PeopleTabs current="invitations" />
      <Section id="invitations" title={text.all}>
        <StateFilter
          label={text.byState}
          states={[
            ['waiting', text.states.waiting],
            ['opened', text.states.opened],
            ['expired', text.states.expired],
          ]}
        />
        <Rows list={list} empty={state === '' ? text.none : text.noneSuch} />
      </Section>
    </Frame>
  )
}

/** Those that nobody has used yet. `sent`: how many were sent on this page, after each of which the list is read again. */
export function OpenInvitations({ sent }: { sent: number }) {
  const list = useList<Invitation>('/invitations', { order: 'newest' })
  const text = words().people.invitations
  useEffect(() => {
    if (sent > 0) void list.reload()
  }, [sent])
  return (
    <Section id="invitations" title={text.title}>
      <Rows list={list} empty={text.empty} />
    </Section>
  )
}

function Rows({ list, empty }: { list: List<Invitation>; empty: string }) {
  const [handed, setHanded] = useState<Shown | null>(null)
  return (
    <>
      {handed && <HandedLink handed={handed} to={handed.email} />}
      <ListPart list={list} empty={empty}>
        {(one) => (
          <Row
            key={one.id}
            invitation={one}
            hand={setHanded}
            done={async (what) => {
              if (what !== undefined) setHanded(null)
              await list.reload()
              if (what !== undefined) toast(what)
            }}
          />
        )}
      </ListPart>
    </>
  )
}

type RowProps = {
  invitation: Invitation
  /** Shows a link that the operator hands over. */
  hand(link: Shown): void
  /** `what`: said of it. */
  done(what?: ComponentChildren): Promise<void>
}

function Row({ invitation, hand, done }: RowProps) {
  const {
    id,
    email,
    roles,
    state,
    in_force: isInForce,
    mail,
    created_at,
    expires_at,
    sent_by_name: sender,
  } = invitation
  const me = useMe()
  const text = words().people.invitations
  const address = <bdi>{email}</bdi>
  const again = { method: 'POST', path: pathOf(id, 'send-again') } as const
  let link: Shown | undefined
  const isOver = state === 'expired' || !isInForce
  const sentBy = { name: <Sender invitation={invitation} />, when: <When iso={created_at} /> }
  return (
    <Item
      title={address}
      action={
        me.may('admin:users') && (
          <div class="buttons">
            {site.mail && (
              <Asking
                label={words().home.sendAgain}
                look="quiet"
                question={fillNodes(text.againAsk, { email: address })}
                body={<p>{text.againBody}</p>}
                act={() => call(again)}
                then={() => done(fillNodes(words().people.invited, { email: address }))}
              />
            )}
            <Asking
              label={words().people.createLink}
              look="quiet"
              question={fillNodes(text.linkAsk, { email: address })}
              body={<p>{text.linkBody}</p>}
              act={async () => {
                const made = await call<Shown>({ ...again, body: { send: false } })
                if (made.kind === 'ok') link = made.value
                return made
              }}
              // Last: it takes the focus.
              then={async () => {
                await done()
                if (link !== undefined) hand(link)
              }}
            />
            <Asking
              label={text.remove}
              question={fillNodes(text.ask, { email: address })}
              body={<p>{text.body}</p>}
              act={() => call({ method: 'DELETE', path: pathOf(id) })}
              then={() => done(fillNodes(text.removed, { email: address }))}
            />
          </div>
        )
      }
    >
      {' '}
      <span class={`tag ${isOver ? 'failed' : 'active'}`}>{text.states[state]}</span>{' '}
      {mail?.state === 'failed' && <span class="tag failed">{words().activity.kinds.mail_failed}</span>}
      <p>
        {roles.length > 0 && (
          <>
            <bdi>{roles.join(' ')}</bdi> ·{' '}
          </>
        )}
        {!isInForce ? text.ended : withWhen(state === 'expired' ? text.over : text.until, expires_at)}
      </p>
      <p>{sender === null ? fillNodes(text.sentByCommand, { when: sentBy.when }) : fillNodes(text.sentBy, sentBy)}</p>
      {(state !== 'expired' || mail?.state === 'failed') && <p>{fateOf(invitation)}</p>}
    </Item>
  )
}

function Sender({ invitation: { sent_by: id, sent_by_name: name } }: { invitation: Invitation }) {
  // A client sends for itself under its own id.
  if (id === null || id === name) return <bdi>{name}</bdi>
  return (
    <a href={at('people', id)}>
      <bdi>{name}</bdi>
    </a>
  )
}

/** How its mail fared. */
function fateOf({ mail }: Invitation): ComponentChildren {
  const text = words().people.invitations
  if (mail === null) return text.handed
  if (mail.state === 'sent') return text.mailSent
  const reason = reasonOfMail(mail)
  if (mail.state === 'failed') return reason
  return (
    <>
      {text.mailWaits} {reason}
    </>
  )
}
