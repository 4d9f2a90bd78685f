import { Notice, RetryButton } from './kit/layout.tsx'
import type { PageData } from './page-data.ts'
import { texts } from './texts.ts'

/** Says above a form why it was not sent, and what to do. */
export function TroubleNotice({ data }: { data: PageData<unknown> }) {
  if (data.trouble?.kind === 'changed') return <Notice>{texts.changed}</Notice>
  if (data.trouble?.kind === 'cookies') return <Notice>{texts.cookies}</Notice>
  if (data.trouble?.kind !== 'unreachable') return null
  return (
    <Notice>
      {texts.unreachable.inForm} <RetryButton quiet onClick={data.retry} />
    </Notice>
  )
}
