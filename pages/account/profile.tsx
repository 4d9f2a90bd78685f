import { Section } from '../kit/area.tsx'
import { AccountDeletion } from './account-deletion.tsx'
import { type ActivityPage, ActivityPages } from './activity.tsx'
import { Claims } from './claims.tsx'
import { DataExport } from './data-export.tsx'
import { EmailAddress } from './email-address.tsx'
import { AreaPage, type Profile, useLoaded, useProfile } from './loaded.tsx'
import { OwnAttributes } from './own-attributes.tsx'
import { ScrollToPart } from './security.tsx'
import { words } from './texts.ts'

export default function ProfilePage() {
  const profile = useProfile()
  const activity = useLoaded<ActivityPage>('/Account/Self/activity')
  const text = words().profile
  return (
    <AreaPage area="profile" lead={text.lead} profile={profile}>
      {() => (
        <>
          <ScrollToPart />
          <Claims loaded={profile} />
          <OwnAttributes loaded={profile} />
          <EmailAddress profile={profile.value as Profile} />
          <Section id="activity" title={text.activity.title}>
            <p class="quiet">{text.activity.lead}</p>
            <ActivityPages first={activity} />
          </Section>
          <DataExport />
          <AccountDeletion loaded={profile} />
        </>
      )}
    </AreaPage>
  )
}
