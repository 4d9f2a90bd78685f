import { useRef, useState } from 'preact/hooks'
import { type ClientName, getJson, type LoginContext } from './api.ts'
import { Button } from './kit/button.tsx'
import { type PageData, usePageData } from './page-data.ts'
import { PostForm, TroubleNotice } from './post-form.tsx'
import { leadsToApplication } from './query.ts'
import { fillNodes, texts } from './texts.ts'

type BackProps = { data: PageData<unknown>; client: ClientName | null; returnUrl: string }

/** The way back to the application, which learns that nobody signed in. */
export function BackToApplication({ data, client: asking, returnUrl }: BackProps) {
  // A request that is good no longer is answered in words, when the button is pressed.
  const seen = useRef(asking)
  seen.current = asking ?? seen.current
  const client = seen.current
  if (!client) return null
  return (
    <PostForm class="back" action="/Account/Cancel" data={data} fields={[['ReturnUrl', returnUrl]]}>
      <Button type="submit" look="link" data-testid="back-to-application">
        {fillNodes(texts.backToApplication, { client: <bdi>{client.name || client.id}</bdi> })}
      </Button>
    </PostForm>
  )
}

/** The same on a page that knows only the address that it leads on to. */
export function WayBack({ returnUrl }: { returnUrl: string }) {
  return leadsToApplication(returnUrl) ? <LoadedWayBack key={returnUrl} returnUrl={returnUrl} /> : null
}

function LoadedWayBack({ returnUrl }: { returnUrl: string }) {
  const [client, setClient] = useState<ClientName | null>(null)
  const data = usePageData(async () => {
    const answer = await getJson<LoginContext>(`/Account/LoginContext?ReturnUrl=${encodeURIComponent(returnUrl)}`)
    if (answer.kind !== 'ok') return answer
    setClient(answer.value.client)
    return { kind: 'ok', value: {} }
  })
  return (
    <>
      {client && <TroubleNotice data={data} />}
      <BackToApplication data={data} client={client} returnUrl={returnUrl} />
    </>
  )
}
