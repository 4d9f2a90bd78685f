import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** `GET /me`: who uses the console, and what they may do. */
export type MeRecord = { username: string; permissions: string[] }

export type Me = {
  username: string
  may(permission: string): boolean
}

export const MeContext = createContext<Me>({ username: '', may: () => false })
export const useMe = (): Me => useContext(MeContext)

export function meOf({ username, permissions }: MeRecord): Me {
  const held = new Set(permissions)
  return { username, may: (permission) => held.has(permission) }
}
