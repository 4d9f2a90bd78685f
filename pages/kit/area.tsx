import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Footer } from '../footer.tsx'
import { site } from '../site.ts'
import { fill, texts } from '../texts.ts'
import './area.css'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { Brand } from './layout.tsx'

/** `icon`: the path of a drawing before the words. `isFirst`: begins another part of the navigation. */
export type AreaLink = { href: string; label: string; isCurrent: boolean; icon?: string; isFirst?: boolean }

export type AreaProps = {
  title: ComponentChildren
  /** The window's title, where `title` is no text. */
  windowTitle?: string | undefined
  /** Stands beside the brand. */
  mark?: ComponentChildren
  /** Stands before who is signed in. */
  tools?: ComponentChildren
  /** Who is signed in. */
  person: ComponentChildren
  /** The words that lead over the navigation, and those that name it. */
  skip: string
  navigation: string
  links: readonly AreaLink[]
  /** The last entry of the navigation. */
  signOut: ComponentChildren
  /** Stands above the title: the way back to a list. */
  back?: { address: string; label: string } | undefined
  lead?: ComponentChildren
  /** Buttons beside the title. */
  actions?: ComponentChildren
  /** Still loading: the page keeps its place, and its content is announced when it is there. */
  busy?: boolean | undefined
  /** Whether the footer has the choice of a language. */
  chooser?: boolean
  /** For long rows. */
  wide?: boolean
  /** The words of the button that unfolds the navigation on a phone; absent: the navigation is always there. */
  menu?: string
  children: ComponentChildren
}

/** A page of an area: the navigation beside it, above it on a phone. */
export function AreaFrame({ title, windowTitle = String(title), busy, chooser = true, wide, ...props }: AreaProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { mark, tools, person, skip, navigation, links, signOut, back, lead, actions, menu, children } = props
  const [isUnfolded, setUnfolded] = useState(false)

  useEffect(() => {
    document.title = fill(texts.windowTitle, { page: windowTitle, service: site.name })
  }, [windowTitle])

  useEffect(() => {
    // When the content is exchanged under a keyboard or screen-reader user, focus must not be lost with it.
    if (!busy && document.activeElement === document.body) heading.current?.focus()
  }, [busy, windowTitle])

  return (
    <div class={wide ? 'area wide' : 'area'}>
      <a class="skip" href="#content">
        {skip}
      </a>
      <header>
        <Brand mark={mark} />
        {tools}
        {person && <bdi class="signed-in">{person}</bdi>}
        {menu && (
          <div class="menu">
            <Button aria-expanded={isUnfolded} aria-controls="navigation" onClick={() => setUnfolded(!isUnfolded)}>
              {menu}
            </Button>
          </div>
        )}
      </header>
      <nav id="navigation" aria-label={navigation} class={menu && !isUnfolded ? 'folded' : undefined}>
        <ul>
          {menu && person && (
            <li class="who">
              <bdi>{person}</bdi>
            </li>
          )}
          {links.map(({ href, label, isCurrent, icon, isFirst }) => (
            <li key={href} class={isFirst ? 'apart' : undefined}>
              <a href={href} aria-current={isCurrent ? 'page' : undefined} onClick={() => setUnfolded(false)}>
                {icon !== undefined && <Icon path={icon} />}
                {label}
              </a>
            </li>
          ))}
          <li class="apart">{signOut}</li>
        </ul>
      </nav>
      <main id="content" aria-busy={busy}>
        {back && (
          <p class="back">
            <a href={back.address}>{back.label}</a>
          </p>
        )}
        <div class="head">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {actions && <div class="buttons">{actions}</div>}
        </div>
        {lead && <p class="lead">{lead}</p>}
        {children}
      </main>
      <Footer chooser={chooser} />
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
