import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { site } from '../site.ts'
import { fill } from '../texts.ts'
import { words } from './texts.ts'

/** Recovery codes that were just made, with ways to keep them. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept(): void }) {
  const [isCopied, setCopied] = useState(false)
  const text = words().recoveryCodes
  const title = fill(text.file, { service: site.name })

  async function copy() {
    await navigator.clipboard.writeText(codes.join('\n')).then(
      () => {
        setCopied(true)
        onKept()
      },
      // Only secure origins may; the codes can be selected as well.
      () => {},
    )
  }

  function download() {
    const address = URL.createObjectURL(new Blob([`${[title, '', ...codes].join('\n')}\n`], { type: 'text/plain' }))
    Object.assign(document.createElement('a'), { href: address, download: `${title}.txt` }).click()
    onKept()
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
  }

  return (
    <>
      <ol class="recovery-codes" dir="ltr">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="keeping">
        {navigator.clipboard && (
          <Button look="link" onClick={copy}>
            {isCopied ? text.copied : text.copy}
          </Button>
        )}
        <Button look="link" onClick={download}>
          {text.download}
        </Button>
        <Button look="link" onClick={() => print()}>
          {text.print}
        </Button>
        <span class="hidden" role="status">
          {isCopied && text.copied}
        </span>
      </div>
    </>
  )
}
