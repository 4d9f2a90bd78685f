import type { Texts } from './en.ts'

const it: Texts = {
  direction: 'ltr',
  windowTitle: '{page} · {service}',
  footer: 'Ti trovi su {host}',
  language: 'Lingua',
  support: 'Assistenza',
  terms: 'Termini di servizio',
  privacy: 'Informativa sulla privacy',

  loading: 'Caricamento…',
  tryAgain: 'Riprova',
  goBack: 'Indietro',
  toSignIn: 'Vai all’accesso',
  startAgain: 'Ricomincia',
  backToSignIn: 'Torna all’accesso',
  unreachable: {
    title: 'Impossibile caricare questa pagina',
    body: 'Il servizio di accesso non ha risposto. Controlla la connessione e riprova.',
    inForm:
      'Il servizio di accesso non risponde, quindi il modulo non può ancora essere inviato. Controlla la connessione.',
  },
  cookies:
    'Il tuo browser non salva i cookie di questo sito, quindi non è possibile accedere. Consentili e ricarica la pagina.',
  signedInAs: 'Accesso eseguito come',
  changed: 'Qualcosa è cambiato in un’altra scheda o finestra. Controlla di nuovo prima di continuare.',

  signIn: {
    title: 'Accedi',
    lead: 'Usa il tuo account per continuare.',
    leadTo: 'Accedi per continuare su {client}',
    forgotPassword: 'Password dimenticata?',
    createAccount: 'Crea un account',
    continueAs: 'Continua come {name}',
    useAnother: 'Usa un altro account',
    signedInNow: 'Hai eseguito l’accesso come {name}.',
    reasons: {
      login: 'Hai eseguito l’accesso come {name}, ma {client} ti chiede di inserire di nuovo la password.',
      max_age:
        'Hai eseguito l’accesso come {name}, ma per {client} è passato troppo tempo. Inserisci di nuovo la password.',
      another: 'Hai eseguito l’accesso come {name}, ma {client} richiede un altro account.',
      reauthenticate: 'Hai eseguito l’accesso come {name}. Per sicurezza, inserisci di nuovo la password.',
    },
    application: 'l’applicazione',
    username: 'Nome utente',
    usernameHint: 'o indirizzo email',
    password: 'Password',
    showCharacters: 'Mostra caratteri',
    capsLock: 'Il blocco maiuscole è attivo',
    rememberMe: 'Ricordami',
    submit: 'Accedi',
    passkey: 'Accedi con una passkey',
    passkeyCancelled: 'Non è stata usata alcuna passkey. Riprova o accedi con la password.',
    passkeyRefused: 'Non è stato possibile accedere con la passkey. Riprova o accedi con la password.',
    again: 'Accedi di nuovo per continuare.',
    signedOut: 'Uscita completata',
    signedOutLead: 'Puoi chiudere questa pagina o accedere di nuovo.',
    or: 'oppure',
    continueWith: 'Continua con {provider}',
    providersUnreachable: 'Non è stato possibile caricare gli altri metodi di accesso.',
    errors: {
      invalid_credentials:
        'Nome utente o password non corretti. Dopo diversi tentativi non riusciti l’account viene bloccato per alcuni minuti.',
      external_provider_error:
        'L’altro servizio non ha completato l’accesso. Riprova o usa un altro metodo di accesso.',
      external_login_unavailable: 'Il tuo accesso con l’altro servizio è scaduto. Ricomincia.',
      account_locked:
        'Questo account è al momento bloccato. Attendi qualche minuto e riprova, o rivolgiti all’amministratore.',
      account_not_allowed:
        'Con questo account non è ancora possibile accedere. Forse l’indirizzo email deve ancora essere confermato. Se la situazione non cambia, rivolgiti all’amministratore.',
      sign_in_expired: 'Questo accesso ha richiesto troppo tempo. Ricomincia.',
      external_login_failed: 'L’accesso con l’altro servizio non è riuscito. Riprova o usa un altro metodo di accesso.',
    },
    otherError: 'L’accesso non è riuscito. Riprova.',
  },

  signedIn: {
    title: 'Hai eseguito l’accesso',
    body: 'Puoi chiudere questa pagina e tornare alla tua applicazione.',
    submit: 'Esci',
    someoneElse: 'Accedi con un altro account',
  },

  consent: {
    title: '{client} vorrebbe usare il tuo account',
    loadingTitle: 'Consenti l’accesso',
    notYou: 'Non sei tu?',
    scopes: 'L’applicazione chiede di',
    noScopes: 'L’applicazione chiede solo di sapere che hai eseguito l’accesso.',
    destination: 'Poi continuerai su {host}',
    selfRegistered:
      'Nessuno qui ha verificato questa applicazione, che ha scelto da sé il proprio nome. Consenti l’accesso solo se la conosci.',
    published: 'Questa applicazione è pubblicata su {host}.',
    policy: 'Informativa sulla privacy',
    terms: 'Termini di servizio',
    contacts: 'Contatti',
    allow: 'Consenti',
    deny: 'Rifiuta',
    builtInScopes: {
      openid: {
        name: 'Confermare la tua identità',
        description: 'Sapere che hai eseguito l’accesso e riconoscerti la prossima volta.',
      },
      profile: { name: 'Vedere il tuo profilo', description: 'Il nome utente e quanto altro contiene il profilo.' },
      email: { name: 'Vedere il tuo indirizzo email', description: 'E se è confermato.' },
      phone: { name: 'Vedere il tuo numero di telefono', description: 'E se è confermato.' },
      address: { name: 'Vedere il tuo indirizzo postale', description: '' },
      roles: { name: 'Vedere i tuoi ruoli', description: 'I ruoli che ti ha assegnato un amministratore.' },
      offline_access: {
        name: 'Mantenere l’accesso anche in tua assenza',
        description: 'Finché non lo revochi nel tuo account.',
      },
    },
  },

  device: {
    title: 'Collega un dispositivo',
    lead: 'Inserisci il codice mostrato dal dispositivo.',
    code: 'Codice',
    codeHint: 'Otto lettere. Appena inserite tutte, la pagina prosegue.',
    submit: 'Continua',
    compare: 'Il dispositivo deve mostrare questo codice:',
    warning:
      'Consenti l’accesso solo se hai appena avviato questa operazione sul tuo dispositivo. Se qualcuno ti ha inviato il codice o un link a questa pagina, scegli «Rifiuta»: altrimenti quella persona entrerebbe nel tuo account.',
    errors: {
      code_unknown:
        'Questo codice non esiste, è già stato usato o è scaduto. Confrontalo con il codice sul dispositivo.',
      too_many_tries: 'Sono stati inseriti troppi codici errati. Attendi un minuto e riprova.',
    },
    otherError: 'Qualcosa è andato storto. Inserisci di nuovo il codice.',
    allowed: {
      title: 'Il dispositivo è collegato',
      body: 'Puoi chiudere questa pagina e tornare al dispositivo.',
    },
    denied: { title: 'Accesso non concesso', body: 'Il dispositivo non riceve nulla. Puoi chiudere questa pagina.' },
    another: 'Collega un altro dispositivo',
  },

  signOut: {
    title: 'Vuoi uscire?',
    loadingTitle: 'Esci',
    fromClient: '{client} chiede di terminare la tua sessione in questo browser.',
    plain: 'La tua sessione in questo browser verrà terminata.',
    goneTitle: 'Uscita completata',
    gone: 'Qui non è attivo alcun account. Puoi chiudere questa pagina.',
    goneFromClient: 'Qui non è attivo alcun account. Ancora un passaggio per tornare a {client}.',
    continue: 'Continua',
    continueTo: 'Continua per uscire da {client}',
    submit: 'Esci',
    stay: 'Non uscire',
  },

  confirm: {
    title: 'Crea il tuo account',
    lead: '{provider} sa chi sei, ma qui non hai ancora un account. Conferma il tuo indirizzo email per crearne uno.',
    identity: 'Accesso eseguito con {provider}',
    email: 'Email',
    emailHint: 'Un account esistente non viene mai collegato tramite l’indirizzo email.',
    emailLooksWrong: 'Questo non sembra ancora un indirizzo email.',
    submit: 'Crea account',
    errors: {
      email_invalid: 'L’indirizzo email non è valido. Controllalo e riprova.',
      email_in_use:
        'Esiste già un account con questo indirizzo email. Accedi a quell’account con la sua password o usa un altro indirizzo.',
      external_login_in_use:
        'Questo accesso appartiene già a un altro account. Torna indietro e accedi a quell’account.',
      registration_failed: 'Non è stato possibile creare l’account e non è stato salvato nulla. Riprova.',
    },
    otherError: 'Non è stato possibile creare l’account. Riprova.',
    expiredTitle: 'È passato troppo tempo',
    expired: 'Per sicurezza, l’accesso con un altro servizio scade dopo cinque minuti. Ricomincia.',
  },

  notFound: {
    title: 'Pagina non trovata',
    body: 'A questo indirizzo non c’è nulla. Il link potrebbe essere vecchio o contenere un errore.',
  },

  problem: {
    returnToApplication:
      'Torna all’applicazione da cui provieni e ricomincia da lì. Se il problema continua, contatta la sua assistenza.',
    details: 'Dettagli per gli sviluppatori',
    error: 'Errore',
    id: 'Codice',
    description: 'Descrizione',
    documentation: 'Documentazione',
    traceId: 'ID di traccia',
    explanation: 'Che cosa non andava',
    rule: 'Regola',
    why: 'Perché',
    fix: 'Come risolvere',
    onlyHere:
      'Visibile perché questo servizio è in esecuzione sul tuo computer. Altrove compare soltanto nel registro.',
    copy: 'Copia',
    copied: 'Copiato',
    waitSeconds: 'Potrai riprovare tra {seconds} s.',
    mayRetry: 'Ora puoi riprovare.',
    kinds: {
      unregisteredAddress: {
        title: 'Ci siamo fermati per la tua sicurezza',
        body: 'L’applicazione voleva indirizzarti a un indirizzo che non ha registrato.',
      },
      malformedAddress: {
        title: 'Questo link non è valido',
        body: 'L’applicazione ha inviato un indirizzo di ritorno inutilizzabile.',
      },
      incomplete: {
        title: 'In questo link manca qualcosa',
        body: 'L’applicazione ti ha indirizzato qui senza tutto ciò che serve per l’accesso.',
      },
      unknownValue: {
        title: 'Questa richiesta non è riconosciuta',
        body: 'L’applicazione, o qualcosa che richiede, non risulta in questo servizio.',
      },
      unprotected: {
        title: 'Ci siamo fermati per la tua sicurezza',
        body: 'L’applicazione non ha protetto la richiesta nel modo previsto da questo servizio.',
      },
      notPermitted: {
        title: 'L’applicazione non può farlo',
        body: 'Ha chiesto qualcosa per cui non ha l’autorizzazione.',
      },
      unsupported: {
        title: 'L’applicazione ha chiesto qualcosa di insolito',
        body: 'Questo servizio non offre quanto richiesto.',
      },
      otherClient: {
        title: 'Questa richiesta non è coerente',
        body: 'Contiene una prova di accesso rilasciata per un’altra applicazione.',
      },
      denied: {
        title: 'Accesso non concesso',
        body: 'La richiesta è stata rifiutata e non è stato condiviso nulla.',
      },
      notFound: {
        title: 'Pagina non trovata',
        body: 'A questo indirizzo non c’è nulla. Il link potrebbe essere vecchio o contenere un errore.',
      },
      tooMany: {
        title: 'Troppi tentativi',
        body: 'Dalla tua rete sono arrivati molti tentativi di accesso in poco tempo. Attendi un momento.',
      },
      startAgain: {
        title: 'Ricomincia',
        body: 'Il tuo accesso con l’altro servizio ha richiesto troppo tempo, era già terminato o è stato avviato in un altro browser.',
      },
      expiredForm: {
        title: 'Questa pagina è rimasta aperta troppo a lungo',
        body: 'Qualcosa è cambiato da quando la pagina è stata caricata, quindi non è stato inviato nulla. Torna indietro e riprova.',
      },
      unavailable: {
        title: 'Torniamo tra poco',
        body: 'Al momento il servizio non può rispondere. Riprova tra poco.',
      },
      provider: {
        title: 'L’altro servizio non ha risposto',
        body: 'L’accesso non è avvenuto e non è stato salvato nulla. Riprova o usa un altro metodo di accesso.',
      },
      server: {
        title: 'Qualcosa non ha funzionato da parte nostra',
        body: 'Non hai sbagliato nulla. Riprova. Se succede di nuovo, comunica l’ID di traccia indicato nei dettagli qui sotto.',
      },
      generic: {
        title: 'Non è stato possibile completare la richiesta',
        body: 'L’applicazione ti ha indirizzato qui con una richiesta che questo servizio non può accettare.',
      },
    },
  },

  server: {
    loadAgain: 'Ricarica',
    needsScripts: {
      title: 'Questa pagina richiede JavaScript',
      body: 'Attivalo per questo sito e ricarica la pagina.',
    },
    late: {
      title: 'Il caricamento della pagina richiede tempo',
      body: 'La connessione potrebbe essere lenta o interrotta.',
    },
    problems: {
      not_found: {
        title: 'Pagina non trovata',
        body: 'A questo indirizzo non c’è nulla. Il link potrebbe essere vecchio o contenere un errore.',
      },
      misdirected_request: {
        title: 'Indirizzo errato',
        body: 'Questo servizio non risponde a questo nome. Usa l’indirizzo indicato dal suo gestore.',
      },
      too_many_requests: {
        title: 'Troppi tentativi',
        body: 'Dalla tua rete sono arrivati molti tentativi di accesso in poco tempo. Attendi un momento, torna indietro e riprova.',
      },
      bad_gateway: {
        title: 'L’altro servizio non ha risposto',
        body: 'L’accesso non è avvenuto e non è stato salvato nulla. Torna indietro e riprova.',
      },
      temporarily_unavailable: {
        title: 'Torniamo tra poco',
        body: 'Al momento il servizio non può rispondere. Riprova tra poco.',
      },
      server_error: {
        title: 'Qualcosa non ha funzionato da parte nostra',
        body: 'Non hai sbagliato nulla. Riprova. Se succede di nuovo, comunica l’ID di traccia indicato nei dettagli qui sotto.',
      },
      other: {
        title: 'Non è stato possibile completare la richiesta',
        body: 'L’applicazione ti ha indirizzato qui con una richiesta che questo servizio non può accettare. Torna all’applicazione da cui provieni e ricomincia da lì. Se il problema continua, contatta la sua assistenza.',
      },
    },
    toSignIn: 'Vai all’accesso',
    details: 'Dettagli per gli sviluppatori',
    error: 'Errore',
    description: 'Descrizione',
    documentation: 'Documentazione',
    traceId: 'ID di traccia',
    signedOut: {
      title: 'Uscita completata',
      closing: 'Puoi chiudere questa pagina.',
      leaving: 'Stai per tornare all’applicazione.',
      continue: 'Continua',
    },
  },
}

export default it
