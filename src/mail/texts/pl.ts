import type { MailTexts } from './en.ts'

const pl: MailTexts = {
  direction: 'ltr',
  common: {
    codeOrLink: 'Możesz też wpisać ten kod na stronie, która o niego prosi:',
    code: 'Wpisz ten kod na stronie, która o niego prosi:',
    valid: 'Działa tylko raz. Okres ważności: {duration}.',
    link: '{action}:',
    time: 'Czas',
    browser: 'Przeglądarka',
    address: 'Adres sieciowy',
    gathered: 'W ciągu kilku minut zdarzyło się to więcej niż raz. Szczegóły dotyczą ostatniego razu.',
    footer: 'Nadawca: {service} ({host}). Adresat: {to}. Nigdy nie prosimy o hasło w wiadomościach e-mail.',
  },
  mails: {
    register: {
      subject: 'Potwierdź swój adres e-mail – {service}',
      paragraphs: [
        'Ktoś, mamy nadzieję, że Ty, tworzy konto w serwisie {service} z tym adresem. Potwierdź, że adres należy do Ciebie.',
        'Jeśli to nie Ty, nie musisz nic robić: bez potwierdzenia konto nie powstanie.',
      ],
      action: 'Potwierdź adres',
    },
    register_existing: {
      subject: 'Masz już konto w serwisie {service}',
      paragraphs: [
        'Ktoś, mamy nadzieję, że Ty, próbował utworzyć konto w serwisie {service} z tym adresem. Konto z tym adresem już istnieje: zaloguj się jako {username}.',
        'Jeśli nie pamiętasz hasła, wybierz „Nie pamiętasz hasła?” na stronie logowania.',
        'Jeśli to nie Ty, nie musisz nic robić: Twoje konto pozostało bez zmian.',
      ],
      action: 'Zaloguj się',
    },
    email: {
      subject: 'Potwierdź swój nowy adres e-mail – {service}',
      paragraphs: [
        'Ktoś, mamy nadzieję, że Ty, chce używać tego adresu na koncie w serwisie {service}. Potwierdź, że adres należy do Ciebie; do tego czasu nic się nie zmieni.',
        'Jeśli nic o tym nie wiesz, nie musisz nic robić.',
      ],
      action: 'Potwierdź adres',
    },
    email_existing: {
      subject: 'Twój adres e-mail w serwisie {service}',
      paragraphs: [
        'Ktoś, mamy nadzieję, że Ty, próbował przypisać ten adres do innego konta w serwisie {service}. Należy on już do Twojego konta {username}.',
        'Nie musisz nic robić: Twoje konto pozostało bez zmian. Aby użyć tego adresu na innym koncie, najpierw zmień adres tego konta.',
      ],
    },
    reset: {
      subject: 'Zresetuj swoje hasło – {service}',
      paragraphs: [
        'Ktoś, mamy nadzieję, że Ty, chce zresetować hasło do Twojego konta {username} w serwisie {service}.',
        'Jeśli to nie Ty, nie musisz nic robić: Twoje hasło pozostało bez zmian.',
      ],
      action: 'Zresetuj hasło',
    },
    invite: {
      subject: 'Zaproszenie do serwisu {service}',
      paragraphs: ['Zapraszamy do utworzenia konta w serwisie {service}. Otwórz stronę i wybierz sposób logowania.'],
      action: 'Przyjmij zaproszenie',
    },
    signin: {
      subject: 'Twój kod logowania – {service}',
      paragraphs: [
        'Ktoś, mamy nadzieję, że Ty, loguje się na Twoje konto {username} w serwisie {service} i potrzebuje tego kodu.',
        'Jeśli to nie Ty, ktoś zna Twoje hasło: zmień je. Nigdy nikomu nie podawaj tego kodu.',
      ],
    },
    new_browser: {
      subject: 'Nowe logowanie na Twoje konto – {service}',
      paragraphs: [
        'Na Twoje konto {username} zalogowano się w nowej przeglądarce.',
        'Jeśli to nie Ty, zmień hasło i zakończ wszystkie sesje.',
      ],
      action: 'Sprawdź konto',
    },
    passkey_added: {
      subject: 'Do Twojego konta dodano klucz dostępu – {service}',
      paragraphs: [
        'Do Twojego konta {username} dodano klucz dostępu. Można się nim teraz logować.',
        'Jeśli to nie Ty, usuń go i zmień hasło.',
      ],
      action: 'Sprawdź konto',
    },
    passkey_removed: {
      subject: 'Z Twojego konta usunięto klucz dostępu – {service}',
      paragraphs: [
        'Z Twojego konta {username} usunięto klucz dostępu dodany {added}. Nie można się nim już logować.',
        'Jeśli to nie Ty, zmień hasło i sprawdź, jak chronione jest konto.',
      ],
      action: 'Sprawdź konto',
    },
    passkey_refused: {
      subject: 'Odrzucono klucz dostępu do Twojego konta – {service}',
      paragraphs: [
        'Ktoś próbował zalogować się na Twoje konto {username} kluczem dostępu dodanym {added}, ale jego licznik podpisów się cofnął. Klucz mógł zostać skopiowany, dlatego logowanie odrzucono.',
        'Usuń ten klucz dostępu i utwórz nowy.',
      ],
      action: 'Sprawdź konto',
    },
    second_factor_on: {
      subject: 'Włączono drugi składnik logowania na Twoim koncie – {service}',
      paragraphs: [
        'Od teraz logowanie na Twoje konto {username} wymaga oprócz hasła kodu z aplikacji uwierzytelniającej.',
        'Jeśli to nie Ty, zmień hasło i sprawdź, jak chronione jest konto.',
      ],
      action: 'Sprawdź konto',
    },
    second_factor_off: {
      subject: 'Wyłączono drugi składnik logowania na Twoim koncie – {service}',
      paragraphs: [
        'Od teraz logowanie na Twoje konto {username} nie wymaga kodu z aplikacji uwierzytelniającej.',
        'Jeśli to nie Ty, zmień hasło i włącz drugi składnik ponownie.',
      ],
      action: 'Sprawdź konto',
    },
    recovery_code_used: {
      subject: 'Użyto kodu odzyskiwania Twojego konta – {service}',
      paragraphs: [
        'Na Twoje konto {username} zalogowano się kodem odzyskiwania. Liczba pozostałych kodów odzyskiwania: {left}.',
        'Jeśli to nie Ty, zmień hasło i utwórz nowe kody odzyskiwania.',
      ],
      action: 'Sprawdź konto',
    },
    recovery_codes_replaced: {
      subject: 'Nowe kody odzyskiwania Twojego konta – {service}',
      paragraphs: [
        'Dla Twojego konta {username} utworzono nowe kody odzyskiwania. Poprzednie już nie działają.',
        'Jeśli to nie Ty, zmień hasło i utwórz nowe kody odzyskiwania.',
      ],
      action: 'Sprawdź konto',
    },
    password_changed: {
      subject: 'Zmieniono hasło do Twojego konta – {service}',
      paragraphs: [
        'Hasło do Twojego konta {username} zostało zmienione.',
        'Jeśli to nie Ty, natychmiast zresetuj hasło: wybierz „Nie pamiętasz hasła?” na stronie logowania.',
      ],
      action: 'Sprawdź konto',
    },
    account_claimed: {
      subject: 'Adres Twojego konta – {service} – został potwierdzony',
      paragraphs: [
        'Za pomocą tego adresu ustawiono nowe hasło do konta {username}. Nikt wcześniej nie potwierdził tego adresu, więc od teraz konto należy do Ciebie.',
        'Usunięto wszystko inne, czym ktoś mógł się zalogować: klucze dostępu, połączone konta innych usług, aplikację uwierzytelniającą i kody odzyskiwania. Zakończono wszystkie sesje i dostęp wszystkich aplikacji.',
      ],
      action: 'Sprawdź konto',
    },
    email_set: {
      subject: 'Twoje konto ma teraz ten adres e-mail – {service}',
      paragraphs: ['Adres e-mail Twojego konta {username} to od teraz {to}.'],
      action: 'Sprawdź konto',
    },
    email_change_asked: {
      subject: 'Poproszono o zmianę adresu e-mail Twojego konta – {service}',
      paragraphs: [
        'Ktoś, kto jest zalogowany na Twoje konto {username}, poprosił o zmianę jego adresu e-mail. Nic się nie zmieni, dopóki nowy adres tego nie potwierdzi.',
        'Jeśli to nie Ty, zmień hasło: to kończy prośbę i wylogowuje wszystkich pozostałych.',
      ],
      action: 'Sprawdź konto',
    },
    email_changed: {
      subject: 'Zmieniono adres e-mail Twojego konta – {service}',
      paragraphs: [
        'Twoje konto {username} ma teraz inny adres e-mail. Ta wiadomość jest wysyłana na poprzedni adres.',
        'Jeśli to nie Ty, natychmiast poproś o pomoc operatora serwisu {service}.',
      ],
    },
    email_changed_undo: {
      subject: 'Zmieniono adres e-mail Twojego konta – {service}',
      paragraphs: [
        'Twoje konto {username} ma teraz inny adres e-mail. Ta wiadomość jest wysyłana na poprzedni adres.',
        'Jeśli to nie Ty, cofnij zmianę, a następnie zresetuj hasło.',
      ],
      action: 'Cofnij zmianę',
    },
    external_login_added: {
      subject: 'Nowy sposób logowania na Twoje konto – {service}',
      paragraphs: [
        'Na Twoje konto {username} można się teraz zalogować przez {provider}.',
        'Jeśli to nie Ty, odłącz {provider} i zmień hasło.',
      ],
      action: 'Sprawdź konto',
    },
    external_login_removed: {
      subject: 'Usunięto sposób logowania na Twoje konto – {service}',
      paragraphs: [
        'Na Twoje konto {username} nie można się już zalogować przez {provider}.',
        'Jeśli to nie Ty, zmień hasło i sprawdź, jak chronione jest konto.',
      ],
      action: 'Sprawdź konto',
    },
    deletion_planned: {
      subject: 'Twoje konto zostanie wkrótce usunięte – {service}',
      paragraphs: [
        'Twoje konto {username} zostanie usunięte {when}. Aby je zachować, zaloguj się przed tym terminem.',
        'Jeśli to nie Ty, zaloguj się i zmień hasło.',
      ],
      action: 'Zachowaj konto',
    },
    deleted: {
      subject: 'Twoje konto zostało usunięte – {service}',
      paragraphs: ['Twoje konto {username} zostało usunięte wraz ze wszystkim, co do niego należało.'],
    },
    test: {
      subject: 'Wiadomość testowa – {service}',
      paragraphs: ['Tę wiadomość wysłano poleceniem `latchkey mail test`. Poczta działa.'],
    },
  },
}

export default pl
