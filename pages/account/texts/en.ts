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
    good: 'This password can be used.',
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
      username_invalid: 'This username cannot be used. Letters, digits and the characters . _ - @ always work.',
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
      link: 'Your account gets its former email address back, and everybody is signed out of it. After this you choose a new password.',
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
    /** After a change of the address was taken back. */
    undone:
      'Your account has its former email address again, and everybody is signed out of it. Now choose a new password: somebody else may know the old one.',
    errors: {
      code_invalid: 'The code or link has expired or was used before. Enter your address again to get a new one.',
    },
    otherError: 'This did not work. Please try again.',
  },

  resetPassword: {
    title: 'Choose a new password',
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
    someoneElse: 'Sign in as someone else',
    noWay: 'Lost everything that you confirm with? The people who run this service can help you in.',
    errors: {
      code_invalid: 'This code is wrong, has expired or was used before.',
      passkey: 'This passkey could not be used. Try again, or try another way.',
      too_many_attempts:
        'There were too many wrong attempts. Wait five minutes, then try again. Nothing is lost meanwhile.',
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
}

export type AccountTexts = typeof en
export default en
