import type { ComponentChildren, JSX, RefObject } from 'preact'

export type Look = 'main' | 'quiet' | 'danger' | 'link'

export const classes = { main: 'button', quiet: 'button quiet', danger: 'button danger', link: 'link' }

type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'class' | 'ref'> & {
  look?: Look | undefined
  /** Whether an answer is waited for. */
  busy?: boolean
  buttonRef?: RefObject<HTMLButtonElement | null>
}

export function Button({ look = 'quiet', busy, buttonRef, children, ...others }: ButtonProps) {
  return (
    <button
      type="button"
      {...others}
      {...(buttonRef && { ref: buttonRef })}
      class={classes[look]}
      aria-busy={busy || undefined}
    >
      <span>{children}</span>
    </button>
  )
}

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
