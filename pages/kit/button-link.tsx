import type { ComponentChildren, JSX } from 'preact'
import { classes, type Look } from './button.tsx'

type LinkProps = Pick<JSX.IntrinsicElements['a'], 'aria-label' | 'onClick'> & {
  href: string
  look?: Look
  children: ComponentChildren
}

/** A link that looks like a button. */
export function ButtonLink({ look = 'main', children, ...others }: LinkProps) {
  return (
    <a class={classes[look]} {...others}>
      <span>{children}</span>
    </a>
  )
}
