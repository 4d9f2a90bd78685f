import { useEffect } from 'preact/hooks'
import { withWhen } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { Item } from '../kit/list.tsx'
import { fillNodes } from '../texts.ts'
import { call } from './api.ts'
import { Asking, type Tell } from './change.tsx'
import { ListPart } from './list.tsx'
import { useList } from './loaded.tsx'
import { useMe } from './me.tsx'
import { words } from './texts.ts'

type Invitation = { id: string; email: string; roles: string[]; in_force: boolean; expires_at: string }

/** Those that nobody has used yet. `sent`: how many were sent on this page, after each of which the list is read again. */
export function OpenInvitations({ sent, say }: { sent: number; say: Tell }) {
  const list = useList<Invitation>('/invitations')
  const me = useMe()
  const text = words().people.invitations
  useEffect(() => {
    if (sent > 0) void list.reload()
  }, [sent])
  return (
    <Section id="invitations" title={text.title}>
      <ListPart list={list} empty={text.empty}>
        {({ id, email, roles, in_force, expires_at }) => (
          <Item
            key={id}
            title={<bdi>{email}</bdi>}
            action={
              me.may('admin:users') && (
                <Asking
                  label={text.remove}
                  question={fillNodes(text.ask, { email: <bdi>{email}</bdi> })}
                  body={<p>{text.body}</p>}
                  act={() => call({ method: 'DELETE', path: `/invitations/${encodeURIComponent(id)}` })}
                  then={async () => {
                    await list.reload()
                    say(fillNodes(text.removed, { email: <bdi>{email}</bdi> }))
                  }}
                />
              )
            }
          >
            <p>
              {roles.length > 0 && (
                <>
                  <bdi>{roles.join(' ')}</bdi> ·{' '}
                </>
              )}
              {in_force ? withWhen(text.until, expires_at) : text.ended}
            </p>
          </Item>
        )}
      </ListPart>
    </Section>
  )
}
