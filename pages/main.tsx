import type { FunctionComponent } from 'preact'
import { render } from 'preact'
import { ConsentPage } from './consent.tsx'
import { ExternalLoginConfirmPage } from './external-login-confirm.tsx'
import { LoginPage } from './login.tsx'
import { LogoutPage } from './logout.tsx'
import { NotFoundPage } from './not-found.tsx'
import { ProblemPage, servedProblem } from './problem.tsx'
import { returnAddressToForm } from './tab-memory.ts'
import { chooseTexts } from './texts/index.ts'

const pages: Record<string, FunctionComponent> = {
  '/account/login': LoginPage,
  '/account/consent': ConsentPage,
  '/account/logout': LogoutPage,
  '/account/externalloginconfirm': ExternalLoginConfirmPage,
}

await chooseTexts(navigator.languages)

const problem = servedProblem()
if (!problem && location.pathname === '/') history.replaceState(null, '', '/Account/Login')
const path = location.pathname.toLowerCase().replace(/\/$/, '')
const Page = (Object.hasOwn(pages, path) && pages[path]) || NotFoundPage

returnAddressToForm(problem !== null)
document.getElementById('late')?.remove()
render(problem ? <ProblemPage problem={problem} /> : <Page />, document.getElementById('app') as HTMLElement)
