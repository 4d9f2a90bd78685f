/** Every page of the account area as people see it, in both themes, on a narrow screen and mirrored. */
import { axeFor } from './accessible.ts'
import { open, test } from './account-area.ts'
import { expect, signInQuietly } from './fixtures.ts'

test.use({ ownPage: true, expectedErrors: /status of 4/ })

const areas = {
  Overview: '',
  Security: '/Security',
  Devices: '/Devices',
  Applications: '/Applications',
  Profile: '/Profile',
}

for (const [name, below] of Object.entries(areas)) {
  test(`${name} of the account (WCAG 2.2 AA), at 320 pixels and mirrored`, async ({ page, person }) => {
    await signInQuietly(page, person)
    await open(page, below)
    await expect(page.locator('h1')).toHaveText(name)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const { violations } = await axeFor(page, colorScheme).analyze()
      expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([])
    }
    await page.setViewportSize({ width: 320, height: 640 })
    for (const dir of ['ltr', 'rtl']) {
      await page.evaluate(`document.documentElement.dir = ${JSON.stringify(dir)}`)
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    }
  })
}
