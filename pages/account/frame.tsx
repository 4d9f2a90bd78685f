import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Footer } from '../footer.tsx'
import { Brand, Notice } from '../layout.tsx'
import { site } from '../site.ts'
import { recall, remember } from '../tab-memory.ts'
import { fill, texts } from '../texts.ts'
import { words } from './texts.ts'

/** The pages of the account area, in the order of the navigation. */
const areas = ['overview', 'security', 'devices', 'applications', 'profile'] as const
export type Area = (typeof areas)[number]

const addressOf = (area: Area): string =>
  `/Account${area === 'overview' ? '' : `/${area[0]?.toUpperCase()}${area.slice(1)}`}`

/** Somebody else had signed in when something was to be changed, and the page was loaded again. */
const isChanged = recall('changed') === 'true'
if (isChanged) remember('changed', '')

type Props = {
  area: Area
  /** Who is signed in; null while it is not known. */
  person: string | null
  lead?: ComponentChildren
  /** Still loading: the page keeps its place, and its content is announced when it is there. */
  busy?: boolean
  children?: ComponentChildren
}

/** A page of the account area: the navigation beside it, above it on a phone. */
export function Frame({ area, person, lead, busy, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const title = words().area[area]

  useEffect(() => {
    document.title = fill(texts.windowTitle, { page: title, service: site.name })
  }, [title])

  useEffect(() => {
    // When the content is exchanged under a keyboard or screen-reader user, focus must not be lost with it.
    if (!busy && document.activeElement === document.body) heading.current?.focus()
  }, [busy])

  return (
    <div class="area">
      <a class="skip" href="#content">
        {words().area.skip}
      </a>
      <header>
        <Brand mark={person && <bdi class="signed-in">{person}</bdi>} />
      </header>
      <nav aria-label={words().area.navigation}>
        <ul>
          {areas.map((each) => (
            <li key={each}>
              <a href={addressOf(each)} aria-current={each === area ? 'page' : undefined}>
                {words().area[each]}
              </a>
            </li>
          ))}
          <li class="apart">
            <a href="/Account/Logout">{words().area.signOut}</a>
          </li>
        </ul>
      </nav>
      <main id="content" aria-busy={busy}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead && <p class="lead">{lead}</p>}
        {isChanged && !busy && <Notice>{texts.changed}</Notice>}
        {children}
      </main>
      <Footer chooser={area !== 'profile'} />
    </div>
  )
}

type SectionProps = { id: string; title: ComponentChildren; children: ComponentChildren }

/** A part of a page, with its heading. `id`: for links to it. */
export function Section({ id, title, children }: SectionProps) {
  return (
    <section class="panel" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  )
}
