import type { Texts } from './en.ts'

const nl: Texts = {
  direction: 'ltr',
  windowTitle: '{page} · {service}',
  footer: 'Je bent bij {host}',
  language: 'Taal',
  support: 'Hulp',
  terms: 'Gebruiksvoorwaarden',
  privacy: 'Privacy',

  loading: 'Laden…',
  tryAgain: 'Opnieuw proberen',
  goBack: 'Terug',
  toSignIn: 'Naar inloggen',
  startAgain: 'Opnieuw beginnen',
  backToSignIn: 'Terug naar inloggen',
  unreachable: {
    title: 'Deze pagina kan niet worden geladen',
    body: 'De inlogdienst heeft niet geantwoord. Controleer je verbinding en probeer het opnieuw.',
    inForm:
      'De inlogdienst antwoordt niet. Daarom kan het formulier nog niet worden verstuurd. Controleer je verbinding.',
  },
  cookies:
    'Je browser bewaart geen cookies voor deze website. Daarom kun je niet inloggen. Sta cookies toe en laad de pagina opnieuw.',
  signedInAs: 'Ingelogd als',
  changed: 'Er is iets gewijzigd in een ander tabblad of venster. Kijk het nog even na voordat je verdergaat.',

  signIn: {
    title: 'Inloggen',
    lead: 'Log in met je account om verder te gaan.',
    leadTo: 'Log in om verder te gaan naar {client}',
    forgotPassword: 'Wachtwoord vergeten?',
    createAccount: 'Account aanmaken',
    continueAs: 'Doorgaan als {name}',
    useAnother: 'Ander account gebruiken',
    signedInNow: 'Je bent ingelogd als {name}.',
    reasons: {
      login: 'Je bent ingelogd als {name}, maar {client} vraagt je om je wachtwoord nog een keer in te voeren.',
      max_age:
        'Je bent ingelogd als {name}, maar voor {client} is dat te lang geleden. Voer je wachtwoord nog een keer in.',
      another: 'Je bent ingelogd als {name}, maar {client} vraagt om een ander account.',
      reauthenticate: 'Je bent ingelogd als {name}. Voer voor de veiligheid je wachtwoord nog een keer in.',
    },
    application: 'de app',
    username: 'Gebruikersnaam',
    usernameHint: 'of e-mailadres',
    password: 'Wachtwoord',
    showCharacters: 'Tekens tonen',
    capsLock: 'Caps Lock staat aan',
    rememberMe: 'Ingelogd blijven',
    submit: 'Inloggen',
    passkey: 'Inloggen met een passkey',
    passkeyCancelled: 'Er is geen passkey gebruikt. Probeer het opnieuw of log in met je wachtwoord.',
    passkeyRefused: 'Inloggen met deze passkey is niet gelukt. Probeer het opnieuw of log in met je wachtwoord.',
    again: 'Log opnieuw in om verder te gaan.',
    signedOut: 'Je bent uitgelogd',
    signedOutLead: 'Je kunt deze pagina sluiten of weer inloggen.',
    or: 'of',
    continueWith: 'Doorgaan met {provider}',
    providersUnreachable: 'Andere manieren om in te loggen konden niet worden geladen.',
    errors: {
      invalid_credentials:
        'De gebruikersnaam of het wachtwoord klopt niet. Na een aantal mislukte pogingen wordt een account enkele minuten geblokkeerd.',
      external_provider_error:
        'De andere dienst heeft het inloggen niet afgerond. Probeer het opnieuw of log op een andere manier in.',
      external_login_unavailable: 'Het inloggen bij de andere dienst is verlopen. Begin opnieuw.',
      account_locked:
        'Dit account is op dit moment geblokkeerd. Wacht een paar minuten en probeer het opnieuw, of vraag het je beheerder.',
      account_not_allowed:
        'Met dit account kun je nog niet inloggen. Misschien moet het e-mailadres nog worden bevestigd. Vraag het je beheerder als dit zo blijft.',
      sign_in_expired: 'Het inloggen heeft te lang geduurd. Begin opnieuw.',
      external_login_failed:
        'Inloggen bij de andere dienst is mislukt. Probeer het opnieuw of log op een andere manier in.',
    },
    otherError: 'Inloggen is mislukt. Probeer het opnieuw.',
  },

  signedIn: {
    title: 'Je bent ingelogd',
    body: 'Je kunt deze pagina sluiten en teruggaan naar je app.',
    submit: 'Uitloggen',
    someoneElse: 'Als iemand anders inloggen',
  },

  consent: {
    title: '{client} wil je account gebruiken',
    loadingTitle: 'Toegang geven',
    notYou: 'Ben jij dit niet?',
    scopes: 'De app wil',
    noScopes: 'De app wil alleen weten dat je bent ingelogd.',
    destination: 'Daarna ga je verder bij {host}',
    selfRegistered:
      'Niemand heeft deze app hier gecontroleerd: de naam heeft de app zelf gekozen. Geef alleen toegang als je de app kent.',
    published: 'Deze app wordt gepubliceerd op {host}.',
    policy: 'Privacybeleid',
    terms: 'Gebruiksvoorwaarden',
    contacts: 'Contact',
    allow: 'Toestaan',
    deny: 'Weigeren',
    builtInScopes: {
      openid: {
        name: 'Bevestigen wie je bent',
        description: 'Weten dat je bent ingelogd, en je de volgende keer herkennen.',
      },
      profile: { name: 'Je profiel zien', description: 'Je gebruikersnaam en wat er verder in je profiel staat.' },
      email: { name: 'Je e-mailadres zien', description: 'En of het is bevestigd.' },
      phone: { name: 'Je telefoonnummer zien', description: 'En of het is bevestigd.' },
      address: { name: 'Je postadres zien', description: '' },
      roles: { name: 'Je rollen zien', description: 'De rollen die een beheerder je heeft gegeven.' },
      offline_access: {
        name: 'Toegang houden terwijl je weg bent',
        description: 'Tot je de toegang intrekt in je account.',
      },
    },
  },

  device: {
    title: 'Apparaat koppelen',
    lead: 'Voer de code in die op je apparaat staat.',
    code: 'Code',
    codeHint: 'Acht letters. Zodra ze er allemaal staan, ga je vanzelf verder.',
    submit: 'Verder',
    compare: 'Op je apparaat moet deze code staan:',
    warning:
      'Sta dit alleen toe als je het zojuist zelf op je eigen apparaat hebt gestart. Heeft iemand je de code of een link naar deze pagina gestuurd, kies dan Weigeren: anders krijgt diegene toegang tot je account.',
    errors: {
      code_unknown: 'Deze code is onbekend, al gebruikt of verlopen. Vergelijk hem met de code op je apparaat.',
      too_many_tries: 'Er zijn te veel verkeerde codes ingevoerd. Wacht een minuut en probeer het opnieuw.',
    },
    otherError: 'Er is iets misgegaan. Voer de code opnieuw in.',
    allowed: {
      title: 'Je apparaat is gekoppeld',
      body: 'Je kunt deze pagina sluiten en teruggaan naar je apparaat.',
    },
    denied: { title: 'Er is geen toegang gegeven', body: 'Het apparaat krijgt niets. Je kunt deze pagina sluiten.' },
    another: 'Nog een apparaat koppelen',
  },

  signOut: {
    title: 'Uitloggen?',
    loadingTitle: 'Uitloggen',
    fromClient: '{client} wil je sessie in deze browser beëindigen.',
    plain: 'Hiermee beëindig je je sessie in deze browser.',
    goneTitle: 'Je bent uitgelogd',
    gone: 'Hier is geen account ingelogd. Je kunt deze pagina sluiten.',
    goneFromClient: 'Hier is geen account ingelogd. Nog één stap en je bent terug bij {client}.',
    continue: 'Verder',
    continueTo: 'Verder om uit te loggen bij {client}',
    submit: 'Uitloggen',
    stay: 'Ingelogd blijven',
  },

  confirm: {
    title: 'Account aanmaken',
    lead: '{provider} weet wie je bent, maar hier is er nog geen account voor je. Bevestig je e-mailadres om er een aan te maken.',
    identity: 'Ingelogd bij {provider}',
    email: 'E-mailadres',
    emailHint: 'Een bestaand account wordt nooit gekoppeld via het e-mailadres.',
    emailLooksWrong: 'Dit lijkt nog niet op een e-mailadres.',
    submit: 'Account aanmaken',
    errors: {
      email_invalid: 'Dit is geen geldig e-mailadres. Controleer het en probeer het opnieuw.',
      email_in_use:
        'Er is al een account met dit e-mailadres. Log daar in met het wachtwoord, of gebruik een ander adres.',
      external_login_in_use: 'Deze inlogmethode hoort al bij een ander account. Ga terug en log in op dat account.',
      registration_failed: 'Het account kon niet worden aangemaakt en er is niets opgeslagen. Probeer het opnieuw.',
    },
    otherError: 'Het account kon niet worden aangemaakt. Probeer het opnieuw.',
    expiredTitle: 'Dit heeft te lang geduurd',
    expired: 'Voor de veiligheid verloopt inloggen bij een andere dienst na vijf minuten. Begin opnieuw.',
  },

  notFound: {
    title: 'Pagina niet gevonden',
    body: 'Op dit adres is niets te vinden. Misschien is de link oud of verkeerd getypt.',
  },

  problem: {
    returnToApplication:
      'Ga terug naar de app waar je vandaan kwam en begin daar opnieuw. Blijft dit gebeuren, meld het dan bij de support van die app.',
    details: 'Details voor ontwikkelaars',
    error: 'Fout',
    id: 'Code',
    description: 'Beschrijving',
    documentation: 'Documentatie',
    traceId: 'Trace-ID',
    explanation: 'Wat er mis was',
    rule: 'Regel',
    why: 'Waarom',
    fix: 'Hoe je het oplost',
    onlyHere: 'Zichtbaar omdat deze dienst op je eigen computer draait. Elders staat dit alleen in het logboek.',
    copy: 'Kopiëren',
    copied: 'Gekopieerd',
    waitSeconds: 'Over {seconds} s kun je het opnieuw proberen.',
    mayRetry: 'Je kunt het nu opnieuw proberen.',
    kinds: {
      unregisteredAddress: {
        title: 'Voor je veiligheid gestopt',
        body: 'De app wilde je naar een adres sturen dat niet voor de app is geregistreerd.',
      },
      malformedAddress: {
        title: 'Deze link is niet geldig',
        body: 'De app heeft een retouradres gestuurd dat niet kan worden gebruikt.',
      },
      incomplete: {
        title: 'Er ontbreekt iets in deze link',
        body: 'De app heeft je hierheen gestuurd zonder alles wat nodig is om je in te loggen.',
      },
      unknownValue: {
        title: 'Dit verzoek is hier niet bekend',
        body: 'De app, of iets waar de app om vraagt, is niet geregistreerd bij deze dienst.',
      },
      unprotected: {
        title: 'Voor je veiligheid gestopt',
        body: 'De app heeft het verzoek niet beveiligd zoals deze dienst dat vereist.',
      },
      notPermitted: {
        title: 'De app mag dit niet doen',
        body: 'De app vroeg om iets waarvoor geen toestemming is gegeven.',
      },
      unsupported: {
        title: 'De app vroeg om iets ongewoons',
        body: 'Deze dienst biedt niet aan waar de app om vroeg.',
      },
      otherClient: {
        title: 'Dit verzoek klopt niet',
        body: 'Het bevat een inlogbewijs dat voor een andere app is gemaakt.',
      },
      denied: {
        title: 'Er is geen toegang gegeven',
        body: 'Het verzoek is geweigerd en er is niets gedeeld.',
      },
      notFound: {
        title: 'Pagina niet gevonden',
        body: 'Op dit adres is niets te vinden. Misschien is de link oud of verkeerd getypt.',
      },
      tooMany: {
        title: 'Te veel pogingen',
        body: 'Er zijn in korte tijd veel inlogpogingen gedaan vanaf jouw netwerk. Wacht even.',
      },
      startAgain: {
        title: 'Begin opnieuw',
        body: 'Het inloggen bij de andere dienst heeft te lang geduurd, was al afgerond of is in een andere browser begonnen.',
      },
      expiredForm: {
        title: 'Deze pagina stond te lang open',
        body: 'Er is iets gewijzigd sinds de pagina werd geladen. Daarom is er niets verstuurd. Ga terug en probeer het opnieuw.',
      },
      unavailable: {
        title: 'Zo weer beschikbaar',
        body: 'De dienst kan nu niet antwoorden. Probeer het over een ogenblik opnieuw.',
      },
      provider: {
        title: 'De andere dienst heeft niet geantwoord',
        body: 'Je bent niet ingelogd en er is niets opgeslagen. Probeer het opnieuw of log op een andere manier in.',
      },
      server: {
        title: 'Er is iets misgegaan aan onze kant',
        body: 'Je hebt niets verkeerd gedaan. Probeer het opnieuw. Gebeurt het nog een keer, geef dan de trace-ID uit de details hieronder door.',
      },
      generic: {
        title: 'Dit verzoek kon niet worden uitgevoerd',
        body: 'De app heeft je hierheen gestuurd met een verzoek dat deze dienst niet kan aannemen.',
      },
    },
  },

  server: {
    loadAgain: 'Opnieuw laden',
    needsScripts: {
      title: 'Deze pagina heeft JavaScript nodig',
      body: 'Zet JavaScript aan voor deze website en laad de pagina opnieuw.',
    },
    late: {
      title: 'Het laden van deze pagina duurt lang',
      body: 'Misschien is de verbinding traag of onderbroken.',
    },
    problems: {
      not_found: {
        title: 'Pagina niet gevonden',
        body: 'Op dit adres is niets te vinden. Misschien is de link oud of verkeerd getypt.',
      },
      misdirected_request: {
        title: 'Verkeerd adres',
        body: 'Deze dienst is niet bereikbaar onder deze naam. Gebruik het adres dat de beheerder heeft opgegeven.',
      },
      too_many_requests: {
        title: 'Te veel pogingen',
        body: 'Er zijn in korte tijd veel inlogpogingen gedaan vanaf jouw netwerk. Wacht even, ga dan terug en probeer het opnieuw.',
      },
      bad_gateway: {
        title: 'De andere dienst heeft niet geantwoord',
        body: 'Je bent niet ingelogd en er is niets opgeslagen. Ga terug en probeer het opnieuw.',
      },
      temporarily_unavailable: {
        title: 'Zo weer beschikbaar',
        body: 'De dienst kan nu niet antwoorden. Probeer het over een ogenblik opnieuw.',
      },
      server_error: {
        title: 'Er is iets misgegaan aan onze kant',
        body: 'Je hebt niets verkeerd gedaan. Probeer het opnieuw. Gebeurt het nog een keer, geef dan de trace-ID uit de details hieronder door.',
      },
      other: {
        title: 'Dit verzoek kon niet worden uitgevoerd',
        body: 'De app heeft je hierheen gestuurd met een verzoek dat deze dienst niet kan aannemen. Ga terug naar de app waar je vandaan kwam en begin daar opnieuw. Blijft dit gebeuren, meld het dan bij de support van die app.',
      },
    },
    toSignIn: 'Naar inloggen',
    details: 'Details voor ontwikkelaars',
    error: 'Fout',
    description: 'Beschrijving',
    documentation: 'Documentatie',
    traceId: 'Trace-ID',
    signedOut: {
      title: 'Je bent uitgelogd',
      closing: 'Je kunt deze pagina sluiten.',
      leaving: 'Je gaat terug naar de app.',
      continue: 'Verder',
    },
  },
}

export default nl
