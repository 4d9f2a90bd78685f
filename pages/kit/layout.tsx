import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Footer } from '../footer.tsx'
import { type Site, site } from '../site.ts'
import { Avatar } from './avatar.tsx'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import './kit.css'
import { fill, texts } from '../texts.ts'

type CardProps = {
  /** The heading, and the window's title unless `windowTitle` is given. */
  title: ComponentChildren
  windowTitle?: string
  lead?: ComponentChildren
  /** Still loading: the card keeps its place, and its content is announced when it is there. */
  busy?: boolean
  /** Stands at the end of the line with the brand. */
  mark?: ComponentChildren
  children?: ComponentChildren
}

/** Whether this window has shown anything to lose the focus from. */
let contentShown = false

/** The one card that every page is. */
export function Card({ title, windowTitle = String(title), lead, busy, mark, children }: CardProps) {
  const heading = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    document.title = fill(texts.windowTitle, { page: windowTitle, service: site.name })
    // When the content is exchanged under a keyboard or screen-reader user, focus must not be lost with it.
    if (contentShown && document.activeElement === document.body) heading.current?.focus()
    if (!busy) contentShown = true
  }, [windowTitle, busy])

  return (
    <div class="page">
      <main class="card" aria-busy={busy}>
        <CardContent heading={heading} title={title} lead={lead} mark={mark}>
          {children}
        </CardContent>
      </main>
      <Footer />
    </div>
  )
}

type ContentProps = Pick<CardProps, 'title' | 'lead' | 'mark' | 'children'> & {
  heading?: RefObject<HTMLHeadingElement | null>
}

/** What is in the card. */
export function CardContent({ heading, title, lead, mark, children }: ContentProps) {
  return (
    <>
      <Brand mark={mark} />
      <h1 ref={heading ?? null} tabIndex={-1}>
        {title}
      </h1>
      {lead && <p class="lead">{lead}</p>}
      {children}
    </>
  )
}

type BrandProps = { mark?: ComponentChildren; of?: Pick<Site, 'name' | 'logo' | 'initial'> }

/** `of`: another brand than that of this service. */
export function Brand({ mark, of: { name, logo, initial } = site }: BrandProps) {
  return (
    <div class="brand">
      {logo ? (
        <picture>
          {logo.dark && <source srcset={logo.dark} media="(prefers-color-scheme: dark)" />}
          <img class={logo.dark ? 'own bare' : 'own'} src={logo.src} width={logo.width} height="32" alt="" />
        </picture>
      ) : (
        <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
          <rect width="32" height="32" rx="9" />
          {initial ? (
            <text x="16" y="22.5">
              {initial}
            </text>
          ) : (
            <>
              <circle cx="16" cy="11" r="4.25" />
              <path d="M16 15.25V25.5M16 20h4.25M16 25h4.25" />
            </>
          )}
        </svg>
      )}
      <span class={logo?.alone && 'hidden'}>{name}</span>
      {mark}
    </div>
  )
}

type NoticeProps = { id?: string; role?: 'alert' | 'status' | 'note'; children: ComponentChildren }

/** A message about an error, announced as soon as it appears; as `status` or `note` about what is no error. */
export function Notice({ id, role = 'alert', children }: NoticeProps) {
  return (
    <div id={id} class="notice" role={role}>
      <Icon path="M8 1.75a6.25 6.25 0 1 0 0 12.5 6.25 6.25 0 0 0 0-12.5ZM8 4.75v4M8 11.1v.15" />
      <div>{children}</div>
    </div>
  )
}

type PersonProps = { label: ComponentChildren; name: string; children?: ComponentChildren }

/** Who is signed in, as a line with initials. */
export function PersonLine({ label, name, children }: PersonProps) {
  return (
    <div class="person">
      <Avatar name={name} />
      <span class="who">
        <small>{label}</small>
        <bdi>{name}</bdi>
      </span>
      {children}
    </div>
  )
}

/** Grey lines where the content will be. `rows` are heights in the style sheet's steps. */
export function Skeleton({ rows }: { rows: readonly ('line' | 'field' | 'block' | 'button')[] }) {
  return (
    <div class="skeleton">
      <p class="hidden" role="status">
        {texts.loading}
      </p>
      {rows.map((row, index) => (
        <div key={index} class={row} />
      ))}
    </div>
  )
}

export function RetryButton({ onClick, quiet }: { onClick(): void; quiet?: boolean }) {
  return (
    <Button look={quiet ? 'link' : 'main'} onClick={onClick}>
      {texts.tryAgain}
    </Button>
  )
}

/** The page when nothing of it could be loaded. */
export function Unreachable({ onRetry }: { onRetry(): void }) {
  return (
    <Card title={texts.unreachable.title}>
      <Notice>{texts.unreachable.body}</Notice>
      <div class="actions">
        <RetryButton onClick={onRetry} />
      </div>
    </Card>
  )
}
