/**
 * The library of schemas, of which all other modules know types alone. A package has it as one file, which
 * `scripts/build.ts` makes of this one: the library's own are hundreds, which hold up every request while they are loaded.
 */
import * as library from 'typebox'

/** Makes schemas. Members that nobody uses stay out of the package. */
export const Type = {
  Array: library.Array,
  Boolean: library.Boolean,
  Enum: library.Enum,
  Integer: library.Integer,
  Null: library.Null,
  Object: library.Object,
  Optional: library.Optional,
  Record: library.Record,
  String: library.String,
  Tuple: library.Tuple,
  Union: library.Union,
  Unknown: library.Unknown,
}

export { Check, Errors } from 'typebox/value'
