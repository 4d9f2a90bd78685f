import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Footer } from '../footer.tsx'
import { Brand } from '../layout.tsx'
import { site } from '../site.ts'
import { fill, texts } from '../texts.ts'
import { ShowAsCommand } from './command.tsx'
import { useMe } from './me.tsx'
import { pages } from './pages.ts'
import { at } from './router.tsx'
import { signOut } from './session.ts'
import { words } from './texts.ts'

type Props = {
  /** The page of the navigation that this one belongs to. */
  page: string
  title: ComponentChildren
  /** The window's title, where `title` is no text. */
  windowTitle?: string
  /** Stands above the title: the way back to a list. */
  back?: { address: string; label: string }
  lead?: ComponentChildren
  /** Buttons beside the title. */
  actions?: ComponentChildren
  busy?: boolean
  children?: ComponentChildren
}

/** A page of the console: the navigation beside it, above it on a phone. */
export function Frame({ page, title, windowTitle = String(title), back, lead, actions, busy, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const me = useMe()
  const text = words()

  useEffect(() => {
    document.title = fill(texts.windowTitle, { page: windowTitle, service: site.name })
  }, [windowTitle])

  useEffect(() => {
    // When the content is exchanged under a keyboard or screen-reader user, focus must not be lost with it.
    if (!busy && document.activeElement === document.body) heading.current?.focus()
  }, [busy, windowTitle])

  return (
    <div class="area console">
      <a class="skip" href="#content">
        {text.frame.skip}
      </a>
      <header>
        <Brand mark={<span class="tag">{text.frame.console}</span>} />
        <span class="signed-in">
          <bdi>{me.username}</bdi>
        </span>
      </header>
      <nav aria-label={text.frame.navigation}>
        <ul>
          {pages
            .filter(({ permission }) => me.may(permission))
            .map(({ name, path }) => (
              <li key={name}>
                <a href={at(...path)} aria-current={name === page ? 'page' : undefined}>
                  {text.pages[name]}
                </a>
              </li>
            ))}
          <li class="apart">
            <button type="button" class="as-link" onClick={signOut}>
              {text.frame.signOut}
            </button>
          </li>
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
        <ShowAsCommand />
      </main>
      <Footer />
    </div>
  )
}

type SectionProps = { id: string; title: ComponentChildren; children: ComponentChildren }

/** A part of a page, with its heading. */
export function Section({ id, title, children }: SectionProps) {
  return (
    <section class="panel" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  )
}
