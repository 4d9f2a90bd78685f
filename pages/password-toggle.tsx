import { Icon } from './icon.tsx'

const EYE = 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z'
const EYE_STRUCK = `${EYE}M2.5 13.5l11-11`

type Props = {
  label: string
  visible: boolean
  /** The id of the password box. */
  controls: string
  onToggle(): void
}

/** The button in a password box that shows its characters. */
export function PasswordToggle({ label, visible, controls, onToggle }: Props) {
  return (
    <button
      type="button"
      class="toggle"
      aria-label={label}
      title={label}
      aria-pressed={visible}
      aria-controls={controls}
      onClick={onToggle}
    >
      <Icon path={visible ? EYE_STRUCK : EYE} />
    </button>
  )
}
