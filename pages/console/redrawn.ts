import { useEffect, useState } from 'preact/hooks'

/** Draws a component anew whenever one of the listeners is called, for as long as it is shown. */
export function useRedrawn(listeners: Set<() => void>): void {
  const [, show] = useState(0)
  useEffect(() => {
    const update = () => show((count) => count + 1)
    listeners.add(update)
    return () => {
      listeners.delete(update)
    }
  }, [])
}
