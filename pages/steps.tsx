import type { FunctionComponent } from 'preact'
import { ConsentPage } from './consent.tsx'
import { DevicePage } from './device.tsx'
import { ExternalLoginConfirmPage } from './external-login-confirm.tsx'
import { LogoutPage } from './logout.tsx'
import { NotFoundPage } from './not-found.tsx'
import { ProblemPage, servedProblem } from './problem.tsx'
import { path, show } from './start.tsx'
import './steps.css'
import { returnAddressToForm, takeForm } from './tab-memory.ts'
import { loadTexts } from './texts.ts'
import { takeTypedFromAddress } from './typed.ts'

const pages: Record<string, FunctionComponent> = {
  '/account/consent': ConsentPage,
  '/account/device': DevicePage,
  '/account/logout': LogoutPage,
  '/account/externalloginconfirm': ExternalLoginConfirmPage,
}

const problem = servedProblem()
const form = takeForm()
if (problem && form) returnAddressToForm(form)
// Before anything is waited for: the address is on the screen already.
if (!problem && pages[path] === ExternalLoginConfirmPage && takeTypedFromAddress('email')) await new Promise(() => {})

await loadTexts()
const Page = (Object.hasOwn(pages, path) && pages[path]) || NotFoundPage
show(problem ? <ProblemPage problem={problem} /> : <Page />)
