import { ButtonLink } from './kit/button.tsx'
import { Card } from './kit/layout.tsx'
import { texts } from './texts.ts'

export function NotFoundPage() {
  return (
    <Card title={texts.notFound.title}>
      <p class="message" role="alert">
        {texts.notFound.body}
      </p>
      <div class="actions">
        <ButtonLink href="/Account/Login">{texts.toSignIn}</ButtonLink>
      </div>
    </Card>
  )
}
