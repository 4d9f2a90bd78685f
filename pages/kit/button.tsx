import type { JSX, RefObject } from 'preact'

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
