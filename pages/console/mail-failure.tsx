import type { ComponentChildren } from 'preact'
import { InEnglish } from './problem.tsx'
import { words } from './texts.ts'

export type MailState = 'queued' | 'sent' | 'failed'

/** What the API says of a mail's last attempt. */
export type Failed = { failure: string | null; error: string | null }

/** What the service itself notes; everything else is an answer of the mail server. */
const own: ReadonlySet<string> = new Set(['too_late', 'interrupted', 'unreadable'])

/** Why an attempt failed, in a sentence, with the words of the mail server; undefined: it did not. */
export function reasonOfMail({ failure, error }: Failed): ComponentChildren {
  if (failure === null) return undefined
  const sentences: Record<string, string> = words().mails.failures
  return (
    <>
      {sentences[failure] ?? sentences.other}
      {error !== null && !own.has(failure) && (
        <>
          {' '}
          <code>
            <InEnglish>{error}</InEnglish>
          </code>
        </>
      )}
    </>
  )
}
