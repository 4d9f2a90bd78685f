import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Notice, RetryButton, Skeleton } from '../kit/layout.tsx'
import { texts } from '../texts.ts'
import { type Area, Frame } from './frame.tsx'
import { read } from './json.ts'
import { words } from './texts.ts'

/** Facts from the service. `value` is null until they first arrive. */
export type Loaded<T> = {
  value: T | null
  failed: boolean
  /** Reads them again; what is shown stays meanwhile. */
  reload(): Promise<void>
}

/** This long out of sight, and the page reads its facts again. */
const STALE_MS = 30_000

export function useLoaded<T>(address: string): Loaded<T> {
  const [state, setState] = useState<{ value: T | null; failed: boolean }>({ value: null, failed: false })
  const readAt = useRef(0)

  async function reload(): Promise<void> {
    const answer = await read<T>(address)
    readAt.current = Date.now()
    setState((before) => (answer.kind === 'ok' ? { value: answer.value, failed: false } : { ...before, failed: true }))
  }

  useEffect(() => {
    void reload()
    const onVisible = () => {
      if (document.visibilityState === 'visible' && Date.now() - readAt.current > STALE_MS) void reload()
    }
    document.addEventListener('visibilitychange', onVisible)
    return () => document.removeEventListener('visibilitychange', onVisible)
  }, [])
  return { ...state, reload }
}

/** `GET /Account/Self`, as far as the pages use it. */
export type Profile = {
  id: string
  username: string
  email: string
  email_verified: boolean
  name?: string
  locale?: string
  sign_in: {
    password: boolean
    password_changed_at: string | null
    passkeys: number
    totp: { created_at: string } | null
    apps: { id: string; name: string | null; created_at: string }[]
    recovery_codes: number
    external_logins: { provider: string; name: string; created_at: string }[]
  }
  next: string[]
  session: { recent_until: string }
  deletion: { due_at: string } | null
  providers: { provider: string; name: string }[]
  settings: {
    mail: boolean
    passkeys: boolean
    password_min_length: number
    deletion_delay: number
    languages: string[]
  }
}

export const useProfile = (): Loaded<Profile> => useLoaded<Profile>('/Account/Self')

type Props = {
  area: Area
  lead: string
  profile: Loaded<Profile>
  /** What else the page waits for. */
  others?: readonly Loaded<unknown>[]
  /** Called when everything is there. */
  children(): ComponentChildren
}

/** A page of the account area, which waits for its facts. */
export function AreaPage({ area, lead, profile, others = [], children }: Props) {
  const missing = [profile, ...others].filter(({ value }) => value === null)
  const person = profile.value && (profile.value.name || profile.value.username)
  const failed = missing.filter((each) => each.failed)
  const retry = () => {
    for (const each of failed) void each.reload()
  }
  return (
    <Frame area={area} person={person} lead={lead} busy={missing.length > 0}>
      {failed.length > 0 ? (
        <>
          <Notice>{texts.unreachable.body}</Notice>
          <div class="buttons">
            <RetryButton onClick={retry} />
          </div>
        </>
      ) : missing.length > 0 ? (
        <section class="panel">
          <Skeleton rows={['line', 'field', 'block', 'field']} />
        </section>
      ) : (
        children()
      )}
    </Frame>
  )
}

/** Facts of one part of a page. */
export function Part<T>({ loaded, children }: { loaded: Loaded<T>; children(value: T): ComponentChildren }) {
  if (loaded.value !== null) return <>{children(loaded.value)}</>
  if (!loaded.failed) return <Skeleton rows={['line', 'field']} />
  return (
    <Notice>
      {words().common.unreachable} <RetryButton quiet onClick={loaded.reload} />
    </Notice>
  )
}
