import { numberInWords, When, withWhen } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { Notice } from '../kit/layout.tsx'
import { Item } from '../kit/list.tsx'
import { toast } from '../kit/toast.tsx'
import { site } from '../site.ts'
import { fill, fillNodes } from '../texts.ts'
import { call } from './api.ts'
import { Asking } from './change.tsx'
import { Frame } from './frame.tsx'
import { ListPart } from './list.tsx'
import { useList } from './loaded.tsx'
import { type Failed, type MailState, reasonOfMail } from './mail-failure.tsx'
import { useMe } from './me.tsx'
import { at } from './router.tsx'
import { StateFilter, useChosenState } from './state-filter.tsx'
import { words } from './texts.ts'

type Mail = Failed & {
  id: string
  to: string
  user_id: string | null
  purpose: string
  notice: boolean
  state: MailState
  attempts: number
  next_at: string | null
  created_at: string
  ends_at: string
}

const pathOf = (id: string, ...below: readonly string[]): string =>
  ['/mail', encodeURIComponent(id), ...below].join('/')

/** `/admin/mails`: what the service sends to people, and what became of it. */
export default function MailsPage() {
  const state = useChosenState()
  const list = useList<Mail>('/mail', { order: 'newest', state })
  const text = words().mails
  return (
    <Frame page="mails" title={words().pages.mails} lead={text.lead} busy={list.items === null && list.failed === null}>
      {!site.mail && <Notice>{text.off}</Notice>}
      <Section id="mails" title={words().pages.mails}>
        <StateFilter
          label={text.byState}
          states={[
            ['queued', text.states.queued],
            ['sent', text.states.sent],
            ['failed', text.states.failed],
          ]}
        />
        <ListPart list={list} empty={state === '' ? text.none : text.noneSuch}>
          {(mail) => <Row key={mail.id} mail={mail} reload={list.reload} />}
        </ListPart>
      </Section>
    </Frame>
  )
}

type RowProps = { mail: Mail; reload(): Promise<void> }

const looks = { queued: 'tag', sent: 'tag active', failed: 'tag failed' } as const

function Row({ mail, reload }: RowProps) {
  const { to, user_id: userId, state, attempts, next_at: nextAt, created_at, ends_at: endsAt } = mail
  const text = words().mails
  const reason = reasonOfMail(mail)
  const isOver = Date.parse(endsAt) <= Date.now()
  return (
    <Item title={<bdi>{to}</bdi>} action={<Actions mail={mail} isOver={isOver} reload={reload} />}>
      {' '}
      <span class={looks[state]}>{text.states[state]}</span>
      <p>
        {purposeOf(mail)} · <When iso={created_at} />
        {userId !== null && (
          <>
            {' '}
            · <a href={at('people', userId)}>{text.person}</a>
          </>
        )}
      </p>
      {reason && <p>{reason}</p>}
      {state !== 'sent' && (
        <p>
          {attempts > 0 && <>{fill(text.attempts, { count: numberInWords(attempts) })} </>}
          {nextAt !== null && site.mail && <>{withWhen(text.next, nextAt, false)} </>}
          {withWhen(isOver ? text.over : text.until, endsAt, false)}
        </p>
      )}
    </Item>
  )
}

/** What it is about, in words. */
function purposeOf({ purpose, notice }: Mail): string {
  const purposes: Record<string, string> = words().mails.purposes
  return notice ? words().mails.notice : (purposes[purpose] ?? purpose)
}

function Actions({ mail, isOver, reload }: RowProps & { isOver: boolean }) {
  const { id, to, state, notice, attempts, ends_at: endsAt } = mail
  const me = useMe()
  const text = words().mails
  if (!me.may('admin:users') || state === 'sent') return null
  const address = <bdi>{to}</bdi>
  const told = (what: typeof text.sent) => async () => {
    await reload()
    toast(fillNodes(what, { email: address }))
  }
  // A mail without an attempt is sent within a second where there is a mail server.
  const mayBeSent = site.mail && !isOver && (state === 'failed' || attempts > 0)
  if (!mayBeSent && (state !== 'queued' || notice)) return null
  return (
    <div class="buttons">
      {mayBeSent && (
        <Asking
          label={state === 'failed' ? words().home.sendAgain : text.sendNow}
          look="quiet"
          question={fillNodes(text.sendAsk, { email: address })}
          body={<p>{withWhen(text.sendBody, endsAt, false)}</p>}
          act={() => call({ method: 'POST', path: pathOf(id, 'retry') })}
          then={told(text.sent)}
        />
      )}
      {state === 'queued' && !notice && (
        <Asking
          label={words().people.invitations.remove}
          question={fillNodes(text.withdrawAsk, { email: address })}
          body={<p>{text.withdrawBody}</p>}
          act={() => call({ method: 'DELETE', path: pathOf(id) })}
          then={told(text.withdrawn)}
        />
      )}
    </div>
  )
}
