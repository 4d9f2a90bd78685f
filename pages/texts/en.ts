/**
 * English, and the shape of every other catalogue. `{name}` stands for a value that the page fills in; a translation
 * may put it anywhere in the sentence. Names of clients and people are never translated.
 */
const en = {
  direction: 'ltr' as 'ltr' | 'rtl',
  /** `{page}` is the heading of the page, `{service}` the name of the service. */
  windowTitle: '{page} · {service}',
  footer: 'You are at {host}',
  /** The list of languages. */
  language: 'Language',
  support: 'Help',
  terms: 'Terms of service',
  privacy: 'Privacy policy',

  loading: 'Loading…',
  tryAgain: 'Try again',
  goBack: 'Go back',
  toSignIn: 'Go to sign in',
  startAgain: 'Start again',
  backToSignIn: 'Back to sign in',
  unreachable: {
    title: 'This page could not be loaded',
    body: 'The sign-in service did not answer. Check your connection, then try again.',
    inForm: 'The sign-in service does not answer, so the form cannot be sent yet. Check your connection.',
  },
  cookies:
    'Your browser does not store cookies for this site, so signing in is not possible. Allow them, then reload the page.',
  signedInAs: 'Signed in as',
  changed: 'Something changed in another tab or window. Please look again before you go on.',

  signIn: {
    title: 'Sign in',
    lead: 'Use your account to continue.',
    /** `{client}` is the name of an application. */
    leadTo: 'Sign in to continue to {client}',
    forgotPassword: 'Forgot password?',
    createAccount: 'Create an account',
    /** Buttons and a notice for somebody who is signed in already; `{name}` is the name of a person. */
    continueAs: 'Continue as {name}',
    useAnother: 'Use another account',
    signedInNow: 'You are signed in as {name}.',
    /** Why a form has to be filled in by somebody who is signed in. */
    reasons: {
      login: 'You are signed in as {name}. {client} asks you to enter your password again.',
      max_age: 'You are signed in as {name}, but that was too long ago for {client}. Please enter your password again.',
      another: 'You are signed in as {name}, but {client} asks for another account.',
      reauthenticate: 'You are signed in as {name}. For your safety, please enter your password again.',
    },
    /** In place of the name of an application that has none. */
    application: 'the application',
    username: 'Username',
    usernameHint: 'or email address',
    password: 'Password',
    showCharacters: 'Show characters',
    capsLock: 'Caps Lock is on',
    rememberMe: 'Remember me',
    submit: 'Sign in',
    passkey: 'Sign in with a passkey',
    /** The visitor closed the dialog for passkeys, or had none to choose. */
    passkeyCancelled: 'No passkey was used. Try again, or sign in with your password.',
    passkeyRefused: 'The passkey could not be used to sign in. Try again, or sign in with your password.',
    /** The application has sent a visitor back who had just signed in, or who came back by hand. */
    again: 'Please sign in again to continue.',
    /** After a sign-out that no application asked for, above the form. */
    signedOut: 'You are signed out',
    signedOutLead: 'You can close this page, or sign in again.',
    or: 'or',
    /** `{provider}` is the display name of an external provider. */
    continueWith: 'Continue with {provider}',
    providersUnreachable: 'Other ways to sign in could not be loaded.',
    /** By the `error` parameter. */
    errors: {
      invalid_credentials:
        'The username or password is not correct. After several failed attempts an account is locked for a few minutes.',
      external_provider_error:
        'The other service did not complete the sign-in. Try again, or use another way to sign in.',
      external_login_unavailable: 'Your sign-in with the other service has expired. Please start again.',
      account_locked:
        'This account is locked at the moment. Wait a few minutes and try again, or ask your administrator.',
      account_not_allowed:
        'This account may not sign in yet. Its email address may still need to be confirmed. Ask your administrator if this does not change.',
      sign_in_expired: 'This sign-in took too long. Please start again.',
      external_login_failed: 'The sign-in with the other service failed. Try again, or use another way to sign in.',
    },
    otherError: 'The sign-in failed. Please try again.',
  },

  signedIn: {
    title: 'You are signed in',
    body: 'You can close this page and return to your application.',
    submit: 'Sign out',
    someoneElse: 'Sign in as someone else',
  },

  consent: {
    title: '{client} would like to use your account',
    loadingTitle: 'Allow access',
    notYou: 'Not you?',
    scopes: 'It is asking to',
    noScopes: 'It is asking for nothing beyond knowing that you signed in.',
    destination: 'Afterwards you continue at {host}',
    selfRegistered: 'Nobody here has checked this application: it chose its name itself. Allow it only if you know it.',
    published: 'This application is published at {host}.',
    policy: 'Privacy policy',
    terms: 'Terms of service',
    contacts: 'Contact',
    allow: 'Allow',
    deny: 'Deny',
    /** For scopes that the server describes with no words of its own. */
    builtInScopes: {
      openid: { name: 'Confirm who you are', description: 'Tell it that you signed in, and recognise you next time.' },
      profile: { name: 'See your profile', description: 'Your user name, and what else your profile contains.' },
      email: { name: 'See your email address', description: 'And whether it is confirmed.' },
      phone: { name: 'See your telephone number', description: 'And whether it is confirmed.' },
      address: { name: 'See your postal address', description: '' },
      roles: { name: 'See your roles', description: 'The roles an administrator has given you.' },
      offline_access: {
        name: 'Keep access while you are away',
        description: 'Until you remove it in your account.',
      },
    },
  },

  /** The page for devices without a browser. */
  device: {
    title: 'Connect a device',
    lead: 'Enter the code that your device shows.',
    code: 'Code',
    codeHint: 'Eight letters. Once all are typed, the page continues.',
    submit: 'Continue',
    compare: 'Your device must show this code:',
    warning:
      'Allow this only if you started it on your own device just now. If someone sent you the code or a link to this page, choose Deny: they would get into your account.',
    /** By the `error` parameter. */
    errors: {
      code_unknown: 'This code is not known, was used, or has expired. Compare it with the code on your device.',
      too_many_tries: 'There were too many wrong codes. Wait a minute, then try again.',
    },
    otherError: 'Something went wrong. Please enter the code again.',
    allowed: { title: 'Your device is connected', body: 'You can close this page and go back to your device.' },
    denied: { title: 'Access was not given', body: 'The device gets nothing. You can close this page.' },
    another: 'Connect another device',
  },

  signOut: {
    title: 'Sign out?',
    loadingTitle: 'Sign out',
    fromClient: '{client} asks to end your session in this browser.',
    plain: 'This ends your session in this browser.',
    /** No user is signed in: the session has ended, or there never was one. */
    goneTitle: 'You are signed out',
    gone: 'No account is signed in here. You can close this page.',
    goneFromClient: 'No account is signed in here. One more step takes you back to {client}.',
    continue: 'Continue',
    /** Read out in place of `continue`, with which it has to begin. */
    continueTo: 'Continue to sign out of {client}',
    submit: 'Sign out',
    stay: 'Stay signed in',
  },

  confirm: {
    title: 'Create your account',
    /** `{provider}` is the display name of the external provider. */
    lead: '{provider} knows who you are, but there is no account for you here yet. Confirm your email address to create one.',
    identity: 'Signed in at {provider}',
    email: 'Email',
    emailHint: 'An existing account is never linked by its email address.',
    emailLooksWrong: 'This does not look like an email address yet.',
    submit: 'Create account',
    errors: {
      email_invalid: 'That is not a valid email address. Please check it and try again.',
      email_in_use:
        'An account with this email address already exists. Sign in to it with its password, or use another address.',
      external_login_in_use: 'This sign-in already belongs to another account. Go back and sign in to that account.',
      registration_failed: 'The account could not be created, and nothing was saved. Please try again.',
    },
    otherError: 'The account could not be created. Please try again.',
    expiredTitle: 'This took too long',
    expired: 'For your safety, a sign-in with another service expires after five minutes. Please start again.',
  },

  notFound: {
    title: 'Page not found',
    body: 'There is nothing at this address. The link may be old or mistyped.',
  },

  problem: {
    returnToApplication:
      'Please go back to the application you came from and start again there. If this keeps happening, tell its support team.',
    details: 'Details for developers',
    error: 'Error',
    id: 'Code',
    description: 'Description',
    documentation: 'Documentation',
    traceId: 'Trace ID',
    explanation: 'What was wrong',
    rule: 'Rule',
    why: 'Why',
    fix: 'How to fix it',
    onlyHere: 'Shown because this service runs on your own machine. Elsewhere only the log has it.',
    copy: 'Copy',
    copied: 'Copied',
    waitSeconds: 'You can try again in {seconds} s.',
    mayRetry: 'You can try again now.',
    /** By kind of problem; problem-kinds.ts says which error belongs to which kind. */
    kinds: {
      unregisteredAddress: {
        title: 'We stopped for your safety',
        body: 'The application wanted to send you to an address that is not registered for it.',
      },
      malformedAddress: {
        title: 'This link is not valid',
        body: 'The application sent a return address that cannot be used.',
      },
      incomplete: {
        title: 'Something is missing from this link',
        body: 'The application sent you here without everything that is needed to sign you in.',
      },
      unknownValue: {
        title: 'This request is not known here',
        body: 'The application, or something it asks for, is not registered with this service.',
      },
      unprotected: {
        title: 'We stopped for your safety',
        body: 'The application did not protect its request in the way this service requires.',
      },
      notPermitted: {
        title: 'The application may not do this',
        body: 'It asked for something that it has no permission for.',
      },
      unsupported: {
        title: 'The application asked for something unusual',
        body: 'This service does not offer what was asked for.',
      },
      otherClient: {
        title: 'This request does not fit together',
        body: 'It carries a proof of sign-in that was made for another application.',
      },
      denied: {
        title: 'Access was not given',
        body: 'The request was declined, and nothing was shared.',
      },
      notFound: {
        title: 'Page not found',
        body: 'There is nothing at this address. The link may be old or mistyped.',
      },
      tooMany: {
        title: 'Too many attempts',
        body: 'There were many sign-in attempts from your network in a short time. Please wait a moment.',
      },
      startAgain: {
        title: 'Please start again',
        body: 'Your sign-in with the other service took too long, was already finished, or was started in another browser.',
      },
      expiredForm: {
        title: 'This page was open too long',
        body: 'Something changed since the page was loaded, so nothing was sent. Go back and try again.',
      },
      unavailable: {
        title: 'Back in a moment',
        body: 'The service cannot answer right now. Please try again shortly.',
      },
      provider: {
        title: 'The other service did not answer',
        body: 'You were not signed in, and nothing was saved. Try again, or use another way to sign in.',
      },
      server: {
        title: 'Something went wrong on our side',
        body: 'You did nothing wrong. Please try again; if it happens again, pass on the trace ID from the details below.',
      },
      generic: {
        title: 'This request could not be completed',
        body: 'The application sent you here with a request that this service cannot accept.',
      },
    },
  },

  /** What the server writes itself, above all for browsers that run no scripts. */
  server: {
    loadAgain: 'Load it again',
    needsScripts: {
      title: 'This page needs JavaScript',
      body: 'Switch it on for this site, then load the page again.',
    },
    late: { title: 'This page is taking long to load', body: 'The connection may be slow or interrupted.' },
    /** Problems by their `error` code; `other` is for the mistakes of applications. */
    problems: {
      not_found: {
        title: 'Page not found',
        body: 'There is nothing at this address. The link may be old or mistyped.',
      },
      misdirected_request: {
        title: 'Wrong address',
        body: 'This service is not called by this name. Please use the address that its operator named.',
      },
      too_many_requests: {
        title: 'Too many attempts',
        body: 'There were many sign-in attempts from your network in a short time. Please wait a moment, then go back and try again.',
      },
      bad_gateway: {
        title: 'The other service did not answer',
        body: 'You were not signed in, and nothing was saved. Please go back and try again.',
      },
      temporarily_unavailable: {
        title: 'Back in a moment',
        body: 'The service cannot answer right now. Please try again shortly.',
      },
      server_error: {
        title: 'Something went wrong on our side',
        body: 'You did nothing wrong. Please try again. If it happens again, pass on the trace ID from the details below.',
      },
      other: {
        title: 'This request could not be completed',
        body: 'The application sent you here with a request that this service cannot accept. Please go back to the application you came from and start again there. If this keeps happening, tell its support team.',
      },
    },
    toSignIn: 'Go to sign in',
    details: 'Details for developers',
    error: 'Error',
    description: 'Description',
    documentation: 'Documentation',
    traceId: 'Trace ID',
    /** After a sign-out of which applications are told through the browser. */
    signedOut: {
      title: 'You are signed out',
      closing: 'You can close this page.',
      leaving: 'You are taken back to the application.',
      continue: 'Continue',
    },
  },
}

export type Texts = typeof en
export default en
