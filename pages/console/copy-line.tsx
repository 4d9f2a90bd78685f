import { useState } from 'preact/hooks'
import { words } from './texts.ts'

/** A value in one line, with a button that copies it. `label`: what it is, for the name of the button. */
export function CopyLine({ label, value }: { label: string; value: string }) {
  const [copied, setCopied] = useState(false)
  const text = words().command
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
  }
  return (
    <span class="copy-line">
      <code dir="ltr">{value}</code>{' '}
      <button type="button" class="link" aria-label={`${copied ? text.copied : text.copy}: ${label}`} onClick={copy}>
        {copied ? text.copied : text.copy}
      </button>
    </span>
  )
}
