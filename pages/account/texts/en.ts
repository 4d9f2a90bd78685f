/**
 * The pages of the account in English, and the shape of every other catalogue of theirs. What these pages share with
 * the login page is in `pages/texts/`.
 */
const en = {
  /** The account area: its navigation, whose words are the headings of its pages as well. */
  area: {
    navigation: 'Account',
    skip: 'Skip to the content',
    overview: 'Overview',
    security: 'Security',
    devices: 'Devices',
    applications: 'Applications',
    profile: 'Profile',
    signOut: 'Sign out',
  },
  /** `{trace}` finds the request in the service's log. */
  otherProblem: 'This did not work, and nothing was changed. Trace ID: {trace}',

  /** The page on which a person chooses the account to go on with. */
  choose: {
    title: 'Choose an account',
    lead: 'Who wants to continue?',
    leadTo: 'Who wants to continue to {client}?',
    /** A button; `{name}` is the name of a person. */
    continueAs: 'Continue as {name}',
    another: 'Use another account',
  },

  /** A new password, wherever one is chosen. */
  newPassword: {
    label: 'New password',
    showCharacters: 'Show characters',
    capsLock: 'Caps Lock is on',
    /** `{count}` is a number. */
    hint: 'At least {count} characters. Several words in a row are easy to remember and hard to guess.',
    good: 'Long enough, and not among the most common ones. When you save it, it is also compared with a longer list.',
    /** By error code. */
    errors: {
      password_too_short: 'At least {count} characters, please.',
      password_too_long: 'This password is too long.',
      password_similar: 'This is too much like your username, your address or the name of this service.',
      password_common: 'This is one of the passwords that everybody tries first. Choose another.',
      password_breached: 'This password is known from a data breach. Choose another.',
    },
    otherError: 'This password cannot be used. Choose another.',
  },

  /** The page on which a person creates an account. */
  register: {
    title: 'Create an account',
    lead: 'We send you a mail to confirm your address.',
    email: 'Email',
    username: 'Username',
    usernameHint: 'optional, your email address will do',
    /** Beside the password, where a passkey can take its place. */
    passwordHint: 'Leave it empty to use a passkey instead.',
    submit: 'Create account',
    toSignIn: 'Sign in with an account that you have',
    /** `{address}` is an email address. */
    invited: 'You are invited as {address}. Choose how you want to sign in.',
    errors: {
      email_invalid: 'This does not look like an email address.',
      username_invalid: 'This username cannot be used. Letters, digits and the characters . _ - always work.',
      username_taken: 'This username is taken. Choose another.',
    },
    otherError: 'The account could not be created. Please try again.',
    closed: {
      title: 'No account can be created here',
      body: 'Registration is not open. If you were invited, the invitation has expired or was used already: ask for a new one.',
    },
  },

  /** The page after a registration without a password. */
  firstPasskey: {
    title: 'Add a passkey',
    lead: 'Your account is there. With a passkey you sign in as you unlock this device: no password needed.',
    submit: 'Add a passkey',
    /** Its name in the list of passkeys; `{system}` is the name of an operating system. */
    name: 'Passkey on {system}',
    plainName: 'Passkey',
    password: 'Choose a password instead',
    submitPassword: 'Continue',
    back: 'Back to the passkey',
    unsupported: 'This browser cannot make a passkey. Choose a password instead.',
    cancelled: 'No passkey was made. Try again, or choose a password instead.',
    failed: 'The passkey could not be stored. Try again, or choose a password instead.',
  },

  /** The page that a code from a mail is entered on, and that a link in a mail opens. */
  confirm: {
    code: 'Code',
    codeHint: 'Six digits, from the newest mail',
    submit: 'Continue',
    sendAgain: 'Send a new code',
    sent: 'A new mail is on its way. Earlier codes and links no longer work.',
    notArrived: 'No mail after a few minutes? Look among the unwanted mails, or have a new code sent.',
    otherAddress: 'Use another address',
    /** By error code, where a code was entered, or a link opened that can be sent again. */
    errors: {
      code_invalid:
        'This code or link is wrong, has expired or was used before. Enter the code from the newest mail, or have a new one sent.',
      too_many_attempts: 'There were too many wrong codes. Have a new one sent.',
    },
    otherError: 'This did not work. Have a new code sent.',
    /** What a mail is for. `lead`: a code is asked for; `link`: the link was opened. `{address}` is where the mail went. */
    register: {
      title: 'Confirm your email address',
      lead: 'We have sent you a mail. Enter the code from it here, or open its link.',
      leadTo: 'We have sent a mail to {address}. Enter the code from it here, or open its link.',
      link: 'One more step: this creates your account.',
    },
    reset: {
      title: 'Look into your mail',
      lead: 'If there is an account, we have sent a mail to its address. Enter the code from it here, or open its link.',
      leadTo:
        'If there is an account for {address}, we have sent a mail to its address. Enter the code from it here, or open its link.',
      link: 'After this you choose a new password.',
    },
    email: {
      title: 'Confirm your new email address',
      lead: 'We have sent a mail to the new address. Enter the code from it here, or open its link.',
      link: 'After this the address belongs to your account. The former address is told.',
    },
    invite: {
      title: 'Accept the invitation',
      lead: 'Open the link in the mail that invited you.',
      link: 'After this you choose how you want to sign in.',
      /** The link cannot be used. */
      error: 'This invitation has expired or was used before. Ask whoever invited you for a new one.',
    },
    undo: {
      title: 'Take the change back',
      lead: 'Open the link in the mail that told you of the change.',
      link: 'Your account gets its former email address back, and everybody is signed out of it. What was added to it since the day before the change is removed: passkeys, linked accounts, an authenticator app, recovery codes and the access of applications. After this you choose a new password.',
      error: 'This link has expired or was used before. Ask the people who run this service for help.',
    },
    /** An address of this page that no mail leads to. */
    unknown: { title: 'This link is incomplete', body: 'Open the link in the mail again, or copy all of it.' },
  },

  forgotPassword: {
    title: 'Forgot your password?',
    lead: 'We send a mail with a code to the address of your account. With it you choose a new password.',
    email: 'Email',
    emailHint: 'or username',
    submit: 'Continue',
    /** Read out in place of the words on the button, and begins with them. */
    submitLabel: 'Continue to reset password',
    back: 'Back to sign in',
    errors: {
      code_invalid: 'The code or link has expired or was used before. Enter your address again to get a new one.',
    },
    otherError: 'This did not work. Please try again.',
  },

  resetPassword: {
    title: 'Choose a new password',
    /** After a change of the address was taken back. */
    undone:
      'Your account has its former email address again. Everybody is signed out of it, and what was added since the day before the change is removed. Now choose a new password: somebody else may know the old one.',
    lead: 'It replaces the old one at once.',
    revoke: 'Sign out everywhere else, and end the access of all applications',
    submit: 'Reset password',
    restart: 'Have a new mail sent',
  },

  /** The step between the password and the session. */
  secondFactor: {
    title: 'Confirm that it is you',
    signingIn: 'Signing in as',
    code: 'Code',
    submit: 'Continue',
    /** A tick. */
    remember: 'Do not ask again in this browser for 30 days',
    totp: {
      lead: 'Enter the code that your authenticator app shows.',
      hint: 'Six digits; a new code every 30 seconds',
      choose: 'Use the authenticator app',
    },
    recovery: {
      lead: 'Enter one of the recovery codes that you kept. Each works once.',
      hint: 'Letters and digits, as printed',
      choose: 'Use a recovery code',
    },
    email: {
      lead: 'We have sent a code to your email address.',
      ask: 'We can send a code to your email address.',
      hint: 'Six digits, from the newest mail',
      choose: 'Use a code by email',
      send: 'Send a code',
      sendAgain: 'Send a new code',
    },
    passkey: {
      lead: 'Use the passkey on this device, on your phone or on a security key.',
      choose: 'Use a passkey',
      cancelled: 'No passkey was used. Try again, or try another way.',
      unsupported: 'This browser cannot use passkeys. Try another way.',
    },
    another: 'Try another way',
    anotherTitle: 'How do you want to confirm that it is you?',
    someoneElse: 'Not you?',
    noWay: 'Lost everything that you confirm with? The people who run this service can help you in.',
    errors: {
      code_invalid: 'This code is wrong, has expired or was used before.',
      passkey: 'This passkey could not be used. Try again, or try another way.',
      too_many_attempts:
        'There were too many wrong attempts. Wait five minutes, then try again. Nothing is lost meanwhile.',
      /** The wrong codes of a whole day. */
      too_many_today:
        'There were too many wrong codes today. Six-digit codes are accepted again within a day. A passkey or a recovery code works now.',
    },
    otherError: 'This did not work. Please try again.',
    expired: {
      title: 'This sign-in has ended',
      body: 'It took too long, or was finished in another tab.',
      submit: 'Start again',
    },
  },

  /** Setting up an authenticator app as part of a sign-in. */
  enrolment: {
    title: 'Protect your account',
    lead: 'This service asks for a second factor besides the password. Set up an authenticator app on your phone.',
    start: 'Set up an authenticator app',
    /** Steps in order. */
    scan: 'Scan this picture with the app.',
    picture: 'QR code for the authenticator app',
    secret: 'Or enter this key in the app:',
    enter: 'Enter the code that the app shows.',
    code: 'Code',
    submit: 'Continue',
    wrong: 'This code is wrong. Enter the one that the app shows now.',
    paused: 'There were too many wrong codes. Wait five minutes, then try again.',
  },

  /** Recovery codes, shown once. */
  recoveryCodes: {
    title: 'Keep these recovery codes',
    lead: 'When your phone is lost, each of them signs you in once in its place. They are not shown again.',
    copy: 'Copy',
    copied: 'Copied',
    download: 'Download',
    print: 'Print',
    /** The name of the file; `{service}` is the name of the service. */
    file: 'Recovery codes for {service}',
    submit: 'Continue',
  },

  /** What every page of the account area has. `{name}` is the name of a browser, a passkey, an application or a person. */
  common: {
    saved: 'Saved.',
    cancel: 'Cancel',
    unreachable: 'This page could not be loaded. Check your connection, then try again.',
    /** A browser that says nothing of itself. */
    unknownBrowser: 'Unknown browser',
    browserOn: '{browser} on {system}',
    /** Names and values of details. */
    created: 'Added {when}',
    lastUsed: 'Last used {when}',
    neverUsed: 'Not used yet',
    /** The person signed in again on the way to something; the page is ready for it. */
    goOn: 'You have signed in again. You can go on now.',
    /** By error code; those that any change may meet. */
    errors: {
      too_many_requests: 'That was too often in a short time. Wait a few minutes, then try again.',
      too_many_attempts: 'There were too many wrong codes. Wait five minutes, then try again.',
      temporarily_unavailable: 'The service is busy. Wait a moment, then try again.',
      not_found: 'This is not there any more. Load the page again.',
      last_sign_in_method: 'This is your only way to sign in. Add another one first.',
    },
  },

  overview: {
    lead: 'Who you are here, and what keeps your account safe.',
    signedInAs: 'Signed in as',
    confirmed: 'confirmed',
    notConfirmed: 'not confirmed',
    nextTitle: 'Worth doing next',
    nothing: 'Nothing at the moment. Your account is in good order.',
    /** `next`: what to do, and why. */
    next: {
      confirm_email: {
        title: 'Confirm your email address',
        body: 'Without it you cannot get back in if you forget your password.',
        submit: 'Send the mail',
      },
      add_passkey: {
        title: 'Add a passkey',
        body: 'Sign in with your fingerprint, your face or the PIN of your device. No password to remember or to steal.',
        link: 'Go to passkeys',
      },
      set_up_totp: {
        title: 'Set up an authenticator app',
        body: 'Somebody who learns your password cannot sign in without the code of the app.',
        link: 'Go to the authenticator app',
      },
      renew_recovery_codes: {
        title: 'Make new recovery codes',
        body: 'Few are left. With one of them you get in when your phone is lost.',
        link: 'Go to recovery codes',
      },
    },
    deletion: 'Your account will be deleted on {when}.',
    keep: 'Keep my account',
    kept: 'Your account stays. Nothing is deleted.',
    activityTitle: 'Recent activity',
    allActivity: 'All activity',
  },

  security: {
    lead: 'How you sign in.',
    password: {
      title: 'Password',
      lead: 'After a change, all other devices are signed out.',
      none: 'You sign in without a password. You can set one.',
      current: 'Current password',
      revoke: 'Also sign out all applications that use my account',
      submit: 'Change password',
      set: 'Set a password',
      first: 'For your safety you sign in again first.',
      changed: 'Your password is changed. All other devices are signed out.',
      currentMissing: 'Enter your current password.',
      /** By error code. */
      errors: {
        invalid_credentials:
          'This is not your current password. After several wrong attempts the account is locked for a few minutes.',
      },
    },
    passkeys: {
      title: 'Passkeys',
      lead: 'Sign in with your fingerprint, your face or the PIN of your device. No password is needed.',
      none: 'You have no passkeys yet.',
      add: 'Add a passkey',
      rename: 'Rename',
      remove: 'Remove',
      name: 'Name',
      save: 'Save',
      synced: 'Synced between your devices',
      bound: 'Only on one device',
      /** When neither browser nor system is known. */
      newName: 'Passkey',
      added: 'The passkey “{name}” is added.',
      renamed: 'The passkey is renamed.',
      removed: 'The passkey is removed.',
      ask: 'Remove the passkey “{name}”?',
      askBody: 'You cannot sign in with it any more. Delete it on your device as well, where it may still be offered.',
      unsupported: 'This browser cannot make passkeys here. Try another browser or device.',
      cancelled: 'No passkey was made. You can try again.',
      exists: 'This device has a passkey of your account already.',
      /** By error code. */
      errors: {
        too_many_passkeys: 'You have twenty passkeys, which is the limit. Remove one first.',
        passkey_taken: 'This passkey is in use already.',
        passkey_challenge_invalid: 'This took too long. Please try again.',
        passkey_invalid: 'The passkey of this device cannot be used here. Try another one.',
        name_invalid: 'The name must have 1 to 100 characters.',
      },
    },
    totp: {
      title: 'Authenticator app',
      lead: 'An app on your phone shows a new code every 30 seconds. It is asked for after your password.',
      on: 'On since {when}',
      off: 'Off',
      setUp: 'Set up an authenticator app',
      turnOff: 'Turn off',
      turnedOn: 'The authenticator app is on. Now keep recovery codes for the day you lose your phone.',
      turnedOff: 'The authenticator app is off.',
      ask: 'Turn off the authenticator app?',
      askBody:
        'Your password alone is then enough to sign in. If you have no passkey, your recovery codes end as well.',
    },
    recovery: {
      title: 'Recovery codes',
      lead: 'Each of these codes lets you in once when your phone or passkey is lost.',
      none: 'You have no recovery codes.',
      /** By plural category (`Intl.PluralRules`). */
      left: {
        zero: 'No recovery codes are left.',
        one: '{count} recovery code is left.',
        two: '{count} recovery codes are left.',
        few: '{count} recovery codes are left.',
        many: '{count} recovery codes are left.',
        other: '{count} recovery codes are left.',
      },
      show: 'Show recovery codes',
      ask: 'Make ten new codes?',
      askBody: 'Codes are shown only once, so you get new ones. The old ones no longer work.',
    },
    linked: {
      title: 'Linked accounts',
      lead: 'Sign in here with an account that you have elsewhere.',
      link: 'Link',
      unlink: 'Unlink',
      notLinked: 'Not linked',
      since: 'Linked {when}',
      linked: '{name} is linked.',
      unlinked: 'The account is unlinked.',
      ask: 'Unlink {name}?',
      askBody: 'You cannot sign in with it any more.',
      /** By the `error` parameter, and by error code. */
      errors: {
        external_provider_error: 'The other service did not complete the link. Please try again.',
        external_login_unavailable: 'This took too long. Please start again.',
        external_login_exists: 'Another account of this service is linked already. Unlink it first.',
        external_login_in_use: 'This account cannot be linked.',
        bad_gateway: 'The other service does not answer. Please try again later.',
      },
    },
  },

  devices: {
    lead: 'Where you are signed in. Sign out whatever you do not recognise, then change your password.',
    sessions: 'Sessions',
    here: 'This device',
    started: 'Signed in {when}',
    seen: 'Last seen {when}',
    from: 'From {address}',
    /** How a session began; `{methods}` is a list. */
    with: 'With {methods}',
    /** By authentication method (RFC 8176). Others are names of services. */
    methods: { pwd: 'password', otp: 'code', hwk: 'passkey', swk: 'passkey' },
    end: 'Sign out this session',
    ended: 'The session is signed out.',
    endOthers: 'Sign out everywhere else',
    endOthersAsk: 'Sign out everywhere else?',
    endOthersBody: 'All sessions but this one end at once.',
    othersEnded: 'You are signed out everywhere else.',
    onlyThis: 'You are signed in nowhere else.',
    browsers: 'Remembered browsers',
    browsersLead: 'Browsers that signed in before. A new one is told to you by mail.',
    noBrowsers: 'No browser is remembered.',
    remembered: 'No second step until {when}',
    remove: 'Remove',
    removed: 'The browser is not remembered any more.',
  },

  applications: {
    lead: 'What may use your account.',
    title: 'Applications with access',
    none: 'No application uses your account.',
    /** Above the list of what an application may do. */
    may: 'It may',
    onlySignIn: 'It only knows that you signed in.',
    given: 'Access given {when}',
    selfRegistered: 'Nobody here has checked this application: it chose its name itself.',
    remove: 'Remove access',
    ask: 'Remove the access of {name}?',
    askBody: 'It is signed out of your account at once. When you use it again, it has to ask you again.',
    removed: 'The access is removed.',
  },

  profile: {
    lead: 'What applications learn about you, if you allow it.',
    title: 'About you',
    more: 'More details',
    language: 'Language',
    /** The person has not chosen one. */
    anyLanguage: 'As in my browser',
    anyZone: 'Not set',
    save: 'Save',
    saved: 'Your profile is saved.',
    /** By claim (OpenID Connect Core §5.1). */
    claims: {
      name: 'Full name',
      given_name: 'First name',
      family_name: 'Last name',
      middle_name: 'Middle name',
      nickname: 'Nickname',
      gender: 'Gender',
      birthdate: 'Date of birth',
      phone_number: 'Phone number',
      website: 'Website',
      profile: 'Profile page',
      picture: 'Address of a picture',
      zoneinfo: 'Time zone',
      address: 'Postal address',
    },
    hints: {
      birthdate: 'Year, month and day, such as 1990-12-31',
      phone_number: 'With the country, such as +1 555 0100',
    },
    /** A value that cannot be saved. */
    invalid: 'This value cannot be saved. Please check it.',
    email: {
      title: 'Email address',
      now: 'Your address is {address}.',
      confirmed: 'It is confirmed.',
      notConfirmed: 'It is not confirmed yet.',
      lead: 'We send a mail to the new address. Nothing changes until you confirm it there.',
      box: 'Email',
      submit: 'Change e-mail address',
      again: 'Send a mail to confirm it',
      sent: 'If {address} can be used, a mail is on its way there. Open its link, or enter its code.',
      enter: 'Enter the code',
      errors: { email_invalid: 'That is not a valid email address.' },
    },
    activity: {
      title: 'Activity',
      lead: 'What happened to your account, newest first.',
      none: 'Nothing has happened yet.',
      older: 'Show older',
      from: 'from {address}',
      operator: 'by an administrator',
    },
    data: {
      title: 'Your data',
      lead: 'One file with everything that is stored about you.',
      download: 'Download my data',
      downloaded: 'The file is downloaded.',
      file: 'account',
    },
    deletion: {
      title: 'Delete account',
      /** `{when}` is a duration, such as “7 days”. */
      lead: 'Your account is deleted after {when}. Signing in before then cancels it. Then everything about you is removed, and applications lose access.',
      leadNow: 'Your account and everything about you is removed at once. This cannot be undone.',
      box: 'User name to confirm',
      hint: 'Enter {name}',
      submit: 'Delete my account',
      planned: 'Your account will be deleted on {when}.',
      keep: 'Keep my account',
      kept: 'Your account stays. Nothing is deleted.',
      errors: { username_mismatch: 'This is not your user name.' },
    },
  },

  /** What happened, by the kind of an entry; `user_changed` by what was changed. `{client}` is an application. */
  activity: {
    sign_in: 'You signed in',
    sign_in_failed: 'A sign-in failed',
    second_factor_asked: 'A second step was asked for',
    locked_out: 'Your account was locked for a while after failed attempts',
    sign_out: 'A session was signed out',
    logout_notice: '{client} was told about a sign-out',
    mail_failed: 'A mail to you could not be delivered',
    mail_retried: 'A mail to you was sent again',
    account_registered: 'You created this account',
    confirmation_asked: 'A code was requested by mail',
    confirmation_failed: 'A wrong code was entered',
    consent_given: 'You gave {client} access',
    consent_denied: 'You denied {client} access',
    consent_revoked: 'The access of {client} was removed',
    device_started: 'A device asked for access through {client}',
    device_approved: 'You connected a device through {client}',
    code_replayed: '{client} used a code twice, so its access was ended',
    refresh_token_replayed: '{client} used an old key, so its access was ended',
    token_revoked: '{client} gave access back',
    passkey_added: 'A passkey was added',
    passkey_removed: 'A passkey was removed',
    external_login_added: 'An account elsewhere was linked',
    external_login_removed: 'An account elsewhere was unlinked',
    user_added: 'Your account was created',
    data_exported: 'Your data was downloaded',
    deletion_planned: 'The deletion of your account was requested',
    deletion_cancelled: 'The deletion of your account was cancelled',
    changed_locked: 'Your account was locked',
    changed_unlocked: 'Your account was unlocked',
    changed_password_set: 'Your password was changed',
    changed_password_reset: 'Your password was reset',
    changed_browsers_forgotten: 'All remembered browsers were removed',
    changed_browser_forgotten: 'A remembered browser was removed',
    changed_totp_on: 'The authenticator app was turned on',
    changed_totp_off: 'The authenticator app was turned off',
    changed_recovery_codes_made: 'New recovery codes were made',
    changed_recovery_code_used: 'A recovery code was used',
    changed_second_factor_reset: 'Your second step was reset',
    changed_email_set: 'Your email address was changed',
    changed_email_restored: 'The change of your email address was undone',
    changed_sessions_ended: 'All sessions were ended',
    changed_role_added: 'You were given a role',
    changed_role_removed: 'A role was taken from you',
    other: 'Your account was changed',
    /** In place of the name of an application that is gone. */
    application: 'an application',
  },
}

export type AccountTexts = typeof en
export default en
