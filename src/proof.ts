/**
 * Proofs as types. A `Proven` value went through the one function that proves what `Fact` names; a plain value does not
 * compile in its place. The mark exists at compile time only.
 */
declare const proof: unique symbol

export type Proven<Value, Fact extends string> = Value & { readonly [proof]: Fact }
