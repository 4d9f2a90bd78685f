/** Which settings of a realm of Keycloak come, and what to set here for the others. */
import type { MemberTable } from '../members.ts'

const session = 'Sessions and tokens follow the settings of this installation.'
const factors = 'Second factors follow Accounts:SecondFactor and Accounts:Passkeys.'
const look = 'Pages and mails have the look and the texts of this installation.'
const flows =
  'Ways to sign in are not made of steps here: see Accounts:SecondFactor, Accounts:Registration and OAuth:External.'
const guard = 'Guessing is bounded by the settings of this installation (Accounts:Lockout).'
const events = 'The audit trail has every event.'
const otp = 'Authenticator apps are TOTP of SHA-1 with six digits every 30 seconds.'

export const realmMembers: MemberTable = {
  nested: ['attributes', 'smtpServer'],
  members: {
    ...{
      id: 'noted',
      realm: 'used',
      keycloakVersion: 'noted',
      enabled: 'used',
      displayName: 'used',
      displayNameHtml: 'used',
    },
    ...{
      roles: 'used',
      groups: 'used',
      defaultRole: 'used',
      defaultRoles: 'used',
      defaultGroups: 'used',
      users: 'used',
    },
    ...{
      federatedUsers: 'used',
      clients: 'used',
      clientScopes: 'used',
      scopeMappings: 'used',
      clientScopeMappings: 'used',
    },
    ...{
      identityProviders: 'used',
      identityProviderMappers: 'used',
      organizations: 'used',
      organizationsEnabled: 'noted',
    },
    ...{ components: 'used', requiredActions: 'used', authenticationFlows: 'used', authenticatorConfig: 'used' },
    ...{ defaultDefaultClientScopes: 'noted', defaultOptionalClientScopes: 'noted', requiredCredentials: 'noted' },
    ...{
      accessTokenLifespan: 'used',
      revokeRefreshToken: 'used',
      ssoSessionIdleTimeout: 'used',
      clientSessionIdleTimeout: 'used',
    },
    ...{ clientSessionMaxLifespan: 'used', clientProfiles: 'used', clientPolicies: 'used', passwordPolicy: 'used' },
    notBefore: { reason: 'Tokens from before come with no key of this installation.', silent: [0] },
    defaultSignatureAlgorithm: {
      reason: 'Set OAuth:IdentityTokenAlgorithm and OAuth:AccessTokenAlgorithm to the algorithm of the realm.',
      severity: 'changed',
      silent: ['RS256'],
    },
    refreshTokenMaxReuse: {
      reason: 'A refresh token that was used is valid for OAuth:RefreshTokenReuseLeeway.',
      severity: 'changed',
      silent: [0],
    },
    accessTokenLifespanForImplicitFlow: { reason: 'The implicit grant is not served.', silent: [900] },
    ssoSessionMaxLifespan: { reason: session, severity: 'changed', silent: [36_000] },
    ssoSessionIdleTimeoutRememberMe: { reason: session, severity: 'changed', silent: [0] },
    ssoSessionMaxLifespanRememberMe: { reason: session, severity: 'changed', silent: [0] },
    offlineSessionIdleTimeout: 'used',
    offlineSessionMaxLifespanEnabled: { reason: session, severity: 'changed' },
    offlineSessionMaxLifespan: { reason: session, severity: 'changed', silent: [5_184_000] },
    clientOfflineSessionIdleTimeout: { reason: session, severity: 'changed', silent: [0] },
    clientOfflineSessionMaxLifespan: { reason: session, severity: 'changed', silent: [0] },
    accessCodeLifespan: { reason: session, severity: 'changed', silent: [60] },
    accessCodeLifespanUserAction: { reason: session, severity: 'changed', silent: [300] },
    accessCodeLifespanLogin: { reason: session, severity: 'changed', silent: [1800] },
    actionTokenGeneratedByAdminLifespan: {
      reason: 'Links in mails live as long as this installation says.',
      severity: 'changed',
      silent: [43_200],
    },
    actionTokenGeneratedByUserLifespan: {
      reason: 'Links in mails live as long as this installation says.',
      severity: 'changed',
      silent: [300],
    },
    oauth2DeviceCodeLifespan: { reason: session, severity: 'changed', silent: [600] },
    oauth2DevicePollingInterval: { reason: session, severity: 'changed', silent: [5] },
    sslRequired: {
      reason: 'Every address is https, but for loopback.',
      severity: 'changed',
      silent: ['external', 'all'],
    },
    registrationAllowed: {
      reason: 'Whether people register themselves is the setting Accounts:Registration.',
      severity: 'changed',
    },
    registrationEmailAsUsername: { reason: 'People have a user name of their own.', severity: 'changed' },
    rememberMe: { reason: 'Whether a browser is remembered is asked at each sign-in.', severity: 'changed' },
    verifyEmail: {
      reason: 'Whether an address has to be confirmed is Accounts:RequireConfirmedEmail.',
      severity: 'changed',
    },
    loginWithEmailAllowed: {
      reason: 'People sign in with the user name or the address.',
      severity: 'changed',
      silent: [true],
    },
    duplicateEmailsAllowed: {
      reason: 'Two people with one address come unconfirmed, until one of them proves it.',
      severity: 'changed',
    },
    resetPasswordAllowed: {
      reason: 'Whether a password is reset by mail is a setting of this installation.',
      severity: 'changed',
      silent: [true],
    },
    editUsernameAllowed: { reason: 'Operators alone change user names.', severity: 'changed' },
    bruteForceProtected: { reason: guard, severity: 'changed', silent: [true] },
    permanentLockout: { reason: guard, severity: 'changed' },
    maxTemporaryLockouts: { reason: guard, severity: 'changed', silent: [0] },
    bruteForceStrategy: { reason: guard, severity: 'changed', silent: ['MULTIPLE'] },
    maxFailureWaitSeconds: { reason: guard, severity: 'changed', silent: [900] },
    minimumQuickLoginWaitSeconds: { reason: guard, severity: 'changed', silent: [60] },
    waitIncrementSeconds: { reason: guard, severity: 'changed', silent: [60] },
    quickLoginCheckMilliSeconds: { reason: guard, severity: 'changed', silent: [1000] },
    maxDeltaTimeSeconds: { reason: guard, severity: 'changed', silent: [43_200] },
    failureFactor: { reason: guard, severity: 'changed', silent: [30] },
    maxSecondaryAuthFailures: { reason: guard, severity: 'changed', silent: [0] },
    otpPolicyType: { reason: otp, severity: 'changed', silent: ['totp'] },
    otpPolicyAlgorithm: { reason: otp, severity: 'changed', silent: ['HmacSHA1'] },
    otpPolicyInitialCounter: { reason: otp, severity: 'changed', silent: [0] },
    otpPolicyDigits: { reason: otp, severity: 'changed', silent: [6] },
    otpPolicyLookAheadWindow: { reason: otp, severity: 'changed', silent: [1] },
    otpPolicyPeriod: { reason: otp, severity: 'changed', silent: [30] },
    otpPolicyCodeReusable: { reason: 'A code is used once.', severity: 'changed' },
    otpSupportedApplications: 'noted',
    localizationTexts: { reason: look },
    ...webAuthn('webAuthnPolicy'),
    ...webAuthn('webAuthnPolicyPasswordless'),
    webAuthnPolicyPasswordlessResidentKey: {
      reason: factors,
      severity: 'changed',
      silent: ['not specified', 'required'],
    },
    webAuthnPolicyPasswordlessUserVerificationRequirement: {
      reason: factors,
      severity: 'changed',
      silent: ['not specified', 'required'],
    },
    browserSecurityHeaders: 'used',
    eventsEnabled: { reason: events, severity: 'changed' },
    eventsExpiration: { reason: events, severity: 'changed', silent: [0] },
    eventsListeners: { reason: events, severity: 'changed', silent: [['jboss-logging']] },
    enabledEventTypes: { reason: events, severity: 'changed', silent: [[]] },
    adminEventsEnabled: { reason: events, severity: 'changed' },
    adminEventsDetailsEnabled: { reason: events, severity: 'changed' },
    internationalizationEnabled: {
      reason: 'Pages are in the language of the browser.',
      severity: 'changed',
      silent: [false, true],
    },
    supportedLocales: { reason: 'Pages are in every language that Latchkey has.', severity: 'changed', silent: [[]] },
    defaultLocale: {
      reason: 'Pages are in the language of the browser, or in English.',
      severity: 'changed',
      silent: ['en', ''],
    },
    ...{
      loginTheme: { reason: look },
      accountTheme: { reason: look },
      adminTheme: { reason: look },
      emailTheme: { reason: look },
    },
    browserFlow: { reason: flows, severity: 'risk', silent: ['browser'] },
    registrationFlow: { reason: flows, severity: 'risk', silent: ['registration'] },
    directGrantFlow: { reason: flows, severity: 'risk', silent: ['direct grant'] },
    resetCredentialsFlow: { reason: flows, severity: 'risk', silent: ['reset credentials'] },
    clientAuthenticationFlow: { reason: flows, severity: 'risk', silent: ['clients'] },
    dockerAuthenticationFlow: { reason: flows, severity: 'risk', silent: ['docker auth'] },
    firstBrokerLoginFlow: { reason: flows, severity: 'risk', silent: ['first broker login'] },
    userManagedAccessAllowed: { reason: 'Permissions on resources (UMA) are not served.' },
    verifiableCredentialsEnabled: { reason: 'Verifiable credentials are not issued.' },
    adminPermissionsEnabled: { reason: 'Operators have the roles of this installation.' },
    scimApiEnabled: { reason: 'Provisioning is set up here anew.' },
    'attributes.cibaBackchannelTokenDeliveryMode': 'noted',
    'attributes.cibaExpiresIn': 'noted',
    'attributes.cibaAuthRequestedUserHint': 'noted',
    'attributes.cibaInterval': 'noted',
    'attributes.oauth2DeviceCodeLifespan': 'noted',
    'attributes.oauth2DevicePollingInterval': 'noted',
    'attributes.parRequestUriLifespan': { reason: session, severity: 'changed', silent: ['60'] },
    'attributes.realmReusableOtpCode': 'noted',
    'attributes.userProfileEnabled': 'noted',
    'attributes.frontendUrl': {
      reason: 'Set OAuth:Issuer to this address and the path of the realm.',
      severity: 'changed',
    },
    'attributes.acr.loa.map': {
      reason: 'Levels of authentication have the names of this installation.',
      silent: ['{}'],
    },
    'smtpServer.password': { reason: 'Mails are sent as Mail says: set it anew.' },
    'smtpServer.host': { reason: 'Mails are sent as Mail says: set it anew.' },
    ...Object.fromEntries(
      [
        'port',
        'from',
        'user',
        'auth',
        'ssl',
        'starttls',
        'fromDisplayName',
        'replyTo',
        'replyToDisplayName',
        'envelopeFrom',
      ].map((name) => [`smtpServer.${name}`, 'noted' as const]),
    ),
  },
}

/** Of passkeys that are registered later. Those that people have work as they did. */
function webAuthn(prefix: string): MemberTable['members'] {
  const rule = (...silent: unknown[]) => ({ reason: factors, severity: 'changed' as const, silent })
  const open = rule('not specified')
  return {
    [`${prefix}RpEntityName`]: rule('keycloak'),
    [`${prefix}SignatureAlgorithms`]: rule(['ES256', 'RS256'], ['ES256']),
    [`${prefix}RpId`]: {
      reason: 'Passkeys come at the host for which they were made.',
      severity: 'changed',
      silent: [''],
    },
    ...Object.fromEntries(
      [
        'AttestationConveyancePreference',
        'AuthenticatorAttachment',
        'RequireResidentKey',
        'ResidentKey',
        'UserVerificationRequirement',
      ].map((name) => [`${prefix}${name}`, open]),
    ),
    [`${prefix}CreateTimeout`]: rule(0),
    [`${prefix}AvoidSameAuthenticatorRegister`]: rule(false),
    [`${prefix}AcceptableAaguids`]: rule([]),
    [`${prefix}ExtraOrigins`]: rule([]),
  }
}
