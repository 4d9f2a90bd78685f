/**
 * The texts of mails in English, from which the types of the other catalogues follow. What stands in braces is filled
 * in; `{service}`, `{host}` and `{to}` are always there. A paragraph is one line.
 *
 * Belongs here: a catalogue for each language, loaded when a mail in that language is written.
 * Belongs elsewhere: the form of a mail (`mail/rendering.ts`).
 */

type MailText = {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** The label of the link. */
  readonly action?: string
}

export const en = {
  direction: 'ltr',
  common: {
    /** Above the code, below a link. */
    codeOrLink: 'Or enter this code on the page that asked for it:',
    /** Above a code without a link. */
    code: 'Enter this code on the page that asked for it:',
    /** Below link and code. */
    valid: 'This works once, and for {duration}.',
    /** Before the link in plain text. */
    link: '{action}:',
    time: 'Time',
    browser: 'Browser',
    address: 'Network address',
    /** Of a notice that stands for several. */
    gathered: 'This happened more than once within a few minutes. The details are those of the last time.',
    footer: '{service} ({host}) sent this mail to {to}. It never asks for your password by mail.',
  },
  mails: {
    register: {
      subject: 'Confirm your e-mail address for {service}',
      paragraphs: [
        'Somebody, hopefully you, is creating an account at {service} with this address. Confirm that the address is yours.',
        'If it was not you, there is nothing to do: without the confirmation no account is created.',
      ],
      action: 'Confirm this address',
    },
    register_existing: {
      subject: 'You already have an account at {service}',
      paragraphs: [
        'Somebody, hopefully you, tried to create an account at {service} with this address. There is an account with it already: sign in as {username}.',
        'If you have forgotten your password, choose “Forgot password?” on the sign-in page.',
        'If it was not you, there is nothing to do: your account is unchanged.',
      ],
      action: 'Sign in',
    },
    email: {
      subject: 'Confirm your new e-mail address for {service}',
      paragraphs: [
        'Somebody, hopefully you, wants to use this address for an account at {service}. Confirm that the address is yours; until then nothing changes.',
        'If you know nothing of this, there is nothing to do.',
      ],
      action: 'Confirm this address',
    },
    email_existing: {
      subject: 'Your e-mail address at {service}',
      paragraphs: [
        'Somebody, hopefully you, wanted to give this address to another account at {service}. It belongs to your account {username} already.',
        'There is nothing to do: your account is unchanged. To use the address with the other account, change the address of this one first.',
      ],
    },
    reset: {
      subject: 'Reset your password for {service}',
      paragraphs: [
        'Somebody, hopefully you, asked to reset the password of your account {username} at {service}.',
        'If it was not you, there is nothing to do: your password is unchanged.',
      ],
      action: 'Reset password',
    },
    invite: {
      subject: 'You are invited to {service}',
      paragraphs: ['You are invited to create an account at {service}. Open the page to choose how you sign in.'],
      action: 'Accept the invitation',
    },
    signin: {
      subject: 'Your code to sign in to {service}',
      paragraphs: [
        'Somebody, hopefully you, is signing in to your account {username} at {service} and needs this code.',
        'If it was not you, somebody knows your password: change it. Never give the code to anybody.',
      ],
    },
    new_browser: {
      subject: 'New sign-in to your {service} account',
      paragraphs: [
        'Your account {username} was used to sign in from a new browser.',
        'If it was not you, change your password and sign out all sessions.',
      ],
      action: 'Review your account',
    },
    passkey_added: {
      subject: 'A passkey was added to your {service} account',
      paragraphs: [
        'A passkey was added to your account {username}. It can be used to sign in.',
        'If it was not you, remove it and change your password.',
      ],
      action: 'Review your account',
    },
    passkey_removed: {
      subject: 'A passkey was removed from your {service} account',
      paragraphs: [
        'A passkey was removed from your account {username}: the one that was added on {added}. It can no longer be used to sign in.',
        'If it was not you, change your password and check how your account is protected.',
      ],
      action: 'Review your account',
    },
    passkey_refused: {
      subject: 'A passkey of your {service} account was refused',
      paragraphs: [
        'Somebody tried to sign in to your account {username} with the passkey that was added on {added}, but its signature counter went back. The passkey may have been copied, so the sign-in was refused.',
        'Remove this passkey and create a new one.',
      ],
      action: 'Review your account',
    },
    second_factor_on: {
      subject: 'The second factor of your {service} account was switched on',
      paragraphs: [
        'From now on, signing in to your account {username} takes a code from an authenticator app besides the password.',
        'If it was not you, change your password and check how your account is protected.',
      ],
      action: 'Review your account',
    },
    second_factor_off: {
      subject: 'The second factor of your {service} account was switched off',
      paragraphs: [
        'From now on, signing in to your account {username} takes no code from an authenticator app.',
        'If it was not you, change your password and switch the second factor on again.',
      ],
      action: 'Review your account',
    },
    recovery_code_used: {
      subject: 'A recovery code of your {service} account was used',
      paragraphs: [
        'A recovery code was used to sign in to your account {username}. Recovery codes that are left: {left}.',
        'If it was not you, change your password and make new recovery codes.',
      ],
      action: 'Review your account',
    },
    recovery_codes_replaced: {
      subject: 'New recovery codes for your {service} account',
      paragraphs: [
        'New recovery codes were made for your account {username}. The old ones no longer work.',
        'If it was not you, change your password and make new recovery codes.',
      ],
      action: 'Review your account',
    },
    password_changed: {
      subject: 'The password of your {service} account was changed',
      paragraphs: [
        'The password of your account {username} was changed.',
        'If it was not you, reset your password at once: choose “Forgot password?” on the sign-in page.',
      ],
      action: 'Review your account',
    },
    account_claimed: {
      subject: 'The address of your {service} account is confirmed',
      paragraphs: [
        'With this address you have set a new password for the account {username}. Nobody had confirmed the address before, so the account is yours from now on.',
        'Everything else with which somebody could sign in to it was removed: passkeys, linked accounts of other services, the authenticator app and recovery codes. All sessions and the access of all applications have ended.',
      ],
      action: 'Review your account',
    },
    email_set: {
      subject: 'Your {service} account has this e-mail address now',
      paragraphs: ['The e-mail address of your account {username} is {to} from now on.'],
      action: 'Review your account',
    },
    email_change_asked: {
      subject: 'Somebody asked to change the e-mail address of your {service} account',
      paragraphs: [
        'Somebody who is signed in to your account {username} asked to change its e-mail address. Nothing changes before the new address confirms it.',
        'If it was not you, change your password: that ends the request and signs out everybody else.',
      ],
      action: 'Review your account',
    },
    email_changed: {
      subject: 'The e-mail address of your {service} account was changed',
      paragraphs: [
        'The e-mail address of your account {username} is another one now. This mail goes to the old address.',
        'If it was not you, ask those who run {service} for help at once.',
      ],
    },
    email_changed_undo: {
      subject: 'The e-mail address of your {service} account was changed',
      paragraphs: [
        'The e-mail address of your account {username} is another one now. This mail goes to the old address.',
        'If it was not you, undo the change and then reset your password.',
      ],
      action: 'Undo the change',
    },
    external_login_added: {
      subject: 'Another way to sign in to your {service} account',
      paragraphs: [
        'Your account {username} can now be used by signing in with {provider}.',
        'If it was not you, unlink {provider} and change your password.',
      ],
      action: 'Review your account',
    },
    external_login_removed: {
      subject: 'A way to sign in to your {service} account was removed',
      paragraphs: [
        'Your account {username} can no longer be used by signing in with {provider}.',
        'If it was not you, change your password and check how your account is protected.',
      ],
      action: 'Review your account',
    },
    deletion_planned: {
      subject: 'Your {service} account is about to be deleted',
      paragraphs: [
        'Your account {username} will be deleted on {when}. Signing in before that keeps it.',
        'If it was not you, sign in and change your password.',
      ],
      action: 'Keep the account',
    },
    deleted: {
      subject: 'Your {service} account was deleted',
      paragraphs: ['Your account {username} was deleted with everything that belonged to it.'],
    },
    test: {
      subject: 'Test mail from {service}',
      paragraphs: ['This mail was sent with the command `latchkey mail test`. Mail works.'],
    },
  },
} as const satisfies {
  readonly direction: 'ltr' | 'rtl'
  readonly common: Readonly<Record<string, string>>
  readonly mails: Readonly<Record<string, MailText>>
}

export default en

/** A catalogue in another language: the same keys, and the same placeholders in each mail. */
export type MailTexts = {
  readonly direction: 'ltr' | 'rtl'
  readonly common: { readonly [Key in keyof typeof en.common]: string }
  readonly mails: {
    readonly [Key in keyof typeof en.mails]: {
      readonly subject: string
      readonly paragraphs: readonly string[]
    } & ((typeof en.mails)[Key] extends { readonly action: string } ? { readonly action: string } : unknown)
  }
}
