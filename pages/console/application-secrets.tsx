import { When } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { Facts } from '../kit/list.tsx'
import { fillNodes } from '../texts.ts'
import { type Edited, hasForm, MemberForm } from './application-form.tsx'
import { type Application, hasSecret } from './application-kinds.ts'
import { Rotation } from './application-secret.tsx'
import type { Loaded } from './loaded.tsx'
import { words } from './texts.ts'

type Props = {
  edited: Edited
  loaded: Loaded<Application>
  rotated: string | undefined
  setRotated(secret: string | undefined): void
}

/** What proves who the application is. */
export function ApplicationSecrets({ edited, loaded, rotated, setRotated }: Props) {
  const { client, mayChange } = edited
  const text = words().applications
  return (
    <>
      {hasSecret(client) && <Secrets client={client} />}
      {hasSecret(client) && mayChange && (
        <Rotation
          client={client}
          secret={rotated}
          changed={(record, etag, secret) => {
            loaded.set(record, etag)
            setRotated(secret)
          }}
        />
      )}
      {hasForm(client, 'secrets') && <MemberForm edited={edited} tab="secrets" id="keys" title={text.keysTitle} />}
    </>
  )
}

/** The service has a hash of each, and no use of a secret writes anything. */
function Secrets({ client: { previous_secret_expires_at: until } }: { client: Application }) {
  const text = words().applications
  return (
    <Section id="secrets" title={text.secrets}>
      <Facts
        facts={[
          [text.secretNow, text.secretNever],
          [
            text.secretBefore,
            until !== undefined &&
              fillNodes(text.validUntil, { time: <When iso={new Date(until * 1000).toISOString()} /> }),
          ],
        ]}
      />
      <p class="quiet below">{text.secretsKept}</p>
    </Section>
  )
}
