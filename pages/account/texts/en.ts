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
}

export type AccountTexts = typeof en
export default en
