import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { scopeClaims } from '../../src/protocol/claims/standard-claims.ts'
import { numberInWords } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { Facts } from '../kit/list.tsx'
import { Part, useLoaded } from './loaded.tsx'
import { words } from './texts.ts'

/** The claims that OpenID Connect gives to a scope of this name, by their labels; nothing for any other. */
export function StandardClaims({ name }: { name: string }) {
  const claims = Object.hasOwn(scopeClaims, name) ? scopeClaims[name as keyof typeof scopeClaims] : []
  const labels: Readonly<Record<string, string>> = { ...words().people.members, role: words().people.roles }
  if (claims.length === 0) return null
  return (
    <Section id="brings" title={words().scopes.brings}>
      <ul class="plain">
        {claims.map((claim) => (
          <li key={claim}>
            {labels[claim] !== undefined && <>{labels[claim]} </>}
            <code dir="ltr">{claim}</code>
          </li>
        ))}
      </ul>
    </Section>
  )
}

type Counted = { clients: string[]; consents: number; grants: number }

/** Counts when it is shown: that takes a while where there are many people. `after`: said under the figures. */
export function Usage({ name, after }: { name: string; after?(isUsed: boolean): ComponentChildren }) {
  const loaded = useLoaded<Counted>(`/scopes/${encodeURIComponent(name)}/usage`)
  return (
    <Part loaded={loaded}>
      {({ clients, consents, grants }) => (
        <>
          <Facts
            facts={[
              [words().pages.applications, numberInWords(clients.length)],
              [words().scopes.consents, numberInWords(consents)],
              [words().home.totals.grants, numberInWords(grants)],
            ]}
          />
          {after?.(clients.length + consents + grants > 0)}
        </>
      )}
    </Part>
  )
}

/** The same, once somebody asks for it. */
export function UsageOnDemand({ name }: { name: string }) {
  const [isAsked, setAsked] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  // The button is gone.
  useEffect(() => {
    if (isAsked) place.current?.focus()
  }, [isAsked])
  return (
    <div ref={place} class="below said" role="status" tabIndex={-1}>
      {isAsked ? <Usage name={name} /> : <Button onClick={() => setAsked(true)}>{words().scopes.count}</Button>}
    </div>
  )
}
