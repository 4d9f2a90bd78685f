/** The definition of every promise that `src/storage/port/` makes. Each adapter has to keep all of them. */
import { describe } from 'node:test'
import type { Storage } from '../../src/storage/port/storage.ts'
import { accessPagesContract } from './contract-access-pages.ts'
import { attributeContract } from './contract-attributes.ts'
import { auditContract } from './contract-audit.ts'
import { brandingContract } from './contract-branding.ts'
import { browserContract } from './contract-browsers.ts'
import { claimRuleContract } from './contract-claim-rules.ts'
import { clientListsContract } from './contract-client-lists.ts'
import { clientReferenceContract } from './contract-client-references.ts'
import { clientContract } from './contract-clients.ts'
import { configurationContract } from './contract-configuration.ts'
import { confirmationContract } from './contract-confirmations.ts'
import { consentContract } from './contract-consents.ts'
import { deviceCodeContract } from './contract-device-codes.ts'
import { grantContract } from './contract-grants.ts'
import { groupContract } from './contract-groups.ts'
import { importEndContract } from './contract-import-end.ts'
import { importOriginContract } from './contract-import-origins.ts'
import { importContract } from './contract-imports.ts'
import { invitationContract } from './contract-invitations.ts'
import { issueContract } from './contract-issue.ts'
import { logoutContract } from './contract-logout.ts'
import { mailContract } from './contract-mails.ts'
import { ownAccountContract } from './contract-own-account.ts'
import { pairwiseSubjectContract } from './contract-pairwise-subjects.ts'
import { passkeyContract } from './contract-passkeys.ts'
import { passwordKindsContract } from './contract-password-kinds.ts'
import { providerSourcesContract } from './contract-provider-sources.ts'
import { pushedRequestContract } from './contract-pushed-requests.ts'
import { registrationContract } from './contract-registrations.ts'
import { secondFactorContract } from './contract-second-factors.ts'
import { serverContract } from './contract-servers.ts'
import { serviceContract } from './contract-service.ts'
import { setUpContract } from './contract-set-up.ts'
import { signInContract } from './contract-sign-in.ts'
import { userListsContract } from './contract-user-lists.ts'
import { userSearchContract } from './contract-user-search.ts'
import { userContract } from './contract-users.ts'
import { storages } from './storage-for.ts'

/** `open` gives a storage with the schema in place and nothing in it. */
export function storageContract(name: string, open: () => Promise<Storage>): void {
  const storageFor = storages(open)
  describe(`storage on ${name}`, () => {
    userContract(storageFor)
    clientListsContract(storageFor)
    userListsContract(storageFor)
    userSearchContract(storageFor)
    accessPagesContract(storageFor)
    signInContract(storageFor)
    browserContract(storageFor)
    passkeyContract(storageFor)
    ownAccountContract(storageFor)
    secondFactorContract(storageFor)
    clientContract(storageFor)
    clientReferenceContract(storageFor)
    configurationContract(storageFor)
    grantContract(storageFor)
    groupContract(storageFor)
    attributeContract(storageFor)
    claimRuleContract(storageFor)
    consentContract(storageFor)
    pairwiseSubjectContract(storageFor)
    logoutContract(storageFor)
    mailContract(storageFor)
    issueContract(storageFor)
    pushedRequestContract(storageFor)
    deviceCodeContract(storageFor)
    registrationContract(storageFor)
    confirmationContract(storageFor)
    invitationContract(storageFor)
    setUpContract(storageFor)
    brandingContract(storageFor)
    providerSourcesContract(storageFor)
    importContract(storageFor)
    importOriginContract(storageFor)
    importEndContract(storageFor)
    passwordKindsContract(storageFor)
    serverContract(storageFor)
    serviceContract(storageFor)
    auditContract(storageFor)
  })
}
