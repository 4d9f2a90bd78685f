/** What a check of `latchkey doctor` found. */
export type Finding = {
  readonly check:
    | 'settings'
    | 'address'
    | 'clock'
    | 'files'
    | 'passwords'
    | 'database'
    | 'keys'
    | 'audit'
    | 'demo'
    | 'mail'
    | 'providers'
    | 'search'
    | 'roles'
    | 'claims'
    | 'outgoing'
    | 'clients'
  /** `note`: as it should be, and worth knowing. */
  readonly status: 'ok' | 'note' | 'warning' | 'failed'
  /** One sentence. */
  readonly message: string
  /** How to fix it; empty if nothing needs fixing. */
  readonly advice: string
}

/** Checks the installation. Ends within seconds; calls that overlap share a run. Never rejects. */
export type Doctor = () => Promise<readonly Finding[]>

export function ok(check: Finding['check'], message: string): Finding {
  return { check, status: 'ok', message, advice: '' }
}

export function note(check: Finding['check'], message: string, advice: string): Finding {
  return { check, status: 'note', message, advice }
}

export function warning(check: Finding['check'], message: string, advice: string): Finding {
  return { check, status: 'warning', message, advice }
}

export function failed(check: Finding['check'], message: string, advice: string): Finding {
  return { check, status: 'failed', message, advice }
}
