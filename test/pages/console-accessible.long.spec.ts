/** What a screen reader is told on the pages of the console, how large what is pressed is, and pages that are twice as large. */
import { someFactors } from '../storage/records.ts'
import { addClient, addUser, type TestService } from '../support/service.ts'
import { expectNoSidewaysScrolling } from './accessible.ts'
import { open, settled, test } from './console.ts'
import { expect, type Page } from './fixtures.ts'

test.use({ ownPage: true })

/** Every page, with what there is to press on it. */
async function pagesOf(service: TestService): Promise<readonly string[]> {
  const { storage } = service
  const known = await storage.users.findByName('ada')
  const user = known ?? (await addUser(service, 'ada', { roles: ['reader'] }))
  if (known === undefined) {
    await storage.secondFactors.change(user.id, () => ({ factors: someFactors(user), events: [] }))
    await storage.roles.create({ name: 'reader', description: 'Reads', createdAtMs: 1 })
    await addClient(service, { id: 'reading-room', name: 'Reading room' })
  }
  const person = ['', '/sign-in', '/applications', '/roles', '/activity', '/json'].map(
    (tab) => `/people/${user.id}${tab}`,
  )
  const application = ['', '/setup', '/addresses', '/tokens', '/branding', '/secrets', '/usage'].map(
    (tab) => `/applications/reading-room${tab}`,
  )
  const lists = ['people', 'groups', 'attributes', 'applications', 'scopes', 'roles', 'keys', 'activity', 'mails']
  const forms = [
    'people/new',
    'people/invite',
    'people/invitations',
    'groups/new',
    'attributes/new',
    'scopes/new',
    'roles/new',
  ]
  const others = ['explain', 'branding', 'settings', 'applications/new', 'applications/new?for=own', 'roles/reader']
  return ['', ...[...lists, ...forms, ...others].map((path) => `/${path}`), ...person, ...application]
}

/** What has to have a name: what is operated, and what is a landmark of its own. */
const named =
  /^(?:button|link|textbox|searchbox|combobox|listbox|option|checkbox|radio|switch|slider|spinbutton|tab|menuitem|dialog|form|region|navigation|table|columnheader|image|img|DisclosureTriangle|heading)$/

type Node = {
  ignored: boolean
  role?: { value: string }
  name?: { value: string }
  properties?: { name: string; value: { value: unknown } }[]
}

/** The tree of Chromium, as lines of role and name. */
async function treeOf(page: Page): Promise<readonly { role: string; name: string; focusable: boolean }[]> {
  const devtools = await page.context().newCDPSession(page)
  const { nodes } = (await devtools.send('Accessibility.getFullAXTree')) as { nodes: Node[] }
  await devtools.detach()
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, properties }) => ({
      role: role?.value ?? '',
      name: (name?.value ?? '').trim(),
      focusable: properties?.some((one) => one.name === 'focusable' && one.value.value === true) ?? false,
    }))
}

test('everything that is operated has a name in the accessibility tree (WCAG 4.1.2)', async ({ page, service }) => {
  test.slow()
  await open(page, 'root', '')
  let controls = 0
  const text: string[] = []
  for (const below of await pagesOf(service)) {
    await page.goto(`/admin${below}`)
    await settled(page)
    await page.locator('main details').evaluateAll((all) => {
      for (const one of all) (one as HTMLDetailsElement).open = true
    })
    const tree = await treeOf(page)
    const nameless = tree.filter(({ role, name }) => name === '' && named.test(role))
    expect(nameless, below).toEqual([])
    expect(
      tree.filter(({ role }) => role === 'main'),
      below,
    ).toHaveLength(1)
    controls += tree.filter(({ focusable }) => focusable).length
    text.push(`# /admin${below}`, await page.locator('body').ariaSnapshot(), '')
  }
  expect(controls).toBeGreaterThan(700)
  await test.info().attach('accessibility-tree.txt', { body: text.join('\n'), contentType: 'text/plain' })
})

/**
 * What is pressed and is smaller than 24 by 24 pixels, and has less than that around it (WCAG 2.5.8). A label belongs to its
 * field; links in a sentence are excepted.
 */
function tooSmall(): readonly string[] {
  const least = 24
  const selector = 'a[href], button, input:not([type=hidden]), select, textarea, summary'
  const seen = [...document.querySelectorAll<HTMLElement>(selector)].filter(
    (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !one.closest('[inert]'),
  )
  const targets = seen.map((one) => {
    const labels = [...((one as HTMLInputElement).labels ?? [])].filter((label) => label.contains(one))
    const boxes = [one, ...labels].map((part) => part.getBoundingClientRect())
    const left = Math.min(...boxes.map((box) => box.left))
    const right = Math.max(...boxes.map((box) => box.right))
    const top = Math.min(...boxes.map((box) => box.top))
    const bottom = Math.max(...boxes.map((box) => box.bottom))
    return { one, left, right, top, bottom, isSmall: right - left < least - 0.5 || bottom - top < least - 0.5 }
  })
  const isInSentence = (one: HTMLElement): boolean =>
    getComputedStyle(one).display === 'inline' &&
    [...(one.parentElement?.childNodes ?? [])].some((node) => node.nodeType === 3 && /\w/.test(node.textContent ?? ''))
  return targets
    .filter(({ one, isSmall }) => isSmall && !isInSentence(one) && !one.matches('.skip'))
    .filter(({ one, left, right, top, bottom }) => {
      const [x, y] = [(left + right) / 2, (top + bottom) / 2]
      return targets.some((other) => {
        if (other.one === one || other.one.contains(one) || one.contains(other.one)) return false
        const beside = Math.max(other.left - x, 0, x - other.right)
        const above = Math.max(other.top - y, 0, y - other.bottom)
        if (Math.hypot(beside, above) < least / 2) return true
        const apart = Math.hypot((other.left + other.right) / 2 - x, (other.top + other.bottom) / 2 - y)
        return other.isSmall && apart < least
      })
    })
    .map(
      ({ one, left, right, top, bottom }) =>
        `${Math.round(right - left)}×${Math.round(bottom - top)} ${one.outerHTML.slice(0, 90)}`,
    )
}

for (const width of [390, 1280]) {
  test(`what is pressed is 24 pixels large or has that room, at ${width} pixels (WCAG 2.5.8)`, async ({
    page,
    service,
  }) => {
    test.slow()
    await page.setViewportSize({ width, height: 900 })
    await open(page, 'root', '')
    for (const below of await pagesOf(service)) {
      await page.goto(`/admin${below}`)
      await settled(page)
      expect(await page.evaluate(tooSmall), below).toEqual([])
    }
  })
}

test('nothing has to be scrolled sideways at 320 pixels, or at 200 % (WCAG 1.4.4, 1.4.10)', async ({
  page,
  service,
}) => {
  test.slow()
  await open(page, 'root', '')
  for (const below of await pagesOf(service)) {
    await page.goto(`/admin${below}`)
    await settled(page)
    await test.step(`${below} at 320`, async () => {
      await page.setViewportSize({ width: 320, height: 640 })
      await expectNoSidewaysScrolling(page)
    })
    await test.step(`${below} at 200 %`, async () => {
      // A window of 1280 pixels at 200 %, and one of 640 with text alone twice as large.
      await page.setViewportSize({ width: 640, height: 450 })
      await expectNoSidewaysScrolling(page)
      await page.evaluate('document.documentElement.style.fontSize = "200%"')
      await expectNoSidewaysScrolling(page)
    })
  }
})
