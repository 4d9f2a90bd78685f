/** References in texts of configuration files: `${NAME}` to the environment, and `${file:PATH}` to a file. */

/** A value that a reference stands for, and the reference. */
export type Referred = { readonly value: string; readonly reference: string }

/** Resolves references. Each returns undefined if there is nothing. */
export type Lookup = {
  variable(name: string): string | undefined
  /** `path`: as written. Without a line break at the end of the file. */
  file(path: string): string | undefined
  /** `path`: as written. The content of a regular file that is small enough for a picture. */
  picture(path: string): Buffer | undefined
}

export type Resolved = {
  readonly text: string
  /** Whether all of the text came from references. */
  readonly isReferred: boolean
  /** Each reference, and what it stands for. */
  readonly referred: readonly Referred[]
  /** What is wrong, as a full sentence; none of them contains a value. */
  readonly problems: readonly string[]
}

const reference = /\$(\$?)\{([^}]*)\}/g

/** Replaces the references in a text. `$${` stands for `${`. */
export function resolve(text: string, lookup: Lookup): Resolved {
  const problems: string[] = []
  const referred: Referred[] = []
  const replaced = text.replace(reference, (whole, escaped: string, what: string) => {
    if (escaped !== '') return whole.slice(1)
    const value = what.startsWith('file:') ? lookup.file(what.slice(5)) : variable(what, lookup)
    if (value === undefined) problems.push(missing(what))
    else referred.push({ value, reference: whole })
    return value ?? ''
  })
  return { text: replaced, isReferred: /^\$\{[^}]*\}$/.test(text), referred, problems }
}

function variable(name: string, lookup: Lookup): string | undefined {
  return isName(name) ? lookup.variable(name) : undefined
}

function missing(what: string): string {
  if (what.startsWith('file:')) return `The file ${what.slice(5)} cannot be read as a text of at most 16 MiB.`
  if (!isName(what))
    return `\${${what}} is no reference: write \${NAME}, \${file:PATH}, or $\${ for the characters themselves.`
  return `The environment has no ${what}.`
}

const isName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
