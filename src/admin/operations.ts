/** All operations of the admin API, a list for each resource. */
import { accessOperations } from './access-kinds.ts'
import { attentionOperations } from './attention.ts'
import { attributeOperations } from './attributes.ts'
import { auditOperations } from './audit.ts'
import { auditVerifyOperations } from './audit-verify.ts'
import { brandingOperations } from './branding.ts'
import { clientSetupOperations } from './client-setup.ts'
import { clientTestOperations } from './client-test.ts'
import { clientUsageOperations } from './client-usage.ts'
import { clientOperations } from './clients.ts'
import { doctorOperations } from './doctor.ts'
import { explainOperations } from './explain.ts'
import { groupMemberOperations } from './group-members.ts'
import { groupOperations } from './groups.ts'
import { invitationOperations } from './invitations.ts'
import { keyOperations } from './keys.ts'
import { mailOperations } from './mails.ts'
import { meOperations } from './me.ts'
import type { Operation } from './operation.ts'
import { previewOperations } from './preview.ts'
import { resourceOperations } from './resources.ts'
import { roleOperations } from './roles.ts'
import { scopeUsageOperations } from './scope-usage.ts'
import { scopeOperations } from './scopes.ts'
import { settingOperations } from './settings.ts'
import { setupOperations } from './setup.ts'
import { statsOperations } from './stats.ts'
import { userActionOperations } from './user-actions.ts'
import { userActivityOperations } from './user-activity.ts'
import { userConsentOperations } from './user-consents.ts'
import { userItemOperations } from './user-items.ts'
import { userListOperations } from './user-list.ts'
import { userMailOperations } from './user-mails.ts'
import { userOverviewOperations } from './user-overview.ts'
import { userOperations } from './users.ts'

export const operations: readonly Operation[] = [
  ...meOperations,
  ...clientOperations,
  ...clientSetupOperations,
  ...clientTestOperations,
  ...clientUsageOperations,
  ...attributeOperations,
  ...roleOperations,
  ...groupOperations,
  ...groupMemberOperations,
  ...scopeOperations,
  ...scopeUsageOperations,
  ...resourceOperations,
  ...previewOperations,
  ...keyOperations,
  ...explainOperations,
  ...auditOperations,
  ...auditVerifyOperations,
  ...settingOperations,
  ...brandingOperations,
  ...doctorOperations,
  ...statsOperations,
  ...setupOperations,
  ...attentionOperations,
  ...userListOperations,
  ...userOperations,
  ...userActionOperations,
  ...userMailOperations,
  ...userItemOperations,
  ...userActivityOperations,
  ...userOverviewOperations,
  ...accessOperations,
  ...userConsentOperations,
  ...mailOperations,
  ...invitationOperations,
]
