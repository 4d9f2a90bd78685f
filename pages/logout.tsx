import type { Message } from '#messages'
import { type ClientName, getJson, type LogoutContext, type Person } from './api.ts'
import { Button, ButtonLink } from './kit/button.tsx'
import { Card, PersonLine, Skeleton, Unreachable } from './kit/layout.tsx'
import { type PageData, usePageData } from './page-data.ts'
import { PostForm, TroubleNotice } from './post-form.tsx'
import { ProblemPage } from './problem.tsx'
import { parameter, queryFields } from './query.ts'
import { fill, fillNodes, texts } from './texts.ts'

export function LogoutPage() {
  const data = usePageData(() => getJson<LogoutContext>(`/Account/LogoutContext${location.search}`))
  const { facts, trouble } = data
  if (trouble?.kind === 'refused') return <ProblemPage problem={trouble.problem} />
  if (trouble?.kind === 'unreachable' && !facts) return <Unreachable onRetry={data.retry} />
  if (!facts)
    return (
      <Card busy title={texts.signOut.loadingTitle}>
        <Skeleton rows={['line', 'block', 'button', 'button']} />
      </Card>
    )

  return facts.user ? (
    <SignOutCard data={data} client={facts.client} user={facts.user} />
  ) : (
    <SignedOutCard data={data} client={facts.client} />
  )
}

type CardProps = { data: PageData<LogoutContext>; client: ClientName | null }

function SignOutCard({ data, client, user }: CardProps & { user: Person }) {
  const words = texts.signOut
  return (
    <Card title={words.title} lead={client ? about(words.fromClient, client) : words.plain}>
      <TroubleNotice data={data} />
      <PersonLine label={texts.signedInAs} name={user.name} />
      <PostForm action="/connect/logout" data={data} fields={queryFields()}>
        <Button type="submit" look="main" name="Confirm" value="Yes">
          {words.submit}
        </Button>
        <ButtonLink look="quiet" href="/Account/Login" onClick={goBackIfPossible}>
          {words.stay}
        </ButtonLink>
      </PostForm>
    </Card>
  )
}

/** Nobody is signed in: there is nothing to confirm, and at most an application to go back to. */
function SignedOutCard({ data, client }: CardProps) {
  const words = texts.signOut
  // By now the service has checked that it is registered.
  const leadsBack = client && parameter('post_logout_redirect_uri')
  return (
    <Card title={words.goneTitle} lead={leadsBack ? about(words.goneFromClient, client) : words.gone}>
      <TroubleNotice data={data} />
      {leadsBack ? (
        <PostForm action="/connect/logout" data={data} fields={queryFields()}>
          <Button
            type="submit"
            look="main"
            name="Confirm"
            value="Yes"
            aria-label={fill(words.continueTo, { client: nameOf(client) })}
          >
            {words.continue}
          </Button>
        </PostForm>
      ) : (
        <div class="actions">
          <ButtonLink href="/Account/Login">{texts.toSignIn}</ButtonLink>
        </div>
      )}
    </Card>
  )
}

const nameOf = (client: ClientName) => client.name || client.id

function about(words: Message<'client'>, client: ClientName) {
  const name = (
    <strong>
      <bdi>{nameOf(client)}</bdi>
    </strong>
  )
  return fillNodes(words, { client: name })
}

/** Back to the application that asked, when it is the page before this one. */
function goBackIfPossible(event: MouseEvent) {
  if (history.length < 2 || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  history.back()
}
