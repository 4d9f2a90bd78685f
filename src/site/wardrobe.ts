/** The pages in the looks that they have and recently had: whoever loaded a page before a change still gets its files. */
import type { BrandMembers } from '../protocol/branding/brand.ts'
import { styleSheetOf } from '../protocol/branding/looks.ts'
import { type File, toFile } from './assets.ts'
import { type Brand, brandWith } from './brand.ts'
import type { Shells } from './shells.ts'

/** Pages in the looks of one brand. */
export type Worn = {
  readonly of: BrandMembers
  readonly brand: Brand
  readonly shells: Shells
  /** Documents, as they are asked for. */
  readonly files: Map<string, File>
  /** The style sheet under an address that stays. */
  readonly sheet: File
  /** By name, those of the brand. */
  readonly assets: ReadonlyMap<string, File>
}

/** The names of files of a brand. */
export const brandFile = /^(?:brand|icon|logo)-[0-9a-f]{12}\.\w{3,4}$/

/** Their files are the only ones that are kept. */
const keptAtMost = 4

export function wardrobeOf(built: ReadonlyMap<string, File>, shellsOf: (brand: Brand) => Shells) {
  let kept: readonly Worn[] = []
  return {
    /** Returns the pages in the looks of the brand, which are made once for each object. */
    wear(members: BrandMembers): Worn {
      const [last] = kept
      if (last?.of === members) return last
      const assets = new Map<string, File>()
      const brand = brandWith(members, built, assets)
      const sheet = toFile(Buffer.from(styleSheetOf(members)), '.css')
      const worn: Worn = { of: members, brand, shells: shellsOf(brand), files: new Map(), sheet, assets }
      // Nobody loads these documents any more.
      last?.files.clear()
      kept = [worn, ...kept].slice(0, keptAtMost)
      return worn
    },
    file(name: string): File | undefined {
      return kept.map(({ assets }) => assets.get(name)).find((file) => file !== undefined)
    },
  }
}
