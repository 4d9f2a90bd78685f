import { initialsOf } from './initials.ts'
import './avatar.css'

/** The colours `--avatar-1` and on in `tokens.css`. */
export const avatarColours = 6

/** Returns the number of the colour of a subject, from 1: the same everywhere and at all times (FNV-1a, 32 bits). */
export function avatarColourOf(subject: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < subject.length; at++) hash = Math.imul(hash ^ subject.charCodeAt(at), 0x01000193)
  return ((hash >>> 0) % avatarColours) + 1
}

type Props = {
  /** The `sub` of the person, or another name that stays: gives the colour. Without it the picture has the colour of the brand. */
  subject?: string
  /** The name, which stands beside the picture. */
  name: string
}

/** Who or what a name is of, as initials. Not read out: the name is said beside it. */
export function Avatar({ subject, name }: Props) {
  return (
    <span class={subject === undefined ? 'initial' : `avatar avatar-${avatarColourOf(subject)}`} aria-hidden="true">
      {initialsOf(name, document.documentElement.lang) || '·'}
    </span>
  )
}
