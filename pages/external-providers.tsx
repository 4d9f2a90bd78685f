import { useEffect, useState } from 'preact/hooks'
import { type Answer, type ExternalProvider, getJson } from './api.ts'
import { Button } from './kit/button.tsx'
import { Icon } from './kit/icon.tsx'
import { RetryButton } from './kit/layout.tsx'
import type { PageData } from './page-data.ts'
import { PostForm } from './post-form.tsx'
import { remember } from './tab-memory.ts'
import { fillNodes, texts } from './texts.ts'

/** A button for each external provider. Below everything else, so that nothing moves when they arrive. */
export function ExternalProviders({ data, returnUrl }: { data: PageData<unknown>; returnUrl: string }) {
  const [answer, setAnswer] = useState<Answer<ExternalProvider[]> | null>(null)
  const load = () => void getJson<ExternalProvider[]>('/Account/ExternalProviders').then(setAnswer)
  useEffect(load, [])

  if (answer?.kind === 'unreachable')
    return (
      <p class="aside" role="alert">
        {texts.signIn.providersUnreachable} <RetryButton quiet onClick={load} />
      </p>
    )
  if (answer?.kind !== 'ok' || !answer.value.length) return null
  return (
    <>
      <Or />
      <PostForm
        action={`/Account/ExternalLogin?returnUrl=${encodeURIComponent(returnUrl)}`}
        data={data}
        onSend={() => remember('provider', returnUrl)}
      >
        <ProviderButtons providers={answer.value} />
      </PostForm>
    </>
  )
}

/** What stands between the ways of this service and those of others. */
export const Or = () => (
  <p class="or">
    <span>{texts.signIn.or}</span>
  </p>
)

export function ProviderButtons({ providers }: { providers: readonly ExternalProvider[] }) {
  return (
    <>
      {providers.map(({ name, displayName }) => (
        <Button type="submit" key={name} name="provider" value={name}>
          <ProviderMark name={name} />
          <span>{fillNodes(texts.signIn.continueWith, { provider: <bdi>{displayName || name}</bdi> })}</span>
        </Button>
      ))}
    </>
  )
}

/** A cat's head in a disc for GitHub; for any other provider, the way in. */
function ProviderMark({ name }: { name: string }) {
  if (name.toLowerCase() !== 'github') return <Icon path="M9.5 2.5h4v11h-4M2 8h7.5M6.75 5.25 9.5 8l-2.75 2.75" />
  return (
    <svg class="mark" viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
      <path d="M8 .5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15ZM4.4 3.6l2 1.2q1.6-.35 3.2 0l2-1.2q.35 1.1.1 2.1.5.7.5 1.7 0 2.9-2.9 3.4.5.6.5 1.5v2.6q-1.8.6-3.6 0v-1.2q-2 .4-2.7-1.5 1.2.6 2.8.2.1-1 .5-1.6-2.9-.5-2.9-3.4 0-1 .5-1.7-.25-1 .1-2.1Z" />
    </svg>
  )
}
