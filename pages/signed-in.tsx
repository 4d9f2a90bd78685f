import { Button, ButtonLink } from './kit/button.tsx'
import { Card, PersonLine } from './kit/layout.tsx'
import type { PageData } from './page-data.ts'
import { PostForm, TroubleNotice } from './post-form.tsx'
import { texts } from './texts.ts'

/** What a signed-in visitor finds at the login page when no application sent them there. */
export function SignedInCard({ data, name }: { data: PageData<unknown>; name: string }) {
  return (
    <Card title={texts.signedIn.title} lead={texts.signedIn.body}>
      <TroubleNotice data={data} />
      <PersonLine label={texts.signedInAs} name={name} />
      <PostForm action="/connect/logout" data={data}>
        <ButtonLink look="main" href="/Account">
          {texts.signedIn.account}
        </ButtonLink>
        <Button type="submit" look="quiet" name="Confirm" value="Yes">
          {texts.signedIn.submit}
        </Button>
        {/* A ReturnUrl requests the form, also while a user is signed in. */}
        <ButtonLink look="quiet" href="/Account/Login?ReturnUrl=%2F">
          {texts.signedIn.someoneElse}
        </ButtonLink>
      </PostForm>
    </Card>
  )
}
