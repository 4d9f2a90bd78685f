import type { RefObject } from 'preact'
import { described, Explained, Fault } from '../kit/field.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { typed } from '../typed.ts'
import { words } from './texts.ts'

type Props = {
  inputRef: RefObject<HTMLInputElement | null>
  fault: string | null
}

const common = { dir: 'auto', autocapitalize: 'none', autocorrect: 'off', spellcheck: false } as const

/** The e-mail address of a new account, as it was typed before the service asked again. */
export function NewEmailField({ inputRef, fault }: Props) {
  return (
    <Explained id="email" label={words().register.email} fault={fault}>
      <input
        {...common}
        ref={inputRef}
        id="email"
        name="email"
        type="email"
        autocomplete="email"
        defaultValue={typed('email') ?? ''}
        {...described('email', { fault })}
      />
    </Explained>
  )
}

/** The user name of a new account, as it was typed before the service asked again. */
export function NewUsernameField({ inputRef, fault }: Props) {
  const { username, usernameHint } = words().register
  return (
    <Labelled id="username" label={username} hint={usernameHint}>
      <input
        {...common}
        ref={inputRef}
        id="username"
        name="username"
        type="text"
        autocomplete="username"
        defaultValue={typed('username') ?? ''}
        {...described('username', { fault, hint: usernameHint })}
      />
      <Fault id="username">{fault}</Fault>
    </Labelled>
  )
}
