import type { AccountTexts } from './en.ts'

const nl: Partial<AccountTexts> = {
  area: {
    navigation: 'Account',
    skip: 'Naar de inhoud',
    overview: 'Overzicht',
    security: 'Beveiliging',
    devices: 'Apparaten',
    applications: 'Apps',
    profile: 'Profiel',
    signOut: 'Uitloggen',
  },
  otherProblem: 'Dit is niet gelukt en er is niets gewijzigd. Trace-ID: {trace}',

  choose: {
    title: 'Account kiezen',
    lead: 'Wie wil verdergaan?',
    leadTo: 'Wie wil verdergaan naar {client}?',
    continueAs: 'Doorgaan als {name}',
    another: 'Ander account gebruiken',
  },

  newPassword: {
    label: 'Nieuw wachtwoord',
    showCharacters: 'Tekens tonen',
    capsLock: 'Caps Lock staat aan',
    hint: 'Minstens {count} tekens. Een paar woorden achter elkaar zijn makkelijk te onthouden en moeilijk te raden.',
    good: 'Dit wachtwoord kun je gebruiken.',
    errors: {
      password_too_short: 'Gebruik minstens {count} tekens.',
      password_too_long: 'Dit wachtwoord is te lang.',
      password_similar: 'Dit lijkt te veel op je gebruikersnaam, je adres of de naam van deze dienst.',
      password_common: 'Dit is een van de wachtwoorden die iedereen als eerste probeert. Kies een ander wachtwoord.',
      password_breached: 'Dit wachtwoord is bekend uit een datalek. Kies een ander wachtwoord.',
    },
    otherError: 'Dit wachtwoord kan niet worden gebruikt. Kies een ander wachtwoord.',
  },

  register: {
    title: 'Account aanmaken',
    lead: 'We sturen je een e-mail om je adres te bevestigen.',
    email: 'E-mailadres',
    username: 'Gebruikersnaam',
    usernameHint: 'niet verplicht, je e-mailadres is genoeg',
    passwordHint: 'Laat dit leeg om in plaats daarvan een passkey te gebruiken.',
    submit: 'Account aanmaken',
    toSignIn: 'Inloggen met een account dat je al hebt',
    invited: 'Je bent uitgenodigd als {address}. Kies hoe je wilt inloggen.',
    errors: {
      email_invalid: 'Dit lijkt niet op een e-mailadres.',
      username_invalid:
        'Deze gebruikersnaam kan niet worden gebruikt. Letters, cijfers en de tekens . _ - mogen altijd.',
      username_taken: 'Deze gebruikersnaam is al bezet. Kies een andere.',
    },
    otherError: 'Het account kon niet worden aangemaakt. Probeer het opnieuw.',
    closed: {
      title: 'Hier kan geen account worden aangemaakt',
      body: 'Registratie is niet mogelijk. Ben je uitgenodigd, dan is de uitnodiging verlopen of al gebruikt: vraag om een nieuwe.',
    },
  },

  firstPasskey: {
    title: 'Passkey toevoegen',
    lead: 'Je account is klaar. Met een passkey log je in zoals je dit apparaat ontgrendelt: zonder wachtwoord.',
    submit: 'Passkey toevoegen',
    name: 'Passkey op {system}',
    plainName: 'Passkey',
    password: 'Liever een wachtwoord kiezen',
    submitPassword: 'Verder',
    back: 'Terug naar de passkey',
    unsupported: 'Deze browser kan geen passkey maken. Kies in plaats daarvan een wachtwoord.',
    cancelled: 'Er is geen passkey gemaakt. Probeer het opnieuw of kies in plaats daarvan een wachtwoord.',
    failed: 'De passkey kon niet worden opgeslagen. Probeer het opnieuw of kies in plaats daarvan een wachtwoord.',
  },

  confirm: {
    code: 'Code',
    codeHint: 'Zes cijfers, uit de nieuwste e-mail',
    submit: 'Verder',
    sendAgain: 'Nieuwe code sturen',
    sent: 'Er is een nieuwe e-mail onderweg. Eerdere codes en links werken niet meer.',
    notArrived: 'Na een paar minuten nog geen e-mail? Kijk bij de ongewenste e-mail of laat een nieuwe code sturen.',
    otherAddress: 'Ander adres gebruiken',
    errors: {
      code_invalid:
        'Deze code of link is onjuist, verlopen of al gebruikt. Voer de code uit de nieuwste e-mail in of laat een nieuwe sturen.',
      too_many_attempts: 'Er zijn te veel verkeerde codes ingevoerd. Laat een nieuwe sturen.',
    },
    otherError: 'Dit is niet gelukt. Laat een nieuwe code sturen.',
    register: {
      title: 'Bevestig je e-mailadres',
      lead: 'We hebben je een e-mail gestuurd. Voer hier de code uit de e-mail in of open de link.',
      leadTo: 'We hebben een e-mail gestuurd naar {address}. Voer hier de code uit de e-mail in of open de link.',
      link: 'Nog één stap: hiermee wordt je account aangemaakt.',
    },
    reset: {
      title: 'Bekijk je e-mail',
      lead: 'Als er een account is, hebben we een e-mail naar het adres ervan gestuurd. Voer hier de code uit de e-mail in of open de link.',
      leadTo:
        'Als er een account is voor {address}, hebben we een e-mail naar het adres ervan gestuurd. Voer hier de code uit de e-mail in of open de link.',
      link: 'Daarna kies je een nieuw wachtwoord.',
    },
    email: {
      title: 'Bevestig je nieuwe e-mailadres',
      lead: 'We hebben een e-mail naar het nieuwe adres gestuurd. Voer hier de code uit de e-mail in of open de link.',
      link: 'Daarna hoort het adres bij je account. Het vorige adres krijgt bericht.',
    },
    invite: {
      title: 'Uitnodiging accepteren',
      lead: 'Open de link in de e-mail waarmee je bent uitgenodigd.',
      link: 'Daarna kies je hoe je wilt inloggen.',
      error: 'Deze uitnodiging is verlopen of al gebruikt. Vraag een nieuwe aan degene die je heeft uitgenodigd.',
    },
    undo: {
      title: 'Wijziging ongedaan maken',
      lead: 'Open de link in de e-mail waarin de wijziging werd gemeld.',
      link: 'Je account krijgt het vorige e-mailadres terug en iedereen wordt uitgelogd. Daarna kies je een nieuw wachtwoord.',
      error: 'Deze link is verlopen of al gebruikt. Vraag hulp aan de beheerders van deze dienst.',
    },
    unknown: {
      title: 'Deze link is niet volledig',
      body: 'Open de link in de e-mail opnieuw of kopieer de hele link.',
    },
  },

  forgotPassword: {
    title: 'Wachtwoord vergeten?',
    lead: 'We sturen een e-mail met een code naar het adres van je account. Daarmee kies je een nieuw wachtwoord.',
    email: 'E-mailadres',
    emailHint: 'of gebruikersnaam',
    submit: 'Verder',
    submitLabel: 'Verder om je wachtwoord opnieuw in te stellen',
    back: 'Terug naar inloggen',
    undone:
      'Je account heeft weer het vorige e-mailadres en iedereen is uitgelogd. Kies nu een nieuw wachtwoord: misschien kent iemand anders het oude.',
    errors: {
      code_invalid: 'De code of link is verlopen of al gebruikt. Voer je adres opnieuw in om een nieuwe te krijgen.',
    },
    otherError: 'Dit is niet gelukt. Probeer het opnieuw.',
  },

  resetPassword: {
    title: 'Kies een nieuw wachtwoord',
    lead: 'Het vervangt meteen het oude.',
    revoke: 'Overal elders uitloggen en de toegang van alle apps beëindigen',
    submit: 'Wachtwoord opnieuw instellen',
    restart: 'Nieuwe e-mail laten sturen',
  },

  secondFactor: {
    title: 'Bevestig dat jij het bent',
    signingIn: 'Inloggen als',
    code: 'Code',
    submit: 'Verder',
    remember: '30 dagen niet meer vragen in deze browser',
    totp: {
      lead: 'Voer de code in die je authenticator-app toont.',
      hint: 'Zes cijfers, elke 30 seconden een nieuwe code',
      choose: 'Authenticator-app gebruiken',
    },
    recovery: {
      lead: 'Voer een van de herstelcodes in die je hebt bewaard. Elke code werkt één keer.',
      hint: 'Letters en cijfers, zoals afgedrukt',
      choose: 'Herstelcode gebruiken',
    },
    email: {
      lead: 'We hebben een code naar je e-mailadres gestuurd.',
      ask: 'We kunnen een code naar je e-mailadres sturen.',
      hint: 'Zes cijfers, uit de nieuwste e-mail',
      choose: 'Code per e-mail gebruiken',
      send: 'Code sturen',
      sendAgain: 'Nieuwe code sturen',
    },
    passkey: {
      lead: 'Gebruik de passkey op dit apparaat, op je telefoon of op een beveiligingssleutel.',
      choose: 'Passkey gebruiken',
      cancelled: 'Er is geen passkey gebruikt. Probeer het opnieuw of kies een andere manier.',
      unsupported: 'Deze browser kan geen passkeys gebruiken. Kies een andere manier.',
    },
    another: 'Andere manier kiezen',
    anotherTitle: 'Hoe wil je bevestigen dat jij het bent?',
    someoneElse: 'Als iemand anders inloggen',
    noWay:
      'Ben je alles kwijt waarmee je je identiteit bevestigt? De beheerders van deze dienst kunnen je weer toegang geven.',
    errors: {
      code_invalid: 'Deze code is onjuist, verlopen of al gebruikt.',
      passkey: 'Deze passkey kon niet worden gebruikt. Probeer het opnieuw of kies een andere manier.',
      too_many_attempts:
        'Er zijn te veel mislukte pogingen gedaan. Wacht vijf minuten en probeer het dan opnieuw. Er gaat intussen niets verloren.',
    },
    otherError: 'Dit is niet gelukt. Probeer het opnieuw.',
    expired: {
      title: 'Deze inlogpoging is beëindigd',
      body: 'Het duurde te lang of is in een ander tabblad afgerond.',
      submit: 'Opnieuw beginnen',
    },
  },

  enrolment: {
    title: 'Beveilig je account',
    lead: 'Deze dienst vraagt naast het wachtwoord om een tweede stap. Stel een authenticator-app in op je telefoon.',
    start: 'Authenticator-app instellen',
    scan: 'Scan deze afbeelding met de app.',
    picture: 'QR-code voor de authenticator-app',
    secret: 'Of voer deze sleutel in de app in:',
    enter: 'Voer de code in die de app toont.',
    code: 'Code',
    submit: 'Verder',
    wrong: 'Deze code is onjuist. Voer de code in die de app nu toont.',
    paused: 'Er zijn te veel verkeerde codes ingevoerd. Wacht vijf minuten en probeer het dan opnieuw.',
  },

  recoveryCodes: {
    title: 'Bewaar deze herstelcodes',
    lead: 'Als je je telefoon kwijt bent, kun je met elke code één keer inloggen. Ze worden niet opnieuw getoond.',
    copy: 'Kopiëren',
    copied: 'Gekopieerd',
    download: 'Downloaden',
    print: 'Afdrukken',
    file: 'Herstelcodes voor {service}',
    submit: 'Verder',
  },
}

export default nl
