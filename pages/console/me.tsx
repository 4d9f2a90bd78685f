import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { keep, kept } from '../kept.ts'

/** `GET /me`: who uses the console, and what they may do. */
export type MeRecord = { username: string; permissions: string[] }

export type Me = {
  username: string
  may(permission: string): boolean
  /** Whether there is nothing that they may change. */
  isReadOnly: boolean
}

export const MeContext = createContext<Me>({ username: '', may: () => false, isReadOnly: false })
export const useMe = (): Me => useContext(MeContext)

const permittedKey = 'latchkey.console.permitted'

/**
 * Whether who used the console last in this browser had permissions. Only then is something asked for before it is known who
 * the person is: the service would refuse it to others, and record that.
 */
export const wasPermitted = (): boolean => kept(permittedKey) !== null

export const notePermitted = (isPermitted: boolean): void => keep(permittedKey, isPermitted ? 'true' : null)

export function meOf({ username, permissions }: MeRecord): Me {
  const held = new Set(permissions)
  const isReadOnly = permissions.every((permission) => permission.endsWith(':read'))
  return { username, may: (permission) => held.has(permission), isReadOnly }
}
