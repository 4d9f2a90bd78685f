import { useState } from 'preact/hooks'

/** Decoration, and shown once it has loaded: the name stands beside it, and nothing moves for it. */
export function ClientLogo({ id }: { id: string }) {
  const [loaded, setLoaded] = useState(false)
  return (
    <img
      class="logo"
      alt=""
      hidden={!loaded}
      onLoad={() => setLoaded(true)}
      src={`/Account/ClientLogo?client_id=${encodeURIComponent(id)}`}
    />
  )
}
