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

  newPassword: {
    label: 'Neues Passwort',
    showCharacters: 'Zeichen anzeigen',
    capsLock: 'Die Feststelltaste ist aktiviert',
    hint: 'Mindestens {count} Zeichen. Mehrere Wörter hintereinander sind leicht zu merken und schwer zu erraten.',
    good: 'Dieses Passwort können Sie verwenden.',
    errors: {
      password_too_short: 'Bitte mindestens {count} Zeichen.',
      password_too_long: 'Dieses Passwort ist zu lang.',
      password_similar:
        'Dieses Passwort ist Ihrem Benutzernamen, Ihrer Adresse oder dem Namen dieses Dienstes zu ähnlich.',
      password_common:
        'Dieses Passwort gehört zu denen, die als Erstes ausprobiert werden. Bitte wählen Sie ein anderes.',
      password_breached: 'Dieses Passwort ist aus einem Datenleck bekannt. Bitte wählen Sie ein anderes.',
    },
    otherError: 'Dieses Passwort kann nicht verwendet werden. Bitte wählen Sie ein anderes.',
  },

  register: {
    title: 'Konto erstellen',
    lead: 'Sie erhalten eine E-Mail, mit der Sie Ihre Adresse bestätigen.',
    email: 'E-Mail-Adresse',
    username: 'Benutzername',
    usernameHint: 'freiwillig, die E-Mail-Adresse genügt',
    passwordHint: 'Lassen Sie das Feld leer, um stattdessen einen Passkey zu verwenden.',
    submit: 'Konto erstellen',
    toSignIn: 'Mit einem bestehenden Konto anmelden',
    invited: 'Sie sind als {address} eingeladen. Wählen Sie, wie Sie sich anmelden möchten.',
    errors: {
      email_invalid: 'Das sieht nicht wie eine E-Mail-Adresse aus.',
      username_invalid:
        'Dieser Benutzername kann nicht verwendet werden. Buchstaben, Ziffern und die Zeichen . _ - sind immer möglich.',
      username_taken: 'Dieser Benutzername ist schon vergeben. Bitte wählen Sie einen anderen.',
    },
    otherError: 'Das Konto konnte nicht erstellt werden. Bitte versuchen Sie es erneut.',
    closed: {
      title: 'Hier kann kein Konto erstellt werden',
      body: 'Die Registrierung ist nicht geöffnet. Wenn Sie eingeladen wurden, ist die Einladung abgelaufen oder wurde schon verwendet. Bitten Sie um eine neue.',
    },
  },

  firstPasskey: {
    title: 'Passkey hinzufügen',
    lead: 'Ihr Konto ist da. Mit einem Passkey melden Sie sich so an, wie Sie dieses Gerät entsperren: ganz ohne Passwort.',
    submit: 'Passkey hinzufügen',
    name: 'Passkey auf {system}',
    plainName: 'Passkey',
    password: 'Stattdessen ein Passwort wählen',
    submitPassword: 'Weiter',
    back: 'Zurück zum Passkey',
    unsupported: 'Dieser Browser kann keinen Passkey erstellen. Wählen Sie stattdessen ein Passwort.',
    cancelled: 'Es wurde kein Passkey erstellt. Versuchen Sie es erneut, oder wählen Sie stattdessen ein Passwort.',
    failed:
      'Der Passkey konnte nicht gespeichert werden. Versuchen Sie es erneut, oder wählen Sie stattdessen ein Passwort.',
  },

  confirm: {
    code: 'Code',
    codeHint: 'Sechs Ziffern aus der neuesten E-Mail',
    submit: 'Weiter',
    sendAgain: 'Neuen Code senden',
    sent: 'Eine neue E-Mail ist unterwegs. Frühere Codes und Links gelten nicht mehr.',
    notArrived:
      'Nach einigen Minuten noch keine E-Mail? Sehen Sie im Spam-Ordner nach, oder lassen Sie sich einen neuen Code senden.',
    otherAddress: 'Andere Adresse verwenden',
    errors: {
      code_invalid:
        'Dieser Code oder Link ist falsch, abgelaufen oder wurde schon verwendet. Geben Sie den Code aus der neuesten E-Mail ein, oder lassen Sie sich einen neuen senden.',
      too_many_attempts: 'Es gab zu viele falsche Codes. Lassen Sie sich einen neuen senden.',
    },
    otherError: 'Das hat nicht geklappt. Lassen Sie sich einen neuen Code senden.',
    register: {
      title: 'E-Mail-Adresse bestätigen',
      lead: 'Wir haben Ihnen eine E-Mail gesendet. Geben Sie den Code daraus hier ein, oder öffnen Sie den Link.',
      leadTo:
        'Wir haben eine E-Mail an {address} gesendet. Geben Sie den Code daraus hier ein, oder öffnen Sie den Link.',
      link: 'Noch ein Schritt: Damit wird Ihr Konto erstellt.',
    },
    reset: {
      title: 'Sehen Sie in Ihr Postfach',
      lead: 'Falls es ein Konto gibt, haben wir eine E-Mail an seine Adresse gesendet. Geben Sie den Code daraus hier ein, oder öffnen Sie den Link.',
      leadTo:
        'Falls es ein Konto für {address} gibt, haben wir eine E-Mail an seine Adresse gesendet. Geben Sie den Code daraus hier ein, oder öffnen Sie den Link.',
      link: 'Danach wählen Sie ein neues Passwort.',
    },
    email: {
      title: 'Neue E-Mail-Adresse bestätigen',
      lead: 'Wir haben eine E-Mail an die neue Adresse gesendet. Geben Sie den Code daraus hier ein, oder öffnen Sie den Link.',
      link: 'Danach gehört die Adresse zu Ihrem Konto. Die bisherige Adresse erhält eine Nachricht.',
    },
    invite: {
      title: 'Einladung annehmen',
      lead: 'Öffnen Sie den Link in der E-Mail, mit der Sie eingeladen wurden.',
      link: 'Danach wählen Sie, wie Sie sich anmelden möchten.',
      error:
        'Diese Einladung ist abgelaufen oder wurde schon verwendet. Bitten Sie dort, wo die Einladung herkam, um eine neue.',
    },
    undo: {
      title: 'Änderung rückgängig machen',
      lead: 'Öffnen Sie den Link in der E-Mail, die Sie über die Änderung informiert hat.',
      link: 'Ihr Konto erhält seine bisherige E-Mail-Adresse zurück, und alle werden davon abgemeldet. Danach wählen Sie ein neues Passwort.',
      error:
        'Dieser Link ist abgelaufen oder wurde schon verwendet. Bitten Sie die Betreiber dieses Dienstes um Hilfe.',
    },
    unknown: {
      title: 'Dieser Link ist unvollständig',
      body: 'Öffnen Sie den Link in der E-Mail noch einmal, oder kopieren Sie ihn vollständig.',
    },
  },

  forgotPassword: {
    title: 'Passwort vergessen?',
    lead: 'Wir senden eine E-Mail mit einem Code an die Adresse Ihres Kontos. Damit wählen Sie ein neues Passwort.',
    email: 'E-Mail-Adresse',
    emailHint: 'oder Benutzername',
    submit: 'Weiter',
    submitLabel: 'Weiter zum Zurücksetzen des Passworts',
    back: 'Zurück zur Anmeldung',
    undone:
      'Ihr Konto hat wieder seine bisherige E-Mail-Adresse, und alle wurden davon abgemeldet. Wählen Sie jetzt ein neues Passwort: Jemand anderes kennt vielleicht das alte.',
    errors: {
      code_invalid:
        'Der Code oder Link ist abgelaufen oder wurde schon verwendet. Geben Sie Ihre Adresse noch einmal ein, um einen neuen zu erhalten.',
    },
    otherError: 'Das hat nicht geklappt. Bitte versuchen Sie es erneut.',
  },

  resetPassword: {
    title: 'Neues Passwort wählen',
    lead: 'Es ersetzt sofort das alte.',
    revoke: 'Überall sonst abmelden und den Zugriff aller Anwendungen beenden',
    submit: 'Passwort zurücksetzen',
    restart: 'Neue E-Mail senden lassen',
  },

  secondFactor: {
    title: 'Bestätigen Sie, dass Sie es sind',
    signingIn: 'Anmeldung als',
    code: 'Code',
    submit: 'Weiter',
    remember: 'In diesem Browser 30 Tage lang nicht mehr fragen',
    totp: {
      lead: 'Geben Sie den Code ein, den Ihre Authenticator-App anzeigt.',
      hint: 'Sechs Ziffern, alle 30 Sekunden neu',
      choose: 'Authenticator-App verwenden',
    },
    recovery: {
      lead: 'Geben Sie einen Ihrer Wiederherstellungscodes ein. Jeder gilt nur einmal.',
      hint: 'Buchstaben und Ziffern, wie ausgedruckt',
      choose: 'Wiederherstellungscode verwenden',
    },
    email: {
      lead: 'Wir haben einen Code an Ihre E-Mail-Adresse gesendet.',
      ask: 'Wir können einen Code an Ihre E-Mail-Adresse senden.',
      hint: 'Sechs Ziffern aus der neuesten E-Mail',
      choose: 'Code per E-Mail verwenden',
      send: 'Code senden',
      sendAgain: 'Neuen Code senden',
    },
    passkey: {
      lead: 'Verwenden Sie den Passkey auf diesem Gerät, auf Ihrem Telefon oder auf einem Sicherheitsschlüssel.',
      choose: 'Passkey verwenden',
      cancelled: 'Es wurde kein Passkey verwendet. Versuchen Sie es erneut, oder wählen Sie einen anderen Weg.',
      unsupported: 'Dieser Browser kann keine Passkeys verwenden. Wählen Sie einen anderen Weg.',
    },
    another: 'Anderen Weg wählen',
    anotherTitle: 'Wie möchten Sie bestätigen, dass Sie es sind?',
    someoneElse: 'Als jemand anderes anmelden',
    noWay:
      'Haben Sie nichts mehr, womit Sie sich bestätigen können? Die Betreiber dieses Dienstes können Ihnen wieder Zugang verschaffen.',
    errors: {
      code_invalid: 'Dieser Code ist falsch, abgelaufen oder wurde schon verwendet.',
      passkey:
        'Dieser Passkey konnte nicht verwendet werden. Versuchen Sie es erneut, oder wählen Sie einen anderen Weg.',
      too_many_attempts:
        'Es gab zu viele Fehlversuche. Warten Sie fünf Minuten, und versuchen Sie es dann erneut. Bis dahin geht nichts verloren.',
    },
    otherError: 'Das hat nicht geklappt. Bitte versuchen Sie es erneut.',
    expired: {
      title: 'Diese Anmeldung ist beendet',
      body: 'Sie hat zu lange gedauert oder wurde in einem anderen Tab abgeschlossen.',
      submit: 'Neu beginnen',
    },
  },

  enrolment: {
    title: 'Schützen Sie Ihr Konto',
    lead: 'Dieser Dienst verlangt neben dem Passwort einen zweiten Faktor. Richten Sie eine Authenticator-App auf Ihrem Telefon ein.',
    start: 'Authenticator-App einrichten',
    scan: 'Scannen Sie dieses Bild mit der App.',
    picture: 'QR-Code für die Authenticator-App',
    secret: 'Oder geben Sie diesen Schlüssel in der App ein:',
    enter: 'Geben Sie den Code ein, den die App anzeigt.',
    code: 'Code',
    submit: 'Weiter',
    wrong: 'Dieser Code ist falsch. Geben Sie den Code ein, den die App jetzt anzeigt.',
    paused: 'Es gab zu viele falsche Codes. Warten Sie fünf Minuten, und versuchen Sie es dann erneut.',
  },

  recoveryCodes: {
    title: 'Bewahren Sie diese Wiederherstellungscodes auf',
    lead: 'Wenn Sie Ihr Telefon verlieren, können Sie sich mit jedem davon einmal anmelden. Sie werden nicht noch einmal angezeigt.',
    copy: 'Kopieren',
    copied: 'Kopiert',
    download: 'Herunterladen',
    print: 'Drucken',
    file: 'Wiederherstellungscodes für {service}',
    submit: 'Weiter',
  },
}

export default de
