import type { ComponentChildren, RefObject } from 'preact'

type ListProps<T> = {
  items: readonly T[]
  /** Stands in its place where there is nothing. */
  empty?: ComponentChildren
  children(item: T, index: number): ComponentChildren
}

/** Things with lines between them. */
export function List<T>({ items, empty, children }: ListProps<T>) {
  if (items.length === 0) return empty ? <p class="quiet">{empty}</p> : null
  return <ul class="items rows">{items.map(children)}</ul>
}

type ItemProps = {
  /** Of what is said of the thing. */
  id?: string
  title?: ComponentChildren
  action?: ComponentChildren
  children?: ComponentChildren
}

/** A thing, and what can be done to it. */
export function Item({ id, title, action, children }: ItemProps) {
  return (
    <li class="item">
      <div class="what" id={id}>
        {title && <strong>{title}</strong>}
        {children}
      </div>
      {action}
    </li>
  )
}

type RowLinkProps = { href: string; name: string; children?: ComponentChildren }

/** A line that leads on. */
export function RowLink({ href, name, children }: RowLinkProps) {
  return (
    <li>
      <a class="row" href={href}>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        {children}
      </a>
    </li>
  )
}

/** Labels with their values, as far as there are values. */
export function Facts({
  facts,
}: {
  facts: readonly (readonly [label: ComponentChildren, value: ComponentChildren])[]
}) {
  return (
    <dl class="facts">
      {facts.map(
        ([label, value], index) =>
          value && (
            <div key={index}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

type DialogProps = {
  boxRef: RefObject<HTMLDialogElement | null>
  id: string
  title: string
  onClose?(): void
  children: ComponentChildren
}

/** What stands over the page until it is closed. */
export function Dialog({ boxRef, id, title, onClose, children }: DialogProps) {
  return (
    <dialog ref={boxRef} class="panel" onClose={onClose} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </dialog>
  )
}
