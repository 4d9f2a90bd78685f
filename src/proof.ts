/**
 * Proofs as types. A `Proven` value has passed the one function that checks `Fact`; a plain value does not compile in
 * its place. Exists at compile time only.
 */
declare const proof: unique symbol

export type Proven<Value, Fact extends string> = Value & { readonly [proof]: Fact }
