import type { ComponentChildren } from 'preact'
import { When } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Skeleton } from '../kit/layout.tsx'
import { toast } from '../kit/toast.tsx'
import { fill, fillNodes } from '../texts.ts'
import { call } from './api.ts'
import { useChange } from './change.tsx'
import { NotLoaded, useLoaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { ProblemNotice } from './problem.tsx'
import { at } from './router.tsx'
import { words } from './texts.ts'

type Mail = { id: string; to: string; purpose: string; state: string; error: string | null; created_at: string }
type Key = { id: string; algorithm: string; expires_at: string | null }
type Refused = { client_id: string; client_name: string; refusals: number }

/** `exact`: false if there are more than were counted. */
type Counted<T> = { items: T[]; count: number; exact: boolean }

type Found = { mails: Counted<Mail>; keys: Key[]; clients: Counted<Refused> }

/** What fails, ends or is refused, each with a way to mend it. */
export function Attention() {
  const { value, failed, reload } = useLoaded<Found>('/attention')
  return (
    <Section id="attention" title={words().home.attention}>
      {value !== null ? (
        <Items found={value} look={reload} />
      ) : failed === null ? (
        <Skeleton rows={['line']} />
      ) : (
        <NotLoaded failed={failed} reload={reload} />
      )}
    </Section>
  )
}

type ItemsProps = { found: Found; look(): Promise<void> }

function Items({ found: { mails, keys, clients: refused }, look }: ItemsProps) {
  const text = words().home
  const moreMails = mails.count - mails.items.length
  const moreRefused = refused.count - refused.items.length
  if (mails.count + keys.length + refused.count === 0) return <p class="well">{text.nothing}</p>
  return (
    <ul class="items">
      {mails.items.map((one) => (
        <FailedMail
          key={one.id}
          mail={one}
          retried={async () => {
            await look()
            toast(fillNodes(text.mailRetried, { to: <bdi>{one.to}</bdi> }))
          }}
        />
      ))}
      {moreMails > 0 && (
        <li class="item">
          <p class="what">{fill(mails.exact ? text.moreMails : text.moreMailsAtLeast, { count: moreMails })}</p>
        </li>
      )}
      {keys.map(({ id, algorithm, expires_at }) => (
        <Item key={id} link={{ address: at('keys'), label: words().pages.keys }}>
          {fillNodes(expires_at === null ? text.keyOverdue : text.keyEnds, {
            key: <bdi>{algorithm}</bdi>,
            when: expires_at === null ? '' : <When iso={expires_at} dayOnly />,
          })}
        </Item>
      ))}
      {refused.items.map(({ client_id: id, client_name: name, refusals: count }) => (
        <Item key={id} link={{ address: at('applications', id, 'usage'), label: text.seeWhy, about: name }}>
          {fillNodes(refused.exact ? text.refused : text.refusedMore, { name: <bdi>{name}</bdi>, count })}
        </Item>
      ))}
      {moreRefused > 0 && (
        <Item link={{ address: at('applications'), label: words().pages.applications }}>
          {fill(text.moreRefused, { count: moreRefused })}
        </Item>
      )}
    </ul>
  )
}

type ItemProps = { link: { address: string; label: string; about?: string }; children: ComponentChildren }

function Item({ link: { address, label, about }, children }: ItemProps) {
  return (
    <li class="item">
      <p class="what">{children}</p>
      <ButtonLink look="quiet" href={address} aria-label={about && `${label}: ${about}`}>
        {label}
      </ButtonLink>
    </li>
  )
}

function FailedMail({ mail, retried }: { mail: Mail; retried(): Promise<void> }) {
  const { id, to, purpose, error, created_at } = mail
  const change = useChange()
  const me = useMe()
  const text = words().home
  return (
    <li class="item">
      <div class="what">
        {fillNodes(text.mailFailed, { to: <bdi>{to}</bdi>, purpose })}
        <p>
          <When iso={created_at} />
          {error && (
            <>
              {': '}
              <bdi>{error}</bdi>
            </>
          )}
        </p>
        {change.failed && <ProblemNotice result={change.failed} />}
      </div>
      {me.may('admin:users') && (
        <Button
          busy={change.busy}
          onClick={() =>
            change.run(() => call({ method: 'POST', path: `/mail/${encodeURIComponent(id)}/retry` }), retried)
          }
        >
          {text.sendAgain}
        </Button>
      )}
    </li>
  )
}
