import type { Texts } from './en.ts'

const pl: Texts = {
  direction: 'ltr',
  windowTitle: '{page} · {service}',
  footer: 'Adres tej strony: {host}',
  language: 'Język',
  support: 'Pomoc',
  terms: 'Regulamin',
  privacy: 'Prywatność',

  loading: 'Ładowanie…',
  tryAgain: 'Spróbuj ponownie',
  goBack: 'Wróć',
  toSignIn: 'Przejdź do logowania',
  startAgain: 'Zacznij od nowa',
  backToSignIn: 'Wróć do logowania',
  unreachable: {
    title: 'Nie udało się wczytać tej strony',
    body: 'Usługa logowania nie odpowiedziała. Sprawdź połączenie i spróbuj ponownie.',
    inForm: 'Usługa logowania nie odpowiada, więc formularza nie można jeszcze wysłać. Sprawdź połączenie.',
  },
  cookies:
    'Przeglądarka nie zapisuje plików cookie tej witryny, więc zalogowanie się nie jest możliwe. Zezwól na nie i odśwież stronę.',
  signedInAs: 'Zalogowano jako',
  changed: 'Coś się zmieniło w innej karcie lub innym oknie. Sprawdź wszystko, zanim przejdziesz dalej.',

  signIn: {
    title: 'Zaloguj się',
    lead: 'Zaloguj się na swoje konto, aby kontynuować.',
    leadTo: 'Zaloguj się, aby przejść do aplikacji {client}',
    forgotPassword: 'Nie pamiętasz hasła?',
    createAccount: 'Utwórz konto',
    continueAs: 'Kontynuuj jako {name}',
    useAnother: 'Użyj innego konta',
    signedInNow: 'Zalogowano Cię jako {name}.',
    reasons: {
      login: 'Zalogowano Cię jako {name}. {client} prosi o ponowne podanie hasła.',
      max_age:
        'Zalogowano Cię jako {name}. {client} nie przyjmuje logowania, od którego minęło tyle czasu. Podaj hasło ponownie.',
      another: 'Zalogowano Cię jako {name}. {client} wymaga innego konta.',
      reauthenticate: 'Zalogowano Cię jako {name}. Dla bezpieczeństwa podaj hasło ponownie.',
    },
    application: 'Aplikacja',
    username: 'Nazwa użytkownika',
    usernameHint: 'lub adres e-mail',
    password: 'Hasło',
    showCharacters: 'Pokaż znaki',
    capsLock: 'Klawisz Caps Lock jest włączony',
    rememberMe: 'Nie wylogowuj mnie',
    submit: 'Zaloguj się',
    passkey: 'Zaloguj się kluczem dostępu',
    passkeyCancelled: 'Nie użyto klucza dostępu. Spróbuj ponownie lub zaloguj się hasłem.',
    passkeyRefused: 'Nie udało się zalogować tym kluczem dostępu. Spróbuj ponownie lub zaloguj się hasłem.',
    again: 'Zaloguj się ponownie, aby kontynuować.',
    signedOut: 'Wylogowano',
    signedOutLead: 'Możesz zamknąć tę stronę lub zalogować się ponownie.',
    or: 'lub',
    continueWith: 'Kontynuuj z {provider}',
    providersUnreachable: 'Nie udało się wczytać innych sposobów logowania.',
    errors: {
      invalid_credentials:
        'Nazwa użytkownika lub hasło są nieprawidłowe. Po kilku nieudanych próbach konto jest blokowane na kilka minut.',
      external_provider_error: 'Druga usługa nie dokończyła logowania. Spróbuj ponownie lub zaloguj się w inny sposób.',
      external_login_unavailable: 'Logowanie w drugiej usłudze wygasło. Zacznij od nowa.',
      account_locked:
        'To konto jest obecnie zablokowane. Odczekaj kilka minut i spróbuj ponownie lub skontaktuj się z administratorem.',
      account_not_allowed:
        'Na to konto nie można się jeszcze zalogować. Być może trzeba najpierw potwierdzić jego adres e-mail. Jeśli nic się nie zmieni, skontaktuj się z administratorem.',
      sign_in_expired: 'Logowanie trwało zbyt długo. Zacznij od nowa.',
      external_login_failed:
        'Logowanie w drugiej usłudze nie powiodło się. Spróbuj ponownie lub zaloguj się w inny sposób.',
    },
    otherError: 'Logowanie nie powiodło się. Spróbuj ponownie.',
  },

  signedIn: {
    title: 'Zalogowano',
    body: 'Możesz zamknąć tę stronę i wrócić do swojej aplikacji.',
    submit: 'Wyloguj się',
    someoneElse: 'Zaloguj się jako ktoś inny',
  },

  consent: {
    title: '{client} chce używać Twojego konta',
    loadingTitle: 'Zezwolenie na dostęp',
    notYou: 'To nie Ty?',
    scopes: 'Aplikacja chce',
    noScopes: 'Aplikacja chce tylko wiedzieć, że logowanie się powiodło.',
    destination: 'Następnie przejdziesz do: {host}',
    selfRegistered:
      'Nikt tutaj nie sprawdził tej aplikacji: sama wybrała swoją nazwę. Zezwól tylko wtedy, gdy ją znasz.',
    published: 'Ta aplikacja jest publikowana pod adresem {host}.',
    policy: 'Polityka prywatności',
    terms: 'Regulamin',
    contacts: 'Kontakt',
    allow: 'Zezwól',
    deny: 'Odmów',
    builtInScopes: {
      openid: {
        name: 'Potwierdzić Twoją tożsamość',
        description: 'Otrzymać informację o zalogowaniu i rozpoznać Cię następnym razem.',
      },
      profile: { name: 'Zobaczyć Twój profil', description: 'Nazwę użytkownika i inne dane z profilu.' },
      email: { name: 'Zobaczyć Twój adres e-mail', description: 'Oraz to, czy jest potwierdzony.' },
      phone: { name: 'Zobaczyć Twój numer telefonu', description: 'Oraz to, czy jest potwierdzony.' },
      address: { name: 'Zobaczyć Twój adres pocztowy', description: '' },
      roles: { name: 'Zobaczyć Twoje role', description: 'Role nadane Ci przez administratora.' },
      offline_access: {
        name: 'Zachować dostęp pod Twoją nieobecność',
        description: 'Do czasu, gdy cofniesz go na swoim koncie.',
      },
    },
  },

  device: {
    title: 'Połącz urządzenie',
    lead: 'Wpisz kod wyświetlany na urządzeniu.',
    code: 'Kod',
    codeHint: 'Osiem liter. Po wpisaniu wszystkich strona przejdzie dalej.',
    submit: 'Dalej',
    compare: 'Na urządzeniu musi być widoczny ten kod:',
    warning:
      'Zezwól tylko wtedy, gdy przed chwilą łączenie zaczęło się na Twoim własnym urządzeniu. Jeśli kod lub link do tej strony przysłał Ci ktoś inny, wybierz „Odmów”: w przeciwnym razie ta osoba uzyska dostęp do Twojego konta.',
    errors: {
      code_unknown: 'Ten kod jest nieznany, został już użyty lub wygasł. Porównaj go z kodem na urządzeniu.',
      too_many_tries: 'Wpisano zbyt wiele błędnych kodów. Odczekaj minutę i spróbuj ponownie.',
    },
    otherError: 'Coś poszło nie tak. Wpisz kod ponownie.',
    allowed: {
      title: 'Urządzenie jest połączone',
      body: 'Możesz zamknąć tę stronę i wrócić do urządzenia.',
    },
    denied: {
      title: 'Nie udzielono dostępu',
      body: 'Urządzenie niczego nie otrzyma. Możesz zamknąć tę stronę.',
    },
    another: 'Połącz kolejne urządzenie',
  },

  signOut: {
    title: 'Wylogować się?',
    loadingTitle: 'Wylogowanie',
    fromClient: '{client} chce zakończyć Twoją sesję w tej przeglądarce.',
    plain: 'To zakończy Twoją sesję w tej przeglądarce.',
    goneTitle: 'Wylogowano',
    gone: 'Żadne konto nie jest tu zalogowane. Możesz zamknąć tę stronę.',
    goneFromClient: 'Żadne konto nie jest tu zalogowane. Jeszcze jeden krok i wrócisz do aplikacji {client}.',
    continue: 'Dalej',
    continueTo: 'Dalej, do wylogowania z aplikacji {client}',
    submit: 'Wyloguj się',
    stay: 'Nie wylogowuj',
  },

  confirm: {
    title: 'Utwórz konto',
    lead: '{provider} wie, kim jesteś, ale nie masz tu jeszcze konta. Potwierdź swój adres e-mail, aby je utworzyć.',
    identity: 'Zalogowano przez {provider}',
    email: 'Adres e-mail',
    emailHint: 'Istniejące konto nigdy nie jest łączone na podstawie adresu e-mail.',
    emailLooksWrong: 'To jeszcze nie wygląda na adres e-mail.',
    submit: 'Utwórz konto',
    errors: {
      email_invalid: 'Ten adres e-mail jest nieprawidłowy. Sprawdź go i spróbuj ponownie.',
      email_in_use: 'Konto z tym adresem e-mail już istnieje. Zaloguj się na nie hasłem lub użyj innego adresu.',
      external_login_in_use: 'To logowanie należy już do innego konta. Wróć i zaloguj się na tamto konto.',
      registration_failed: 'Nie udało się utworzyć konta i nic nie zostało zapisane. Spróbuj ponownie.',
    },
    otherError: 'Nie udało się utworzyć konta. Spróbuj ponownie.',
    expiredTitle: 'To trwało zbyt długo',
    expired: 'Dla bezpieczeństwa logowanie w innej usłudze wygasa po pięciu minutach. Zacznij od nowa.',
  },

  notFound: {
    title: 'Nie znaleziono strony',
    body: 'Pod tym adresem niczego nie ma. Link może być nieaktualny lub zawierać literówkę.',
  },

  problem: {
    returnToApplication:
      'Wróć do aplikacji, z której nastąpiło przejście, i zacznij tam od nowa. Jeśli to się powtarza, zgłoś to jej pomocy technicznej.',
    details: 'Szczegóły dla programistów',
    error: 'Błąd',
    id: 'Kod',
    description: 'Opis',
    documentation: 'Dokumentacja',
    traceId: 'Identyfikator śledzenia',
    explanation: 'Co było nie tak',
    rule: 'Reguła',
    why: 'Dlaczego',
    fix: 'Jak to naprawić',
    onlyHere: 'Widoczne, ponieważ ta usługa działa na Twoim własnym komputerze. Poza nim jest to tylko w dzienniku.',
    copy: 'Kopiuj',
    copied: 'Skopiowano',
    waitSeconds: 'Ponowna próba będzie możliwa za {seconds} s.',
    mayRetry: 'Możesz teraz spróbować ponownie.',
    kinds: {
      unregisteredAddress: {
        title: 'Zatrzymano dla bezpieczeństwa',
        body: 'Aplikacja próbowała przekierować Cię pod adres, który nie jest dla niej zarejestrowany.',
      },
      malformedAddress: {
        title: 'Ten link jest nieprawidłowy',
        body: 'Aplikacja podała adres powrotny, którego nie można użyć.',
      },
      incomplete: {
        title: 'W tym linku czegoś brakuje',
        body: 'Aplikacja skierowała Cię tutaj bez wszystkich danych potrzebnych do zalogowania.',
      },
      unknownValue: {
        title: 'To żądanie nie jest tu znane',
        body: 'Aplikacja lub coś, o co prosi, nie jest zarejestrowane w tej usłudze.',
      },
      unprotected: {
        title: 'Zatrzymano dla bezpieczeństwa',
        body: 'Aplikacja nie zabezpieczyła żądania tak, jak wymaga tego ta usługa.',
      },
      notPermitted: {
        title: 'Aplikacji tego nie wolno',
        body: 'Poprosiła o coś, do czego nie ma uprawnień.',
      },
      unsupported: {
        title: 'Aplikacja poprosiła o coś nietypowego',
        body: 'Ta usługa nie oferuje tego, o co poproszono.',
      },
      otherClient: {
        title: 'To żądanie jest niespójne',
        body: 'Zawiera dowód zalogowania wystawiony dla innej aplikacji.',
      },
      denied: {
        title: 'Nie udzielono dostępu',
        body: 'Żądanie odrzucono i nic nie zostało udostępnione.',
      },
      notFound: {
        title: 'Nie znaleziono strony',
        body: 'Pod tym adresem niczego nie ma. Link może być nieaktualny lub zawierać literówkę.',
      },
      tooMany: {
        title: 'Zbyt wiele prób',
        body: 'W krótkim czasie z Twojej sieci podjęto wiele prób logowania. Odczekaj chwilę.',
      },
      startAgain: {
        title: 'Zacznij od nowa',
        body: 'Logowanie w drugiej usłudze trwało zbyt długo, zostało już zakończone lub zaczęło się w innej przeglądarce.',
      },
      expiredForm: {
        title: 'Ta strona była otwarta zbyt długo',
        body: 'Od wczytania strony coś się zmieniło, więc nic nie zostało wysłane. Wróć i spróbuj ponownie.',
      },
      unavailable: {
        title: 'Zaraz wracamy',
        body: 'Usługa nie może teraz odpowiedzieć. Spróbuj ponownie za chwilę.',
      },
      provider: {
        title: 'Druga usługa nie odpowiedziała',
        body: 'Nie zalogowano Cię i nic nie zostało zapisane. Spróbuj ponownie lub zaloguj się w inny sposób.',
      },
      server: {
        title: 'Coś poszło nie tak po naszej stronie',
        body: 'To nie Twoja wina. Spróbuj ponownie, a jeśli to się powtórzy, podaj identyfikator śledzenia ze szczegółów poniżej.',
      },
      generic: {
        title: 'Nie udało się wykonać tego żądania',
        body: 'Aplikacja skierowała Cię tutaj z żądaniem, którego ta usługa nie może przyjąć.',
      },
    },
  },

  server: {
    loadAgain: 'Wczytaj ponownie',
    needsScripts: {
      title: 'Ta strona wymaga JavaScriptu',
      body: 'Włącz go dla tej witryny i wczytaj stronę ponownie.',
    },
    late: {
      title: 'Ta strona długo się wczytuje',
      body: 'Połączenie może być wolne lub przerwane.',
    },
    problems: {
      not_found: {
        title: 'Nie znaleziono strony',
        body: 'Pod tym adresem niczego nie ma. Link może być nieaktualny lub zawierać literówkę.',
      },
      misdirected_request: {
        title: 'Nieprawidłowy adres',
        body: 'Ta usługa nie działa pod tą nazwą. Użyj adresu podanego przez jej operatora.',
      },
      too_many_requests: {
        title: 'Zbyt wiele prób',
        body: 'W krótkim czasie z Twojej sieci podjęto wiele prób logowania. Odczekaj chwilę, wróć i spróbuj ponownie.',
      },
      bad_gateway: {
        title: 'Druga usługa nie odpowiedziała',
        body: 'Nie zalogowano Cię i nic nie zostało zapisane. Wróć i spróbuj ponownie.',
      },
      temporarily_unavailable: {
        title: 'Zaraz wracamy',
        body: 'Usługa nie może teraz odpowiedzieć. Spróbuj ponownie za chwilę.',
      },
      server_error: {
        title: 'Coś poszło nie tak po naszej stronie',
        body: 'To nie Twoja wina. Spróbuj ponownie. Jeśli to się powtórzy, podaj identyfikator śledzenia ze szczegółów poniżej.',
      },
      other: {
        title: 'Nie udało się wykonać tego żądania',
        body: 'Aplikacja skierowała Cię tutaj z żądaniem, którego ta usługa nie może przyjąć. Wróć do aplikacji i zacznij tam od nowa. Jeśli to się powtarza, zgłoś to jej pomocy technicznej.',
      },
    },
    toSignIn: 'Przejdź do logowania',
    details: 'Szczegóły dla programistów',
    error: 'Błąd',
    description: 'Opis',
    documentation: 'Dokumentacja',
    traceId: 'Identyfikator śledzenia',
    signedOut: {
      title: 'Wylogowano',
      closing: 'Możesz zamknąć tę stronę.',
      leaving: 'Za chwilę wrócisz do aplikacji.',
      continue: 'Dalej',
    },
  },
}

export default pl
