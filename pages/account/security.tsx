import { useEffect } from 'preact/hooks'
import { LinkedAccounts } from './linked-accounts.tsx'
import { AreaPage, type Profile, useProfile } from './loaded.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { AuthenticatorApp, RecoveryCodes, useNewCodes } from './second-factors.tsx'
import { words } from './texts.ts'

export default function SecurityPage() {
  const profile = useProfile()
  const fresh = useNewCodes(profile)
  return (
    <AreaPage area="security" lead={words().security.lead} profile={profile}>
      {() => (
        <>
          <ScrollToPart />
          <Password loaded={profile} />
          {(profile.value as Profile).settings.passkeys && (
            <Passkeys onChange={profile.reload} onFirst={fresh.makeFirst} />
          )}
          <AuthenticatorApp loaded={profile} onFirst={fresh.makeFirst} />
          <RecoveryCodes loaded={profile} fresh={fresh} />
          <LinkedAccounts loaded={profile} />
        </>
      )}
    </AreaPage>
  )
}

/** The part that the address names was not there when the browser looked for it. */
export function ScrollToPart() {
  useEffect(() => {
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [])
  return null
}
