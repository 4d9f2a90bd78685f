/** The tables of ASP.NET Core Identity and OpenIddict that an import relies on, with the columns without which people or applications would come with less and no line would say so. */

export type TableShape = {
  /** Must be there. */
  readonly columns: readonly string[]
  /** Are read where they are there: a later version of the framework added them, or nothing is lost without them. */
  readonly others?: readonly string[]
  /** Whether earlier versions of the framework do not have the table, or nothing can come of it. */
  readonly isLater?: true
}

export type Shapes = Readonly<Record<string, TableShape>>

/** What the framework keeps in columns that mean nothing elsewhere. */
const stamps = ['NormalizedUserName', 'NormalizedEmail', 'SecurityStamp', 'ConcurrencyStamp', 'AccessFailedCount']

export const identityShapes: Shapes = {
  AspNetUsers: {
    columns: [
      ...['Id', 'UserName', 'Email', 'EmailConfirmed', 'PasswordHash'],
      ...['TwoFactorEnabled', 'LockoutEnd', 'LockoutEnabled'],
    ],
    others: ['PhoneNumber', 'PhoneNumberConfirmed', 'Discriminator', ...stamps],
  },
  AspNetRoles: { columns: ['Id', 'Name'], others: ['NormalizedName', 'ConcurrencyStamp'] },
  AspNetUserRoles: { columns: ['UserId', 'RoleId'] },
  AspNetUserLogins: { columns: ['LoginProvider', 'ProviderKey', 'UserId'], others: ['ProviderDisplayName'] },
  AspNetUserTokens: { columns: ['UserId', 'LoginProvider', 'Name', 'Value'] },
  AspNetUserClaims: { columns: ['UserId', 'ClaimType', 'ClaimValue'], others: ['Id'] },
  AspNetRoleClaims: { columns: ['RoleId', 'ClaimType', 'ClaimValue'], others: ['Id'] },
  AspNetUserPasskeys: { columns: ['CredentialId', 'UserId', 'Data'], isLater: true },
}

export const openIddictShapes: Shapes = {
  OpenIddictApplications: {
    columns: [
      ...['ClientId', 'ClientSecret', 'ConsentType', 'Permissions', 'RedirectUris', 'PostLogoutRedirectUris'],
      'Requirements',
    ],
    others: [
      // Version 5 renamed Type to ClientType.
      ...['Id', 'ApplicationType', 'ClientType', 'Type', 'DisplayName', 'DisplayNames', 'JsonWebKeySet', 'Properties'],
      ...['Settings', 'ConcurrencyToken'],
    ],
  },
  OpenIddictScopes: {
    columns: ['Name', 'Resources'],
    others: ['Id', 'Description', 'Descriptions', 'DisplayName', 'DisplayNames', 'Properties', 'ConcurrencyToken'],
  },
  OpenIddictAuthorizations: {
    columns: ['ApplicationId', 'Subject', 'Scopes', 'Status', 'Type'],
    others: ['Id', 'CreationDate', 'Properties', 'ConcurrencyToken'],
    isLater: true,
  },
  OpenIddictTokens: { columns: ['Type', 'Status'], isLater: true },
}

/** Names are compared without case, underscores and the schema before a dot. */
export const commonForm = (name: string): string =>
  name
    .slice(name.lastIndexOf('.') + 1)
    .replaceAll('_', '')
    .toLowerCase()
