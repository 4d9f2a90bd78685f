/** The pages that most people see: WCAG 2.2 AA as far as a machine can tell, in both themes, on a phone and a desktop. */
import { authorizePath } from '../support/browser.ts'
import { checkStates, opened, signedIn } from './accessible.ts'
import { authorizeAt, signInQuietly, test } from './fixtures.ts'

test.use({ expectedErrors: /status of 4/ })

checkStates(test, {
  login: opened('/Account/Login', 'Remember me'),
  'login, refused': opened('/Account/Login?error=invalid_credentials&username=alice&rememberMe=true', 'not correct'),
  consent: async (page, { person, site }) => {
    await signInQuietly(page, person)
    await page.goto(authorizeAt(site, { scope: 'openid offline_access demo_api profile roles' }))
    return 'It is asking to'
  },
  problem: async (page) => {
    await page.goto(authorizePath({ client_id: 'nobody' }))
    await page.getByText('Details for developers').click()
    return 'Trace ID'
  },
  'sign-out': signedIn('/connect/logout?client_id=demo', 'Stay signed in'),
})
