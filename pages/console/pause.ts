import { useEffect, useState } from 'preact/hooks'

/** So long after the last key a search begins. */
export const PAUSE_MS = 250

/** What was typed, once no key has been pressed for a moment. */
export function usePaused(typed: string): string {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return settled
}
