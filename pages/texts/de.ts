import type { Texts } from './en.ts'

const de: Texts = {
  direction: 'ltr',
  windowTitle: '{page} · {service}',
  footer: 'Sie sind bei {host}',
  language: 'Sprache',
  support: 'Hilfe',
  terms: 'Nutzungsbedingungen',
  privacy: 'Datenschutz',

  loading: 'Wird geladen …',
  tryAgain: 'Erneut versuchen',
  goBack: 'Zurück',
  toSignIn: 'Zur Anmeldung',
  startAgain: 'Neu beginnen',
  backToSignIn: 'Zurück zur Anmeldung',
  unreachable: {
    title: 'Diese Seite konnte nicht geladen werden',
    body: 'Der Anmeldedienst hat nicht geantwortet. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    inForm:
      'Der Anmeldedienst antwortet nicht, deshalb kann das Formular noch nicht gesendet werden. Prüfen Sie Ihre Verbindung.',
  },
  cookies:
    'Ihr Browser speichert keine Cookies für diese Website, deshalb ist keine Anmeldung möglich. Erlauben Sie sie und laden Sie die Seite neu.',
  signedInAs: 'Angemeldet als',
  changed:
    'In einem anderen Tab oder Fenster hat sich etwas geändert. Bitte sehen Sie noch einmal hin, bevor Sie fortfahren.',

  signIn: {
    title: 'Anmelden',
    lead: 'Melden Sie sich mit Ihrem Konto an, um fortzufahren.',
    leadTo: 'Melden Sie sich an, um mit {client} fortzufahren',
    forgotPassword: 'Passwort vergessen?',
    createAccount: 'Konto erstellen',
    continueAs: 'Weiter als {name}',
    useAnother: 'Anderes Konto verwenden',
    signedInNow: 'Sie sind als {name} angemeldet.',
    reasons: {
      login: 'Sie sind als {name} angemeldet. {client} bittet Sie, Ihr Passwort noch einmal einzugeben.',
      max_age:
        'Sie sind als {name} angemeldet, aber für {client} ist das zu lange her. Bitte geben Sie Ihr Passwort noch einmal ein.',
      another: 'Sie sind als {name} angemeldet, aber {client} verlangt ein anderes Konto.',
      reauthenticate:
        'Sie sind als {name} angemeldet. Bitte geben Sie zu Ihrer Sicherheit Ihr Passwort noch einmal ein.',
    },
    application: 'die Anwendung',
    username: 'Benutzername',
    usernameHint: 'oder E-Mail-Adresse',
    password: 'Passwort',
    showCharacters: 'Zeichen anzeigen',
    capsLock: 'Die Feststelltaste ist aktiviert',
    rememberMe: 'Angemeldet bleiben',
    submit: 'Anmelden',
    passkey: 'Mit einem Passkey anmelden',
    passkeyCancelled:
      'Es wurde kein Passkey verwendet. Versuchen Sie es erneut, oder melden Sie sich mit Ihrem Passwort an.',
    passkeyRefused:
      'Mit diesem Passkey konnten Sie nicht angemeldet werden. Versuchen Sie es erneut, oder melden Sie sich mit Ihrem Passwort an.',
    again: 'Bitte melden Sie sich erneut an, um fortzufahren.',
    signedOut: 'Sie sind abgemeldet',
    signedOutLead: 'Sie können diese Seite schließen oder sich wieder anmelden.',
    or: 'oder',
    continueWith: 'Weiter mit {provider}',
    providersUnreachable: 'Weitere Anmeldemöglichkeiten konnten nicht geladen werden.',
    errors: {
      invalid_credentials:
        'Benutzername oder Passwort ist nicht richtig. Nach mehreren Fehlversuchen wird ein Konto für einige Minuten gesperrt.',
      external_provider_error:
        'Der andere Dienst hat die Anmeldung nicht abgeschlossen. Versuchen Sie es erneut oder melden Sie sich anders an.',
      external_login_unavailable: 'Ihre Anmeldung beim anderen Dienst ist abgelaufen. Bitte beginnen Sie neu.',
      account_locked:
        'Dieses Konto ist zurzeit gesperrt. Warten Sie einige Minuten und versuchen Sie es erneut, oder fragen Sie Ihre Administration.',
      account_not_allowed:
        'Mit diesem Konto ist noch keine Anmeldung möglich. Vielleicht muss die E-Mail-Adresse noch bestätigt werden. Fragen Sie Ihre Administration, wenn sich das nicht ändert.',
      sign_in_expired: 'Diese Anmeldung hat zu lange gedauert. Bitte beginnen Sie neu.',
      external_login_failed:
        'Die Anmeldung beim anderen Dienst ist fehlgeschlagen. Versuchen Sie es erneut oder melden Sie sich anders an.',
    },
    otherError: 'Die Anmeldung ist fehlgeschlagen. Bitte versuchen Sie es erneut.',
  },

  signedIn: {
    title: 'Sie sind angemeldet',
    body: 'Sie können diese Seite schließen und zu Ihrer Anwendung zurückkehren.',
    submit: 'Abmelden',
    someoneElse: 'Als jemand anderes anmelden',
  },

  consent: {
    title: '{client} möchte Ihr Konto verwenden',
    loadingTitle: 'Zugriff erlauben',
    notYou: 'Nicht Sie?',
    scopes: 'Die Anwendung möchte',
    noScopes: 'Sie möchte nur wissen, dass Sie sich angemeldet haben.',
    destination: 'Danach geht es weiter bei {host}',
    selfRegistered:
      'Niemand hat diese Anwendung hier geprüft: Ihren Namen hat sie selbst gewählt. Erlauben Sie den Zugriff nur, wenn Sie sie kennen.',
    published: 'Diese Anwendung wird unter {host} veröffentlicht.',
    policy: 'Datenschutz',
    terms: 'Nutzungsbedingungen',
    contacts: 'Kontakt',
    allow: 'Erlauben',
    deny: 'Ablehnen',
    builtInScopes: {
      openid: {
        name: 'Bestätigen, wer Sie sind',
        description: 'Erfahren, dass Sie sich angemeldet haben, und Sie beim nächsten Mal wiedererkennen.',
      },
      profile: { name: 'Ihr Profil sehen', description: 'Ihren Benutzernamen und was Ihr Profil sonst enthält.' },
      email: { name: 'Ihre E-Mail-Adresse sehen', description: 'Und ob sie bestätigt ist.' },
      phone: { name: 'Ihre Telefonnummer sehen', description: 'Und ob sie bestätigt ist.' },
      address: { name: 'Ihre Postanschrift sehen', description: '' },
      roles: { name: 'Ihre Rollen sehen', description: 'Die Rollen, die Ihnen die Administration gegeben hat.' },
      offline_access: {
        name: 'Zugriff behalten, während Sie weg sind',
        description: 'Bis Sie ihn in Ihrem Konto entziehen.',
      },
    },
  },

  device: {
    title: 'Gerät verbinden',
    lead: 'Geben Sie den Code ein, den Ihr Gerät anzeigt.',
    code: 'Code',
    codeHint: 'Acht Buchstaben. Sind alle eingegeben, geht es weiter.',
    submit: 'Weiter',
    compare: 'Ihr Gerät muss diesen Code anzeigen:',
    warning:
      'Erlauben Sie dies nur, wenn Sie es gerade eben auf Ihrem eigenen Gerät begonnen haben. Wenn Ihnen jemand den Code oder einen Link zu dieser Seite geschickt hat, wählen Sie „Ablehnen“: Sonst erhält diese Person Zugang zu Ihrem Konto.',
    errors: {
      code_unknown:
        'Dieser Code ist unbekannt, wurde schon verwendet oder ist abgelaufen. Vergleichen Sie ihn mit dem Code auf Ihrem Gerät.',
      too_many_tries: 'Es gab zu viele falsche Codes. Warten Sie eine Minute und versuchen Sie es erneut.',
    },
    otherError: 'Etwas ist schiefgegangen. Bitte geben Sie den Code noch einmal ein.',
    allowed: {
      title: 'Ihr Gerät ist verbunden',
      body: 'Sie können diese Seite schließen und zu Ihrem Gerät zurückkehren.',
    },
    denied: {
      title: 'Der Zugriff wurde nicht erlaubt',
      body: 'Das Gerät erhält nichts. Sie können diese Seite schließen.',
    },
    another: 'Weiteres Gerät verbinden',
  },

  signOut: {
    title: 'Abmelden?',
    loadingTitle: 'Abmelden',
    fromClient: '{client} möchte Ihre Sitzung in diesem Browser beenden.',
    plain: 'Damit endet Ihre Sitzung in diesem Browser.',
    goneTitle: 'Sie sind abgemeldet',
    gone: 'Hier ist kein Konto angemeldet. Sie können diese Seite schließen.',
    goneFromClient: 'Hier ist kein Konto angemeldet. Noch ein Schritt, und Sie sind wieder bei {client}.',
    continue: 'Weiter',
    continueTo: 'Weiter zur Abmeldung von {client}',
    submit: 'Abmelden',
    stay: 'Angemeldet bleiben',
  },

  confirm: {
    title: 'Konto erstellen',
    lead: '{provider} weiß, wer Sie sind, aber hier gibt es noch kein Konto für Sie. Bestätigen Sie Ihre E-Mail-Adresse, um eines zu erstellen.',
    identity: 'Angemeldet bei {provider}',
    email: 'E-Mail-Adresse',
    emailHint: 'Ein bestehendes Konto wird nie über seine E-Mail-Adresse verknüpft.',
    emailLooksWrong: 'Das sieht noch nicht wie eine E-Mail-Adresse aus.',
    submit: 'Konto erstellen',
    errors: {
      email_invalid: 'Das ist keine gültige E-Mail-Adresse. Bitte prüfen Sie sie und versuchen Sie es erneut.',
      email_in_use:
        'Mit dieser E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich dort mit dem Passwort an oder verwenden Sie eine andere Adresse.',
      external_login_in_use:
        'Diese Anmeldung gehört schon zu einem anderen Konto. Gehen Sie zurück und melden Sie sich dort an.',
      registration_failed:
        'Das Konto konnte nicht erstellt werden, und nichts wurde gespeichert. Bitte versuchen Sie es erneut.',
    },
    otherError: 'Das Konto konnte nicht erstellt werden. Bitte versuchen Sie es erneut.',
    expiredTitle: 'Das hat zu lange gedauert',
    expired:
      'Zu Ihrer Sicherheit läuft eine Anmeldung bei einem anderen Dienst nach fünf Minuten ab. Bitte beginnen Sie neu.',
  },

  notFound: {
    title: 'Seite nicht gefunden',
    body: 'Unter dieser Adresse gibt es nichts. Der Link ist vielleicht alt oder enthält einen Tippfehler.',
  },

  problem: {
    returnToApplication:
      'Bitte gehen Sie zurück zu der Anwendung, von der Sie kamen, und beginnen Sie dort neu. Wenn es wieder geschieht, wenden Sie sich an deren Support.',
    details: 'Einzelheiten für die Entwicklung',
    error: 'Fehler',
    id: 'Code',
    description: 'Beschreibung',
    documentation: 'Dokumentation',
    traceId: 'Trace-ID',
    explanation: 'Was nicht stimmte',
    rule: 'Regel',
    why: 'Warum',
    fix: 'Wie es sich beheben lässt',
    onlyHere: 'Wird angezeigt, weil dieser Dienst auf Ihrem eigenen Rechner läuft. Sonst steht es nur im Protokoll.',
    copy: 'Kopieren',
    copied: 'Kopiert',
    waitSeconds: 'In {seconds} s können Sie es erneut versuchen.',
    mayRetry: 'Sie können es jetzt erneut versuchen.',
    kinds: {
      unregisteredAddress: {
        title: 'Zu Ihrer Sicherheit angehalten',
        body: 'Die Anwendung wollte Sie zu einer Adresse schicken, die nicht für sie registriert ist.',
      },
      malformedAddress: {
        title: 'Dieser Link ist ungültig',
        body: 'Die Anwendung hat eine Rücksprungadresse gesendet, die nicht verwendet werden kann.',
      },
      incomplete: {
        title: 'In diesem Link fehlt etwas',
        body: 'Die Anwendung hat Sie hierher geschickt, aber nicht alles mitgegeben, was für die Anmeldung nötig ist.',
      },
      unknownValue: {
        title: 'Diese Anfrage ist hier nicht bekannt',
        body: 'Die Anwendung oder etwas, das sie verlangt, ist bei diesem Dienst nicht registriert.',
      },
      unprotected: {
        title: 'Zu Ihrer Sicherheit angehalten',
        body: 'Die Anwendung hat ihre Anfrage nicht so geschützt, wie dieser Dienst es verlangt.',
      },
      notPermitted: {
        title: 'Die Anwendung darf das nicht',
        body: 'Sie hat etwas verlangt, wofür sie keine Berechtigung hat.',
      },
      unsupported: {
        title: 'Die Anwendung hat etwas Ungewöhnliches verlangt',
        body: 'Dieser Dienst bietet nicht an, was verlangt wurde.',
      },
      otherClient: {
        title: 'Diese Anfrage passt nicht zusammen',
        body: 'Sie enthält einen Nachweis der Anmeldung, der für eine andere Anwendung ausgestellt wurde.',
      },
      denied: {
        title: 'Der Zugriff wurde nicht erlaubt',
        body: 'Die Anfrage wurde abgelehnt, und nichts wurde weitergegeben.',
      },
      notFound: {
        title: 'Seite nicht gefunden',
        body: 'Unter dieser Adresse gibt es nichts. Der Link ist vielleicht alt oder enthält einen Tippfehler.',
      },
      tooMany: {
        title: 'Zu viele Versuche',
        body: 'Aus Ihrem Netz kamen in kurzer Zeit viele Anmeldeversuche. Bitte warten Sie einen Augenblick.',
      },
      startAgain: {
        title: 'Bitte beginnen Sie neu',
        body: 'Ihre Anmeldung beim anderen Dienst hat zu lange gedauert, war schon abgeschlossen oder wurde in einem anderen Browser begonnen.',
      },
      expiredForm: {
        title: 'Diese Seite war zu lange geöffnet',
        body: 'Seit die Seite geladen wurde, hat sich etwas geändert, deshalb wurde nichts gesendet. Gehen Sie zurück und versuchen Sie es erneut.',
      },
      unavailable: {
        title: 'Gleich wieder da',
        body: 'Der Dienst kann gerade nicht antworten. Bitte versuchen Sie es in Kürze erneut.',
      },
      provider: {
        title: 'Der andere Dienst hat nicht geantwortet',
        body: 'Sie wurden nicht angemeldet, und nichts wurde gespeichert. Versuchen Sie es erneut oder melden Sie sich anders an.',
      },
      server: {
        title: 'Bei uns ist etwas schiefgegangen',
        body: 'Sie haben nichts falsch gemacht. Bitte versuchen Sie es erneut. Wenn es wieder geschieht, geben Sie die Trace-ID aus den Einzelheiten unten weiter.',
      },
      generic: {
        title: 'Diese Anfrage konnte nicht ausgeführt werden',
        body: 'Die Anwendung hat Sie mit einer Anfrage hierher geschickt, die dieser Dienst nicht annehmen kann.',
      },
    },
  },

  server: {
    loadAgain: 'Neu laden',
    needsScripts: {
      title: 'Diese Seite benötigt JavaScript',
      body: 'Erlauben Sie es für diese Website und laden Sie die Seite neu.',
    },
    late: {
      title: 'Diese Seite lädt ungewöhnlich lange',
      body: 'Die Verbindung ist vielleicht langsam oder unterbrochen.',
    },
    problems: {
      not_found: {
        title: 'Seite nicht gefunden',
        body: 'Unter dieser Adresse gibt es nichts. Der Link ist vielleicht alt oder enthält einen Tippfehler.',
      },
      misdirected_request: {
        title: 'Falsche Adresse',
        body: 'Dieser Dienst ist unter diesem Namen nicht erreichbar. Bitte verwenden Sie die Adresse, die Ihnen der Betreiber genannt hat.',
      },
      too_many_requests: {
        title: 'Zu viele Versuche',
        body: 'Aus Ihrem Netz kamen in kurzer Zeit viele Anmeldeversuche. Bitte warten Sie einen Augenblick, gehen Sie dann zurück und versuchen Sie es erneut.',
      },
      bad_gateway: {
        title: 'Der andere Dienst hat nicht geantwortet',
        body: 'Sie wurden nicht angemeldet, und nichts wurde gespeichert. Bitte gehen Sie zurück und versuchen Sie es erneut.',
      },
      temporarily_unavailable: {
        title: 'Gleich wieder da',
        body: 'Der Dienst kann gerade nicht antworten. Bitte versuchen Sie es in Kürze erneut.',
      },
      server_error: {
        title: 'Bei uns ist etwas schiefgegangen',
        body: 'Sie haben nichts falsch gemacht. Bitte versuchen Sie es erneut. Wenn es wieder geschieht, geben Sie die Trace-ID aus den Einzelheiten unten weiter.',
      },
      other: {
        title: 'Diese Anfrage konnte nicht ausgeführt werden',
        body: 'Die Anwendung hat Sie mit einer Anfrage hierher geschickt, die dieser Dienst nicht annehmen kann. Bitte gehen Sie zurück zu der Anwendung, von der Sie kamen, und beginnen Sie dort neu. Wenn es wieder geschieht, wenden Sie sich an deren Support.',
      },
    },
    toSignIn: 'Zur Anmeldung',
    details: 'Einzelheiten für die Entwicklung',
    error: 'Fehler',
    description: 'Beschreibung',
    documentation: 'Dokumentation',
    traceId: 'Trace-ID',
    signedOut: {
      title: 'Sie sind abgemeldet',
      closing: 'Sie können diese Seite schließen.',
      leaving: 'Sie werden zur Anwendung zurückgeleitet.',
      continue: 'Weiter',
    },
  },
}

export default de
