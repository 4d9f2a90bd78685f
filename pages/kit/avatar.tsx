import './avatar.css'

/** The colours `--avatar-1` and on in `tokens.css`. */
export const avatarColours = 6

/** Returns the first letters of the first and the last word; of a user name or an address one letter. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => [...(word ?? '')][0] ?? '')
  return letters.join('').toUpperCase()
}

/** Returns the number of the colour of a subject, from 1: the same everywhere and at all times (FNV-1a, 32 bits). */
export function avatarColourOf(subject: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < subject.length; at++) hash = Math.imul(hash ^ subject.charCodeAt(at), 0x01000193)
  return ((hash >>> 0) % avatarColours) + 1
}

type Props = {
  /** The `sub` of the person, or another name that stays. */
  subject: string
  /** The name, which stands beside the picture. */
  name: string
}

/** A person as initials on a colour. Not read out: the name is said beside it. */
export function Avatar({ subject, name }: Props) {
  return (
    <span class={`avatar avatar-${avatarColourOf(subject)}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}
