import type { AccountTexts } from './en.ts'

const de: Partial<AccountTexts> = {
  area: {
    navigation: 'Konto',
    skip: 'Zum Inhalt springen',
    overview: 'Übersicht',
    security: 'Sicherheit',
    devices: 'Geräte',
    applications: 'Anwendungen',
    profile: 'Profil',
    signOut: 'Abmelden',
  },
  otherProblem: 'Das hat nicht geklappt, und nichts wurde geändert. Trace-ID: {trace}',

  choose: {
    title: 'Konto auswählen',
    lead: 'Wer möchte fortfahren?',
    leadTo: 'Wer möchte mit {client} fortfahren?',
    continueAs: 'Weiter als {name}',
    another: 'Anderes Konto verwenden',
  },
}

export default de
