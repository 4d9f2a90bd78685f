import type { AccountTexts } from './en.ts'

const pl: Partial<AccountTexts> = {
  area: {
    navigation: 'Konto',
    skip: 'Przejdź do treści',
    overview: 'Przegląd',
    security: 'Bezpieczeństwo',
    devices: 'Urządzenia',
    applications: 'Aplikacje',
    profile: 'Profil',
    signOut: 'Wyloguj się',
  },
  otherProblem: 'Nie udało się i nic nie zostało zmienione. Identyfikator śledzenia: {trace}',

  choose: {
    title: 'Wybierz konto',
    lead: 'Kto chce kontynuować?',
    leadTo: 'Kto chce przejść do aplikacji {client}?',
    continueAs: 'Kontynuuj jako {name}',
    another: 'Użyj innego konta',
  },

  newPassword: {
    label: 'Nowe hasło',
    showCharacters: 'Pokaż znaki',
    capsLock: 'Klawisz Caps Lock jest włączony',
    hint: 'Minimalna liczba znaków: {count}. Kilka słów pod rząd łatwo zapamiętać, a trudno odgadnąć.',
    good: 'Tego hasła można użyć.',
    errors: {
      password_too_short: 'Hasło jest za krótkie. Minimalna liczba znaków: {count}.',
      password_too_long: 'To hasło jest za długie.',
      password_similar: 'Hasło jest zbyt podobne do nazwy użytkownika, adresu lub nazwy tej usługi.',
      password_common: 'To jedno z haseł, które wszyscy sprawdzają najpierw. Wybierz inne.',
      password_breached: 'To hasło jest znane z wycieku danych. Wybierz inne.',
    },
    otherError: 'Tego hasła nie można użyć. Wybierz inne.',
  },

  register: {
    title: 'Utwórz konto',
    lead: 'Wyślemy wiadomość, aby potwierdzić Twój adres.',
    email: 'Adres e-mail',
    username: 'Nazwa użytkownika',
    usernameHint: 'opcjonalnie, adres e-mail wystarczy',
    passwordHint: 'Pozostaw puste, aby zamiast hasła użyć klucza dostępu.',
    submit: 'Utwórz konto',
    toSignIn: 'Zaloguj się na konto, które już masz',
    invited: 'Zaproszenie dla: {address}. Wybierz sposób logowania.',
    errors: {
      email_invalid: 'To nie wygląda na adres e-mail.',
      username_invalid: 'Tej nazwy użytkownika nie można użyć. Zawsze dozwolone są litery, cyfry i znaki . _ -',
      username_taken: 'Ta nazwa użytkownika jest zajęta. Wybierz inną.',
    },
    otherError: 'Nie udało się utworzyć konta. Spróbuj ponownie.',
    closed: {
      title: 'Nie można tu utworzyć konta',
      body: 'Rejestracja jest zamknięta. Jeśli masz zaproszenie, to wygasło ono lub zostało już użyte: poproś o nowe.',
    },
  },

  firstPasskey: {
    title: 'Dodaj klucz dostępu',
    lead: 'Konto jest gotowe. Z kluczem dostępu logujesz się tak, jak odblokowujesz to urządzenie: bez hasła.',
    submit: 'Dodaj klucz dostępu',
    name: 'Klucz dostępu ({system})',
    plainName: 'Klucz dostępu',
    password: 'Wybierz zamiast tego hasło',
    submitPassword: 'Dalej',
    back: 'Wróć do klucza dostępu',
    unsupported: 'Ta przeglądarka nie może utworzyć klucza dostępu. Wybierz zamiast tego hasło.',
    cancelled: 'Nie utworzono klucza dostępu. Spróbuj ponownie lub wybierz zamiast tego hasło.',
    failed: 'Nie udało się zapisać klucza dostępu. Spróbuj ponownie lub wybierz zamiast tego hasło.',
  },

  confirm: {
    code: 'Kod',
    codeHint: 'Sześć cyfr z najnowszej wiadomości',
    submit: 'Dalej',
    sendAgain: 'Wyślij nowy kod',
    sent: 'Nowa wiadomość jest w drodze. Wcześniejsze kody i linki już nie działają.',
    notArrived: 'Po kilku minutach nadal nie ma wiadomości? Sprawdź folder ze spamem lub wyślij nowy kod.',
    otherAddress: 'Użyj innego adresu',
    errors: {
      code_invalid:
        'Ten kod lub link jest błędny, wygasł lub został już użyty. Wpisz kod z najnowszej wiadomości lub wyślij nowy.',
      too_many_attempts: 'Wpisano zbyt wiele błędnych kodów. Wyślij nowy.',
    },
    otherError: 'Nie udało się. Wyślij nowy kod.',
    register: {
      title: 'Potwierdź swój adres e-mail',
      lead: 'Wysłaliśmy do Ciebie wiadomość. Wpisz tutaj kod, który zawiera, lub otwórz link.',
      leadTo: 'Wysłaliśmy wiadomość na adres {address}. Wpisz tutaj kod, który zawiera, lub otwórz link.',
      link: 'Jeszcze jeden krok: teraz powstanie Twoje konto.',
    },
    reset: {
      title: 'Sprawdź pocztę',
      lead: 'Jeśli konto istnieje, wysłaliśmy wiadomość na jego adres. Wpisz tutaj kod, który zawiera, lub otwórz link.',
      leadTo:
        'Jeśli istnieje konto dla {address}, wysłaliśmy wiadomość na jego adres. Wpisz tutaj kod, który zawiera, lub otwórz link.',
      link: 'Potem wybierzesz nowe hasło.',
    },
    email: {
      title: 'Potwierdź swój nowy adres e-mail',
      lead: 'Wysłaliśmy wiadomość na nowy adres. Wpisz tutaj kod, który zawiera, lub otwórz link.',
      link: 'Potem adres będzie należeć do Twojego konta. Na poprzedni adres wyślemy powiadomienie.',
    },
    invite: {
      title: 'Przyjmij zaproszenie',
      lead: 'Otwórz link w wiadomości z zaproszeniem.',
      link: 'Potem wybierzesz sposób logowania.',
      error: 'To zaproszenie wygasło lub zostało już użyte. Poproś o nowe osobę, która je wysłała.',
    },
    undo: {
      title: 'Cofnij zmianę',
      lead: 'Otwórz link w wiadomości, która informowała o zmianie.',
      link: 'Konto odzyska poprzedni adres e-mail, a wszystkie sesje zostaną zakończone. Potem wybierzesz nowe hasło.',
      error: 'Ten link wygasł lub został już użyty. Poproś o pomoc operatora tej usługi.',
    },
    unknown: {
      title: 'Ten link jest niepełny',
      body: 'Otwórz link z wiadomości jeszcze raz lub skopiuj go w całości.',
    },
  },

  forgotPassword: {
    title: 'Nie pamiętasz hasła?',
    lead: 'Wyślemy wiadomość z kodem na adres Twojego konta. Za jego pomocą wybierzesz nowe hasło.',
    email: 'Adres e-mail',
    emailHint: 'lub nazwa użytkownika',
    submit: 'Dalej',
    submitLabel: 'Dalej, do resetowania hasła',
    back: 'Wróć do logowania',
    undone:
      'Konto ma znów poprzedni adres e-mail, a wszystkie sesje zostały zakończone. Teraz wybierz nowe hasło: ktoś inny może znać stare.',
    errors: {
      code_invalid: 'Kod lub link wygasł albo został już użyty. Podaj adres ponownie, aby otrzymać nowy.',
    },
    otherError: 'Nie udało się. Spróbuj ponownie.',
  },

  resetPassword: {
    title: 'Wybierz nowe hasło',
    lead: 'Natychmiast zastąpi stare.',
    revoke: 'Wyloguj wszędzie indziej i zakończ dostęp wszystkich aplikacji',
    submit: 'Zresetuj hasło',
    restart: 'Wyślij nową wiadomość',
  },

  secondFactor: {
    title: 'Potwierdź, że to Ty',
    signingIn: 'Logowanie jako',
    code: 'Kod',
    submit: 'Dalej',
    remember: 'Nie pytaj w tej przeglądarce przez 30 dni',
    totp: {
      lead: 'Wpisz kod wyświetlany przez aplikację uwierzytelniającą.',
      hint: 'Sześć cyfr, nowy kod co 30 sekund',
      choose: 'Użyj aplikacji uwierzytelniającej',
    },
    recovery: {
      lead: 'Wpisz jeden z zachowanych kodów odzyskiwania. Każdy działa tylko raz.',
      hint: 'Litery i cyfry, jak na wydruku',
      choose: 'Użyj kodu odzyskiwania',
    },
    email: {
      lead: 'Wysłaliśmy kod na Twój adres e-mail.',
      ask: 'Możemy wysłać kod na Twój adres e-mail.',
      hint: 'Sześć cyfr z najnowszej wiadomości',
      choose: 'Użyj kodu z e-maila',
      send: 'Wyślij kod',
      sendAgain: 'Wyślij nowy kod',
    },
    passkey: {
      lead: 'Użyj klucza dostępu na tym urządzeniu, na telefonie lub na kluczu bezpieczeństwa.',
      choose: 'Użyj klucza dostępu',
      cancelled: 'Nie użyto klucza dostępu. Spróbuj ponownie lub wybierz inny sposób.',
      unsupported: 'Ta przeglądarka nie obsługuje kluczy dostępu. Wybierz inny sposób.',
    },
    another: 'Wybierz inny sposób',
    anotherTitle: 'Jak chcesz potwierdzić, że to Ty?',
    someoneElse: 'Zaloguj się jako ktoś inny',
    noWay: 'Nie masz już żadnego sposobu potwierdzenia? Operator tej usługi może przywrócić Ci dostęp.',
    errors: {
      code_invalid: 'Ten kod jest błędny, wygasł lub został już użyty.',
      passkey: 'Nie udało się użyć tego klucza dostępu. Spróbuj ponownie lub wybierz inny sposób.',
      too_many_attempts:
        'Było zbyt wiele błędnych prób. Odczekaj pięć minut i spróbuj ponownie. Do tego czasu nic nie przepadnie.',
    },
    otherError: 'Nie udało się. Spróbuj ponownie.',
    expired: {
      title: 'To logowanie się zakończyło',
      body: 'Trwało zbyt długo lub zostało dokończone w innej karcie.',
      submit: 'Zacznij od nowa',
    },
  },

  enrolment: {
    title: 'Zabezpiecz swoje konto',
    lead: 'Ta usługa wymaga oprócz hasła drugiego składnika logowania. Skonfiguruj aplikację uwierzytelniającą w telefonie.',
    start: 'Skonfiguruj aplikację uwierzytelniającą',
    scan: 'Zeskanuj ten obraz aplikacją.',
    picture: 'Kod QR dla aplikacji uwierzytelniającej',
    secret: 'Lub wpisz ten klucz w aplikacji:',
    enter: 'Wpisz kod wyświetlany przez aplikację.',
    code: 'Kod',
    submit: 'Dalej',
    wrong: 'Ten kod jest błędny. Wpisz ten, który aplikacja pokazuje teraz.',
    paused: 'Wpisano zbyt wiele błędnych kodów. Odczekaj pięć minut i spróbuj ponownie.',
  },

  recoveryCodes: {
    title: 'Zachowaj te kody odzyskiwania',
    lead: 'W razie utraty telefonu każdy z nich pozwala zalogować się jeden raz. Nie zostaną pokazane ponownie.',
    copy: 'Kopiuj',
    copied: 'Skopiowano',
    download: 'Pobierz',
    print: 'Drukuj',
    file: 'Kody odzyskiwania – {service}',
    submit: 'Dalej',
  },
}

export default pl
