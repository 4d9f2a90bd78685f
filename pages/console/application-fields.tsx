import { useId } from 'preact/hooks'
import { Check } from '../kit/labelled.tsx'
import { Notice } from '../kit/layout.tsx'
import { fillNodes } from '../texts.ts'
import type { WithSecret } from './application-kinds.ts'
import { Copyable } from './command.tsx'
import { useList } from './loaded.tsx'
import { InEnglish } from './problem.tsx'
import { words } from './texts.ts'

type ScopesProps = { chosen: readonly string[]; set(chosen: string[]): void; messages: readonly string[] }

/** The scopes that there are, and those that the application has. */
export function ScopeChoice(props: ScopesProps) {
  const { items } = useList<{ name: string }>('/scopes', { limit: 500 })
  const names = ['offline_access', ...(items ?? []).map(({ name }) => name)]
  return <ScopeBoxes legend={words().pages.scopes} names={names} {...props} />
}

type BoxesProps = ScopesProps & { legend: string; hint?: string | undefined; names: readonly string[] }

/** A box for each of the scopes, and for chosen ones that are not among them. `openid` is no choice. */
export function ScopeBoxes({ legend, hint, names, chosen, set, messages }: BoxesProps) {
  const hintId = useId()
  const shown = [...new Set([...names, ...chosen])].filter((name) => name !== 'openid')
  if (shown.length === 0 && messages.length === 0) return null
  return (
    <fieldset class="choices" aria-describedby={hint && hintId}>
      <legend>{legend}</legend>
      {shown.map((name) => (
        <Check
          key={name}
          checked={chosen.includes(name)}
          onChange={(isChosen) => set(isChosen ? [...chosen, name] : chosen.filter((one) => one !== name))}
        >
          <bdi>{name}</bdi>
        </Check>
      ))}
      {messages.length > 0 && (
        <p class="fault" role="alert">
          <InEnglish>{messages.join(' ')}</InEnglish>
        </p>
      )}
      {hint && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </fieldset>
  )
}

/** A secret, which is shown once. It is told where it comes into a region that is live. */
export function SecretShown({ client: { client_id, client_secret } }: { client: WithSecret }) {
  if (client_secret === undefined) return null
  return (
    <Notice role="note">
      <p>{fillNodes(words().applications.secretOnce, { name: <bdi>{client_id}</bdi> })}</p>
      <Copyable text={client_secret} />
    </Notice>
  )
}
