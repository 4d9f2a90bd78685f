import { useEffect, useRef, useState } from 'preact/hooks'
import { fetchToken } from '../antiforgery.ts'
import { askForJson } from '../api.ts'
import type { PageData } from '../page-data.ts'
import type { Field } from '../query.ts'
import { fill } from '../texts.ts'
import { type CreationOptions, createPasskey, systemName } from './passkey-creation.ts'
import { words } from './texts.ts'

type Owner = { username: string; email: string }

/**
 * Makes the passkey of an account that the form is about to create: the press of its button waits for the ceremony, and is then
 * repeated with the credential among the fields.
 */
export function usePasskeyCeremony(data: PageData<unknown>) {
  const button = useRef<HTMLButtonElement>(null)
  const isAsking = useRef(false)
  const [ready, setReady] = useState<{ fields: Field[] } | null>(null)
  const [trouble, setTrouble] = useState<'cancelled' | 'failed' | 'unsupported' | null>(null)

  // The press is repeated when the fields stand in the form.
  useEffect(() => {
    if (ready !== null) button.current?.click()
  }, [ready])

  async function make({ username, email }: Owner): Promise<void> {
    if (!data.isFresh()) await fetchToken()
    const answer = await askForJson<CreationOptions | { fault: string }>('/Account/SetUpPasskeyOptions', {
      method: 'POST',
      body: new URLSearchParams({ email, username }),
    })
    // The service says what is wrong with the fields, or that the address is over, when the form is sent.
    if (answer.kind === 'unreachable') return data.giveUp()
    if (answer.kind === 'refused' || 'fault' in answer.value) return setReady({ fields: [] })
    const created = await createPasskey(answer.value)
    if (created.kind === 'exists') return setTrouble('failed')
    if (created.kind !== 'ok') return setTrouble(created.kind)
    const system = systemName()
    const name = system ? fill(words().firstPasskey.name, { system }) : words().firstPasskey.plainName
    setReady({
      fields: [
        ['credential', JSON.stringify(created.credential)],
        ['passkeyName', name],
      ],
    })
  }

  function intercept(event: MouseEvent, owner: Owner): void {
    if (ready !== null) return
    // The form is not sent, nor its turn taken.
    event.preventDefault()
    event.stopPropagation()
    if (isAsking.current) return
    isAsking.current = true
    setTrouble(null)
    void make(owner).finally(() => {
      isAsking.current = false
    })
  }

  return { button, fields: ready?.fields ?? [], trouble, intercept }
}
