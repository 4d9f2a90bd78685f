import { getJson } from '../api.ts'
import type { ShownField } from './attribute-field.tsx'

/** The answer of `GET /Account/RegisterContext`. `invitation`: that of this browser, by its address. */
export type RegistrationContext = {
  open: boolean
  invitation: { email: string } | null
  password_min_length: number
  passkeys: boolean
  /** The declared fields that are asked for. */
  attributes: ShownField[]
  /** The name of the service. */
  service: string
}

export const loadRegistrationContext = () => getJson<RegistrationContext>('/Account/RegisterContext')
