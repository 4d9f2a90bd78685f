/** What tests of declared attributes on the pages of people stand on: fields of each type, which people fill in themselves. */
import { newAttribute } from '../../src/users/attribute-record.ts'
import type { Attribute } from '../../src/users/attributes.ts'
import type { TestService } from '../support/service.ts'
import { test as base, expect, type Page, type Shared, sharedService } from './fixtures.ts'

const choice = (value: string, label: string, german: string) => ({ value, labels: { '': label, de: german } })

const fields: Readonly<Record<string, Partial<Attribute>>> = {
  department: {
    labels: { '': 'Department', de: 'Abteilung', ar: 'القسم' },
    helps: { '': 'As on your badge.', de: 'Wie auf Ihrem Ausweis.' },
    min: 3,
  },
  desk: { type: 'integer', labels: { '': 'Desk', de: 'Arbeitsplatz' }, min: 1, max: 400 },
  on_call: { type: 'boolean', labels: { '': 'On call', de: 'In Bereitschaft' } },
  joined: { type: 'date', labels: { '': 'Joined on', de: 'Dabei seit' } },
  size: {
    type: 'choice',
    labels: { '': 'T-shirt size', de: 'T-Shirt-Größe' },
    choices: [choice('m', 'Medium', 'Mittel'), choice('l', 'Large', 'Groß')],
  },
  diets: {
    type: 'choice',
    many: true,
    labels: { '': 'Diets', de: 'Ernährung' },
    choices: [choice('vegan', 'Vegan', 'Vegan'), choice('no_nuts', 'Without nuts', 'Ohne Nüsse')],
  },
  teams: { many: true, labels: { '': 'Teams', de: 'Teams' } },
}

async function declare(
  { storage }: TestService,
  named: Readonly<Record<string, Partial<Attribute>>>,
  all: Partial<Attribute>,
): Promise<void> {
  const changes = Object.entries(named).map(([name, change]) => ({
    name,
    after: { ...newAttribute(name, 0), editedBy: 'person' as const, ...change, ...all },
  }))
  await storage.attributes.change(() => ({ changes }))
}

const env = { Accounts__Registration: 'open', Mail__Url: 'file:/nowhere', RateLimit__LoginPerMinute: '1000' }

function withFields(name: string, prepare: (service: TestService) => Promise<unknown>) {
  return base.extend({
    service: async ({ shared }: { shared: Shared }, use: (service: TestService) => Promise<void>) => {
      const service = await sharedService(shared, name, env)
      await shared(`fields of ${name}`, async () => [await prepare(service), () => {}] as const)
      await use(service)
    },
  })
}

/** The service has fields that nobody has to fill in, one that operators fill in, and one that nobody but them sees. */
export const testOptional = withFields('with optional fields', async (service) => {
  await declare(service, fields, {})
  await declare(service, { badge: { unique: true, labels: { '': 'Badge' } } }, {})
  await declare(service, { cost_center: { labels: { '': 'Cost center' } } }, { editedBy: 'operator' })
  await declare(service, { rating: { labels: { '': 'Rating' } } }, { editedBy: 'operator', seenBy: 'operator' })
})

/** The service has the same fields, and everybody has to fill them in. */
export const testRequired = withFields('with required fields', (service) =>
  declare(service, fields, { required: true }),
)

/** Fills in a field of each type, as somebody does who sees the page. */
export async function fillFields(page: Page, department: string): Promise<void> {
  await page.getByLabel('Department').fill(department)
  await page.getByLabel('Desk').fill('17')
  await page.getByLabel('On call').selectOption({ label: 'No' })
  await page.getByLabel('Joined on').fill('2024-02-29')
  await page.getByLabel('T-shirt size').selectOption({ label: 'Large' })
  await page.getByRole('group', { name: 'Diets' }).getByLabel('Without nuts').check()
  await page.getByLabel('Teams').fill('Blue\nÜber 9')
}

/** The values of what `fillFields` fills in. */
export const filledIn = (department: string) => ({
  department,
  desk: 17,
  on_call: false,
  joined: '2024-02-29',
  size: 'l',
  diets: ['no_nuts'],
  teams: ['Blue', 'Über 9'],
})

/** Whether the page still has what `fillFields` filled in. */
export async function expectFilledIn(page: Page, department: string): Promise<void> {
  await expect(page.getByLabel('Department')).toHaveValue(department)
  await expect(page.getByLabel('Desk')).toHaveValue('17')
  await expect(page.getByLabel('On call')).toHaveValue('false')
  await expect(page.getByLabel('Joined on')).toHaveValue('2024-02-29')
  await expect(page.getByLabel('T-shirt size')).toHaveValue('l')
  await expect(page.getByLabel('Without nuts')).toBeChecked()
  await expect(page.getByLabel('Vegan')).not.toBeChecked()
  await expect(page.getByLabel('Teams')).toHaveValue('Blue\nÜber 9')
}

/** What is stored about a person. */
export async function storedOf({ storage }: TestService, name: string) {
  return (await storage.users.findByName(name))?.attributes
}
