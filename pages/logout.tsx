import { getJson, type LogoutContext } from './api.ts'
import { Card, PersonLine, Skeleton, Unreachable } from './layout.tsx'
import { usePageData } from './page-data.ts'
import { PostForm, SubmitButton } from './post-form.tsx'
import { ProblemPage } from './problem.tsx'
import { queryFields } from './query.ts'
import { fillNodes, texts } from './texts/index.ts'
import { TroubleNotice } from './trouble-notice.tsx'

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

  const { client, user } = facts
  const words = user
    ? client
      ? texts.signOut.fromClient
      : texts.signOut.plain
    : client
      ? texts.signOut.goneFromClient
      : texts.signOut.gone
  return (
    <Card
      title={user ? texts.signOut.title : texts.signOut.goneTitle}
      lead={fillNodes(words, {
        client: (
          <strong>
            <bdi>{client?.name || client?.id}</bdi>
          </strong>
        ),
      })}
    >
      <TroubleNotice data={data} />
      {user && <PersonLine label={texts.signOut.signedInAs} name={user.name} />}
      <PostForm action="/connect/logout" data={data} fields={queryFields()}>
        <SubmitButton name="Confirm" value="Yes">
          {texts.signOut.submit}
        </SubmitButton>
        {user && (
          <a class="button quiet" href="/Account/Login" onClick={goBackIfPossible}>
            <span>{texts.signOut.stay}</span>
          </a>
        )}
      </PostForm>
    </Card>
  )
}

/** Back to the application that asked, when it is the page before this one. */
function goBackIfPossible(event: MouseEvent) {
  if (history.length < 2 || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  history.back()
}
