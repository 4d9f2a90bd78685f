/** What changes declared attributes. */
import type { Attribute } from '../../users/attributes.ts'

/** An attribute that is declared or changed; `after` undefined: deleted. Its version is set by the verb. */
export type AttributeChange = { readonly name: string; readonly after: Attribute | undefined }
