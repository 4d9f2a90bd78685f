import type { FunctionComponent } from 'preact'
import { NotFoundPage } from '../not-found.tsx'
import { loadAgainWhenRestored } from '../restored.ts'
import { site } from '../site.ts'
import { path, show } from '../start.tsx'
import { loadTexts } from '../texts.ts'
import { takeTypedFromAddress } from '../typed.ts'
import '../kit/area.css'
import './account.css'
import { ChoosePage } from './choose.tsx'
import { CompletePage } from './complete.tsx'
import { ConfirmPage } from './confirm.tsx'
import { ForgotPasswordPage } from './forgot-password.tsx'
import { askAhead } from './json.ts'
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

type AreaScript = {
  load(): Promise<{ default: FunctionComponent }>
  /** What the page reads of `/Account/Self/…` besides the profile, which is asked for while its script comes. */
  parts: string[]
}

/** The account area: each page is a script of its own. */
const areas: Record<string, AreaScript> = {
  '/account': { load: () => import('./overview.tsx'), parts: ['activity', 'sessions'] },
  '/account/security': { load: () => import('./security.tsx'), parts: site.passkeys ? ['passkeys'] : [] },
  '/account/devices': { load: () => import('./devices.tsx'), parts: ['sessions', 'browsers'] },
  '/account/applications': { load: () => import('./applications.tsx'), parts: ['applications'] },
  '/account/profile': { load: () => import('./profile.tsx'), parts: ['activity'] },
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
const area = Object.hasOwn(areas, path) ? areas[path] : undefined
// Before anything is waited for: the address is on the screen already.
if (path === '/account/confirm') takeLinkToken()
if (takeTypedFromAddress(...(page?.typed ?? []))) await new Promise(() => {})

// These show secrets. The others are forms, which keep what was typed.
if (area || path === '/account/secondfactor') loadAgainWhenRestored()

// A script that does not come leaves the notice that offers to load the page again, as texts do.
const loading = area?.load()
for (const part of area ? ['', ...area.parts.map((name) => `/${name}`)] : []) askAhead(`/Account/Self${part}`)
const [script] = await Promise.all([loading, loadTexts()])
const Component = script?.default ?? page?.component ?? NotFoundPage
show(<Component />)
