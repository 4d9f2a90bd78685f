import type { FunctionComponent } from 'preact'
import { render } from 'preact'
import { ConsentPage } from './consent.tsx'
import { DevicePage } from './device.tsx'
import { ExternalLoginConfirmPage } from './external-login-confirm.tsx'
import { LoginPage } from './login.tsx'
import { LogoutPage } from './logout.tsx'
import { NotFoundPage } from './not-found.tsx'
import { ProblemPage, servedProblem } from './problem.tsx'
import { returnAddressToForm, takeForm } from './tab-memory.ts'
import { chooseTexts } from './texts/index.ts'
import { takeTypedFromAddress } from './typed.ts'

const pages: Record<string, FunctionComponent<{ signedOut: boolean }>> = {
  '/account/login': LoginPage,
  '/account/consent': ConsentPage,
  '/account/device': DevicePage,
  '/account/logout': LogoutPage,
  '/account/externalloginconfirm': ExternalLoginConfirmPage,
}

const problem = servedProblem()
const form = takeForm()
/** A sign-out leads to the root when no application has an address for it. */
const signedOut = location.pathname === '/' && form?.action === '/connect/logout'
if (problem && form) returnAddressToForm(form)
if (!problem && location.pathname === '/') history.replaceState(null, '', '/Account/Login')
const path = location.pathname.toLowerCase().replace(/\/$/, '')
// Before anything is waited for: the address is on the screen already.
if (!problem && takeTypedFromAddress(path)) await new Promise(() => {})

await chooseTexts(navigator.languages)

const Page = (Object.hasOwn(pages, path) && pages[path]) || NotFoundPage
document.getElementById('late')?.remove()
render(
  problem ? <ProblemPage problem={problem} /> : <Page signedOut={signedOut} />,
  document.getElementById('app') as HTMLElement,
)
