import { getJson } from '../api.ts'

/** The answer of `GET /Account/RegisterContext`. `invitation`: that of this browser, by its address. */
export type RegistrationContext = {
  open: boolean
  invitation: { email: string } | null
  password_min_length: number
  passkeys: boolean
  /** The name of the service. */
  service: string
}

export const loadRegistrationContext = () => getJson<RegistrationContext>('/Account/RegisterContext')
