/**
 * The brand in memory of a process, read again when it is seconds old: so a change reaches every
 * process without a restart.
 *
 * Belongs here: what is in force, by settings and by the record, and how a process keeps it.
 * Belongs elsewhere: what a brand is and what follows from it (`protocol/branding/`), and its looks in pages (`site/`) and mails (`mail/`).
 */
import {
  type BrandMembers,
  brandOf,
  defaultName,
  type FixedMembers,
  noBrand,
  type StoredBrand,
} from '../protocol/branding/brand.ts'
import type { Storage } from '../storage/port/storage.ts'
import { brandSettings, type FixedBrand } from './fixed-brand.ts'

/** A change counts after this time at the latest. Meanwhile no page reads the database for it. */
const freshMs = 2000

export type KeptBrand = {
  /** As the process knows it. The same object until it changes. */
  current(): BrandMembers
  /** The name of the service. */
  name(): string
  /** At most seconds old. Without a database, the last one that was known. */
  now(): Promise<BrandMembers>
  /** As it is now, for a process that learns of a change by a request. */
  renewed(): Promise<BrandMembers>
  /** The brand in force with this record. */
  with(stored: StoredBrand): BrandMembers
  /** Members that settings fix, with their settings. */
  readonly fixed: FixedMembers
}

export function keptBrand(
  fixed: FixedBrand,
  storage: Pick<Storage['branding'], 'version' | 'find'>,
  clock: () => number,
): KeptBrand {
  const inForce = (stored: BrandMembers): BrandMembers => brandOf(fixed, stored)
  let version = 0
  let current = inForce(noBrand)
  let readAtMs = Number.NEGATIVE_INFINITY
  let reading: Promise<BrandMembers> | undefined

  async function readAgain(): Promise<BrandMembers> {
    try {
      if ((await storage.version()) !== version) {
        const stored = await storage.find()
        version = stored.version
        current = inForce(stored.members)
      }
    } catch {
      // The looks of a page are no reason not to show it.
    }
    readAtMs = clock()
    return current
  }
  const read = (): Promise<BrandMembers> => {
    reading ??= readAgain().finally(() => {
      reading = undefined
    })
    return reading
  }
  const now = async () => (Math.abs(clock() - readAtMs) < freshMs ? current : read())
  return {
    current: () => current,
    name() {
      void now()
      return current.name ?? defaultName
    },
    now,
    async renewed() {
      // One that is under way may have begun before the change.
      await reading
      return read()
    },
    with: ({ members }) => inForce(members),
    fixed: new Map(
      Object.entries(brandSettings).filter(([member]) => Object.hasOwn(fixed, member)),
    ) as unknown as FixedMembers,
  }
}
