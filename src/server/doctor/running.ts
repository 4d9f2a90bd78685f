/** The checks inside a running service, on its open database: one run at a time, and a deadline for each check. */
import { type Doctor, type Finding, failed, ok } from '../../finding.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Storage } from '../../storage/port/storage.ts'

/** A mail server may greet late on purpose. */
const deadline = 10_000

type Context = {
  readonly settings: Settings
  readonly storage: Storage
  /** In epoch milliseconds. */
  readonly clock: () => number
  /** For each check; default 10,000. */
  readonly deadlineMs?: number
}

/** Loads the checks with the first run. */
export function doctorFor(context: Context): Doctor {
  const { deadlineMs = deadline } = context
  /** Checks under way by name. One that hangs is waited for again, and not started a second time. */
  const underWay = new Map<string, Promise<readonly Finding[]>>()
  let running: Promise<readonly Finding[]> | undefined

  function start({ name, check, work }: Check): Promise<readonly Finding[]> {
    const started = work()
      .catch((error: Error) => [failed(check, error.message, '')])
      .finally(() => underWay.delete(name))
    underWay.set(name, started)
    return started
  }

  async function examine(): Promise<readonly Finding[]> {
    const findings = checksOf(context).map((one) =>
      within(deadlineMs, underWay.get(one.name) ?? start(one), () => {
        const message = `The check of ${one.name} did not end within ${deadlineMs / 1000} seconds.`
        return [failed(one.check, message, 'Look at the log, and run: latchkey doctor')]
      }),
    )
    return (await Promise.all(findings)).flat()
  }

  return () => {
    running ??= examine().finally(() => {
      running = undefined
    })
    return running
  }
}

type Check = {
  /** Completes 'The check of …'. */
  readonly name: string
  readonly check: Finding['check']
  readonly work: () => Promise<readonly Finding[]>
}

/** In the order of `latchkey doctor`. */
function checksOf({ settings, storage, clock }: Context): readonly Check[] {
  const [alone, stored] = [() => import('./checks.ts'), () => import('./database-checks.ts')]
  return [
    { name: 'the settings', check: 'settings', work: async () => [ok('settings', 'The settings can be read.')] },
    {
      name: 'the address',
      check: 'address',
      work: async () => {
        const { checkAddress, checkCertificates } = await alone()
        return [...checkAddress(settings), ...checkCertificates(settings)]
      },
    },
    { name: 'the clock', check: 'clock', work: async () => [(await alone()).checkClock(clock())] },
    { name: 'the files', check: 'files', work: async () => (await alone()).checkFiles(settings) },
    { name: 'password hashing', check: 'passwords', work: async () => [await (await alone()).checkHashing()] },
    { name: 'mail', check: 'mail', work: async () => [await (await import('./mail-checks.ts')).checkMail(settings)] },
    {
      name: 'the external providers',
      check: 'providers',
      work: async () => (await import('./provider-checks.ts')).checkProviders(settings, clock),
    },
    {
      name: 'the database',
      check: 'database',
      work: async () => (await stored()).checkOpenDatabase(settings, storage),
    },
    {
      name: 'the keys',
      check: 'keys',
      work: async () => {
        const { checkKeys, checkKeyTypes } = await stored()
        return [await checkKeys(settings, storage, clock()), ...(await checkKeyTypes(settings, storage, clock()))]
      },
    },
    {
      name: 'the audit trail',
      check: 'audit',
      work: async () => (await import('./trail-checks.ts')).checkTrail(settings, storage, clock()),
    },
    {
      name: 'imported passwords',
      check: 'passwords',
      work: async () => {
        const { checkPasswordKinds, checkWeakPasswords } = await stored()
        return [...(await checkPasswordKinds(storage)), ...(await checkWeakPasswords(storage))]
      },
    },
    { name: 'the search for people', check: 'search', work: async () => (await stored()).checkSearch(storage) },
    { name: 'roles', check: 'roles', work: async () => (await import('./role-checks.ts')).checkRoles(storage, false) },
    {
      name: 'the claims of tokens',
      check: 'claims',
      work: async () => (await import('./claim-checks.ts')).checkClaims(settings, storage),
    },
    {
      name: 'outgoing requests',
      check: 'outgoing',
      work: async () => {
        const { checkOutgoing, checkClientAddresses } = await import('./outgoing-checks.ts')
        return [...(await checkOutgoing(settings)), ...(await checkClientAddresses(settings, storage))]
      },
    },
    {
      name: 'the registrations of clients',
      check: 'clients',
      work: async () => (await import('./registration-checks.ts')).checkRegistrations(storage),
    },
    { name: 'the demo account', check: 'demo', work: async () => (await stored()).checkDemo(settings, storage) },
  ]
}

/** Settles with what `late` returns after `ms`. */
async function within<T>(ms: number, work: Promise<T>, late: () => T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  const timer = setTimeout(() => resolve(late()), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
