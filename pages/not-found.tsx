import { Card } from './layout.tsx'
import { texts } from './texts.ts'

export function NotFoundPage() {
  return (
    <Card title={texts.notFound.title}>
      <p class="message" role="alert">
        {texts.notFound.body}
      </p>
      <div class="actions">
        <a class="button" href="/Account/Login">
          <span>{texts.toSignIn}</span>
        </a>
      </div>
    </Card>
  )
}
