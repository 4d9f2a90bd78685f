/** The kinds of stored password hashes that differ from those which are made today: imported ones, and older ones of ours. */
export type PasswordKinds = {
  /** Returns the kinds that people have, at most 100. Takes a look-up for each. */
  list(): Promise<readonly PasswordKind[]>
  /** Returns how many people have a hash that begins with `beginning`, at most one more than `kindCountedTo`. */
  count(beginning: string): Promise<number>
}

export type PasswordKind = {
  /** The text of the hash up to its salt. */
  readonly beginning: string
  /** One of the hashes. */
  readonly sample: string
}

/** Bounds what counting reads. */
export const kindCountedTo = 10_000
