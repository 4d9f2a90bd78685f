import { fillNodes } from '../texts.ts'
import { words } from './texts.ts'

/** Says where a mail went, and leads to the page that takes its code. */
export function MailSent({ address }: { address: string }) {
  const text = words().profile.email
  return (
    <div role="status">
      <p>{fillNodes(text.sent, { address: <bdi>{address}</bdi> })}</p>
      <a href={`/Account/Confirm?purpose=email&ReturnUrl=${encodeURIComponent(location.pathname)}`}>{text.enter}</a>
    </div>
  )
}
