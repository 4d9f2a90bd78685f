import { Button } from '../kit/button.tsx'
import { Check } from '../kit/labelled.tsx'
import type { PageData } from '../page-data.ts'
import { PostForm } from '../post-form.tsx'
import { parameter } from '../query.ts'
import { CodeField } from './code-field.tsx'
import { words } from './texts.ts'

type Props = {
  data: PageData<unknown>
  method: 'totp' | 'email' | 'recovery'
  /** What became of the attempt before; null: there was none. */
  fault: string | null
}

/** A second factor that is a code. One by mail is asked for first. */
export function CodeFactor({ data, method, fault }: Props) {
  const text = words().secondFactor
  const own = text[method]
  const isMailed = parameter('method') === 'email' && (parameter('sent') !== null || parameter('error') !== null)
  if (method === 'email' && !isMailed) return <MailForm data={data} lead={text.email.ask} button={text.email.send} />
  return (
    <>
      <p class="lead">{own.lead}</p>
      <PostForm action="/Account/SecondFactor" data={data} fields={[['method', method]]}>
        <CodeField label={text.code} hint={own.hint} fault={fault} digits={method !== 'recovery'} />
        <RememberBrowser />
        <Button type="submit" look="main">
          {text.submit}
        </Button>
      </PostForm>
      {method === 'email' && <MailForm data={data} button={text.email.sendAgain} />}
    </>
  )
}

/** Asks for a code by mail; a former one ends. */
function MailForm({ data, lead, button }: { data: PageData<unknown>; lead?: string; button: string }) {
  return (
    <>
      {lead && <p class="lead">{lead}</p>}
      <PostForm class={lead ? '' : 'answer'} action="/Account/SecondFactor" data={data} fields={[['method', 'email']]}>
        <Button type="submit" look={!lead ? 'quiet' : 'main'}>
          {button}
        </Button>
      </PostForm>
    </>
  )
}

/** Whether this browser is asked for a second factor the next time. */
export function RememberBrowser() {
  return (
    <Check name="rememberBrowser" value="true">
      {words().secondFactor.remember}
    </Check>
  )
}
