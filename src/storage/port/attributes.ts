/** What is read of declared attributes, and what changes them. */
import type { Attribute } from '../../users/attributes.ts'

/** By name, in the order of their declaration. `version`: as that of groups. */
export type Attributes = { readonly version: number; readonly attributes: ReadonlyMap<string, Attribute> }

/** An attribute that is declared or changed; `after` undefined: deleted. Its version is set by the verb. */
export type AttributeChange = { readonly name: string; readonly after: Attribute | undefined }
