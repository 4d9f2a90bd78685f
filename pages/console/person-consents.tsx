import { useState } from 'preact/hooks'
import type { toast } from '../kit/toast.tsx'
import { fillNodes } from '../texts.ts'
import { call } from './api.ts'
import { Field, useChange } from './change.tsx'
import { pathOf } from './person-name.ts'
import { SaveForm } from './save-form.tsx'
import { words } from './texts.ts'

/** Stores a consent for a person. */
export function StoreConsent({ id, say, reload }: { id: string; say: typeof toast; reload(): Promise<void> }) {
  const [client, setClient] = useState('')
  const [scopes, setScopes] = useState('openid')
  const change = useChange()
  const text = words().people.items.consent
  const save = () =>
    change.run(
      () =>
        call({
          method: 'POST',
          path: pathOf(id, 'authorizations'),
          body: { client_id: client.trim(), scopes: scopes.split(/\s+/).filter((one) => one !== '') },
        }),
      async () => {
        await reload()
        say(fillNodes(text.stored, { name: <bdi>{client.trim()}</bdi> }))
        setClient((now) => (now === client ? '' : now))
      },
    )
  return (
    <SaveForm change={change} shown={['client_id', 'scopes']} save={save} look="quiet" label={text.add}>
      <Field
        label={words().applications.clientId}
        name="client_id"
        required
        value={client}
        onInput={setClient}
        result={change.failed}
      />
      <Field
        label={words().pages.scopes}
        name="scopes"
        hint={text.scopesHint}
        required
        value={scopes}
        onInput={setScopes}
        result={change.failed}
      />
    </SaveForm>
  )
}
