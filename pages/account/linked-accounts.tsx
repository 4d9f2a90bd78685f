import { useEffect } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { Notice } from '../kit/layout.tsx'
import { Item, List } from '../kit/list.tsx'
import { useSaid } from '../kit/said.tsx'
import { parameter } from '../query.ts'
import { entry, fill, fillNodes } from '../texts.ts'
import { change } from './json.ts'
import type { Loaded, Profile } from './loaded.tsx'
import { Asking, TaskNotice, useTask } from './task.tsx'
import { words } from './texts.ts'
import { withWhen } from './when.tsx'

type Row = { provider: string; name: string; since: string | null }

/** What the address says of a link that was just made, or failed. Read once: a reload says nothing of it. */
const linked = parameter('linked')
const failed = parameter('error')

/** Accounts at other services. */
export function LinkedAccounts({ loaded }: { loaded: Loaded<Profile> }) {
  const { sign_in: signIn, providers } = loaded.value as Profile
  const text = words().security.linked
  const rows: Row[] = [
    ...signIn.external_logins.map(({ provider, name, created_at: since }) => ({ provider, name, since })),
    ...providers
      .filter(({ provider }) => !signIn.external_logins.some((one) => one.provider === provider))
      .map((one) => ({ ...one, since: null })),
  ]
  const added = rows.find(({ provider }) => provider === linked)
  const [said, say] = useSaid(added ? fill(text.linked, { name: added.name }) : null)

  useEffect(() => {
    if (linked || failed) history.replaceState(null, '', location.pathname)
  }, [])

  if (rows.length === 0) return null
  return (
    <Section id="linked" title={text.title}>
      <p class="quiet">{text.lead}</p>
      {said}
      {failed && <Notice>{entry(text.errors, failed, text.errors.external_provider_error)}</Notice>}
      <List items={rows}>
        {(row) => (
          <LinkedItem
            key={row.provider}
            row={row}
            then={async () => {
              await loaded.reload()
              say(text.unlinked)
            }}
          />
        )}
      </List>
    </Section>
  )
}

function LinkedItem({ row: { provider, name, since }, then }: { row: Row; then(): Promise<void> }) {
  const text = words().security.linked
  const address = `/Account/Self/external-logins/${encodeURIComponent(provider)}`
  const task = useTask()
  const link = () =>
    task.run(
      () => change<{ location: string }>('POST', address, {}, { task: `link-${provider}` }),
      (answer) => location.assign(answer.location),
    )
  return (
    <Item
      id={`linked-${provider}`}
      title={<bdi>{name}</bdi>}
      action={
        since === null ? (
          <Button busy={task.busy} aria-describedby={`linked-${provider}`} onClick={link}>
            {text.link}
          </Button>
        ) : (
          <Asking
            label={text.unlink}
            question={fillNodes(text.ask, { name: <bdi>{name}</bdi> })}
            body={text.askBody}
            name={`unlink-${provider}`}
            describedBy={`linked-${provider}`}
            act={() => change('DELETE', address, undefined, { task: `unlink-${provider}` })}
            then={then}
          />
        )
      }
    >
      <p>{since === null ? text.notLinked : withWhen(text.since, since)}</p>
      <TaskNotice task={task} errors={text.errors} />
    </Item>
  )
}
