import type { FunctionComponent } from 'preact'
import { NotFoundPage } from '../not-found.tsx'
import { loadAgainWhenRestored } from '../restored.ts'
import { path, show } from '../start.tsx'
import { loadTexts } from '../texts.ts'
import { takeTypedFromAddress } from '../typed.ts'
import '../kit/area.css'
import './account.css'
import { ChoosePage } from './choose.tsx'
import { CompletePage } from './complete.tsx'
import { ConfirmPage } from './confirm.tsx'
import { ForgotPasswordPage } from './forgot-password.tsx'
import { takeLinkToken } from './link-token.ts'
import { RegisterPage } from './register.tsx'
import { ResetPasswordPage } from './reset-password.tsx'
import { SecondFactorPage } from './second-factor.tsx'
import { SetUpPage } from './set-up.tsx'

type Page = {
  component: FunctionComponent
  /** Parameters of the address that hold what a person typed; they are taken out of it, and `typed()` has them. */
  typed?: string[]
}

/** The account area: each page is a script of its own. */
const areas: Record<string, () => Promise<{ default: FunctionComponent }>> = {
  '/account': () => import('./overview.tsx'),
  '/account/security': () => import('./security.tsx'),
  '/account/devices': () => import('./devices.tsx'),
  '/account/applications': () => import('./applications.tsx'),
  '/account/profile': () => import('./profile.tsx'),
}

/** By path, in lower case. The server has the same list (`src/site/pages.ts`). */
const pages: Record<string, Page> = {
  '/account/choose': { component: ChoosePage },
  '/account/complete': { component: CompletePage },
  '/account/register': { component: RegisterPage, typed: ['email', 'username', 'details'] },
  '/account/confirm': { component: ConfirmPage },
  '/account/forgotpassword': { component: ForgotPasswordPage },
  '/account/resetpassword': { component: ResetPasswordPage },
  '/account/secondfactor': { component: SecondFactorPage },
  '/account/setup': { component: SetUpPage, typed: ['email', 'username'] },
}

const page = Object.hasOwn(pages, path) ? pages[path] : undefined
// Before anything is waited for: the address is on the screen already.
if (path === '/account/confirm') takeLinkToken()
if (takeTypedFromAddress(...(page?.typed ?? []))) await new Promise(() => {})

// These show secrets. The others are forms, which keep what was typed.
if (Object.hasOwn(areas, path) || path === '/account/secondfactor') loadAgainWhenRestored()

// A script that does not come leaves the notice that offers to load the page again, as texts do.
const [area] = await Promise.all([Object.hasOwn(areas, path) ? areas[path]?.() : undefined, loadTexts()])
const Component = area?.default ?? page?.component ?? NotFoundPage
show(<Component />)
