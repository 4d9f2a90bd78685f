import type { MailTexts } from './en.ts'

const nl: MailTexts = {
  direction: 'ltr',
  common: {
    codeOrLink: 'Of voer deze code in op de pagina die erom vroeg:',
    code: 'Voer deze code in op de pagina die erom vroeg:',
    valid: 'Dit werkt één keer en is {duration} geldig.',
    link: '{action}:',
    time: 'Tijdstip',
    browser: 'Browser',
    address: 'Netwerkadres',
    gathered: 'Dit is binnen enkele minuten meer dan eens gebeurd. De gegevens zijn die van de laatste keer.',
    footer: '{service} ({host}) heeft deze e-mail gestuurd naar {to}. We vragen nooit per e-mail om je wachtwoord.',
  },
  mails: {
    register: {
      subject: 'Bevestig je e-mailadres voor {service}',
      paragraphs: [
        'Iemand – hopelijk jijzelf – maakt met dit adres een account aan bij {service}. Bevestig dat het adres van jou is.',
        'Was jij dit niet? Dan hoef je niets te doen: zonder de bevestiging wordt er geen account aangemaakt.',
      ],
      action: 'Adres bevestigen',
    },
    register_existing: {
      subject: 'Je hebt al een account bij {service}',
      paragraphs: [
        'Iemand – hopelijk jijzelf – probeerde met dit adres een account aan te maken bij {service}. Er is al een account met dit adres: log in als {username}.',
        'Ben je je wachtwoord vergeten? Kies dan ‘Wachtwoord vergeten?’ op de inlogpagina.',
        'Was jij dit niet? Dan hoef je niets te doen: je account is niet gewijzigd.',
      ],
      action: 'Inloggen',
    },
    email: {
      subject: 'Bevestig je nieuwe e-mailadres voor {service}',
      paragraphs: [
        'Iemand – hopelijk jijzelf – wil dit adres gebruiken voor een account bij {service}. Bevestig dat het adres van jou is; tot die tijd verandert er niets.',
        'Weet je hier niets van? Dan hoef je niets te doen.',
      ],
      action: 'Adres bevestigen',
    },
    email_existing: {
      subject: 'Je e-mailadres bij {service}',
      paragraphs: [
        'Iemand – hopelijk jijzelf – wilde dit adres gebruiken voor een ander account bij {service}. Het hoort al bij je account {username}.',
        'Je hoeft niets te doen: je account is niet gewijzigd. Wil je het adres voor het andere account gebruiken, wijzig dan eerst het adres van dit account.',
      ],
    },
    reset: {
      subject: 'Stel je wachtwoord voor {service} opnieuw in',
      paragraphs: [
        'Iemand – hopelijk jijzelf – wil het wachtwoord van je account {username} bij {service} opnieuw instellen.',
        'Was jij dit niet? Dan hoef je niets te doen: je wachtwoord is niet gewijzigd.',
      ],
      action: 'Wachtwoord opnieuw instellen',
    },
    invite: {
      subject: 'Je bent uitgenodigd voor {service}',
      paragraphs: [
        'Je bent uitgenodigd om een account aan te maken bij {service}. Open de pagina en kies hoe je wilt inloggen.',
      ],
      action: 'Uitnodiging accepteren',
    },
    signin: {
      subject: 'Je code om in te loggen bij {service}',
      paragraphs: [
        'Iemand – hopelijk jijzelf – logt in op je account {username} bij {service} en heeft deze code nodig.',
        'Was jij dit niet? Dan kent iemand je wachtwoord: wijzig het. Geef de code nooit aan iemand anders.',
      ],
    },
    new_browser: {
      subject: 'Er is ingelogd op je account bij {service} vanuit een nieuwe browser',
      paragraphs: [
        'Er is vanuit een nieuwe browser ingelogd op je account {username}.',
        'Was jij dit niet? Wijzig dan je wachtwoord en beëindig alle sessies.',
      ],
      action: 'Account controleren',
    },
    passkey_added: {
      subject: 'Er is een passkey toegevoegd aan je account bij {service}',
      paragraphs: [
        'Er is een passkey toegevoegd aan je account {username}. Er kan nu mee worden ingelogd.',
        'Was jij dit niet? Verwijder de passkey dan en wijzig je wachtwoord.',
      ],
      action: 'Account controleren',
    },
    passkey_removed: {
      subject: 'Er is een passkey verwijderd uit je account bij {service}',
      paragraphs: [
        'De passkey die op {added} was toegevoegd, is verwijderd uit je account {username}. Er kan niet meer mee worden ingelogd.',
        'Was jij dit niet? Wijzig dan je wachtwoord en controleer hoe je account is beveiligd.',
      ],
      action: 'Account controleren',
    },
    passkey_refused: {
      subject: 'Een passkey van je account bij {service} is geweigerd',
      paragraphs: [
        'Iemand probeerde met de passkey die op {added} was toegevoegd in te loggen op je account {username}, maar de handtekeningteller stond lager dan eerder. De passkey is mogelijk gekopieerd. Daarom is het inloggen geweigerd.',
        'Verwijder deze passkey en maak een nieuwe aan.',
      ],
      action: 'Account controleren',
    },
    second_factor_on: {
      subject: 'De tweede stap van je account bij {service} is ingeschakeld',
      paragraphs: [
        'Vanaf nu is voor inloggen op je account {username} naast het wachtwoord een code uit een authenticator-app nodig.',
        'Was jij dit niet? Wijzig dan je wachtwoord en controleer hoe je account is beveiligd.',
      ],
      action: 'Account controleren',
    },
    second_factor_off: {
      subject: 'De tweede stap van je account bij {service} is uitgeschakeld',
      paragraphs: [
        'Vanaf nu is voor inloggen op je account {username} geen code uit een authenticator-app meer nodig.',
        'Was jij dit niet? Wijzig dan je wachtwoord en schakel de tweede stap weer in.',
      ],
      action: 'Account controleren',
    },
    recovery_code_used: {
      subject: 'Er is een herstelcode van je account bij {service} gebruikt',
      paragraphs: [
        'Er is met een herstelcode ingelogd op je account {username}. Aantal herstelcodes dat overblijft: {left}.',
        'Was jij dit niet? Wijzig dan je wachtwoord en maak nieuwe herstelcodes.',
      ],
      action: 'Account controleren',
    },
    recovery_codes_replaced: {
      subject: 'Nieuwe herstelcodes voor je account bij {service}',
      paragraphs: [
        'Er zijn nieuwe herstelcodes gemaakt voor je account {username}. De oude werken niet meer.',
        'Was jij dit niet? Wijzig dan je wachtwoord en maak nieuwe herstelcodes.',
      ],
      action: 'Account controleren',
    },
    password_changed: {
      subject: 'Het wachtwoord van je account bij {service} is gewijzigd',
      paragraphs: [
        'Het wachtwoord van je account {username} is gewijzigd.',
        'Was jij dit niet? Stel je wachtwoord dan meteen opnieuw in: kies ‘Wachtwoord vergeten?’ op de inlogpagina.',
      ],
      action: 'Account controleren',
    },
    account_claimed: {
      subject: 'Het adres van je account bij {service} is bevestigd',
      paragraphs: [
        'Je hebt met dit adres een nieuw wachtwoord ingesteld voor het account {username}. Niemand had het adres eerder bevestigd, dus het account is vanaf nu van jou.',
        'Al het andere waarmee iemand kon inloggen is verwijderd: passkeys, gekoppelde accounts van andere diensten, de authenticator-app en herstelcodes. Alle sessies en de toegang van alle applicaties zijn beëindigd.',
      ],
      action: 'Account controleren',
    },
    email_set: {
      subject: 'Je account bij {service} heeft nu dit e-mailadres',
      paragraphs: ['Het e-mailadres van je account {username} is vanaf nu {to}.'],
      action: 'Account controleren',
    },
    email_change_asked: {
      subject: 'Er is gevraagd het e-mailadres van je account bij {service} te wijzigen',
      paragraphs: [
        'Iemand die bij je account {username} is ingelogd, heeft gevraagd het e-mailadres te wijzigen. Er verandert niets voordat het nieuwe adres dit bevestigt.',
        'Was jij dit niet? Wijzig dan je wachtwoord: dat beëindigt het verzoek en meldt alle anderen af.',
      ],
      action: 'Account controleren',
    },
    email_changed: {
      subject: 'Het e-mailadres van je account bij {service} is gewijzigd',
      paragraphs: [
        'Je account {username} heeft nu een ander e-mailadres. Deze e-mail gaat naar het oude adres.',
        'Was jij dit niet? Vraag dan meteen hulp aan de beheerders van {service}.',
      ],
    },
    email_changed_undo: {
      subject: 'Het e-mailadres van je account bij {service} is gewijzigd',
      paragraphs: [
        'Je account {username} heeft nu een ander e-mailadres. Deze e-mail gaat naar het oude adres.',
        'Was jij dit niet? Maak de wijziging dan ongedaan en stel daarna je wachtwoord opnieuw in.',
      ],
      action: 'Wijziging ongedaan maken',
    },
    external_login_added: {
      subject: 'Nieuwe manier om in te loggen op je account bij {service}',
      paragraphs: [
        'Je kunt nu ook met {provider} inloggen op je account {username}.',
        'Was jij dit niet? Ontkoppel {provider} dan en wijzig je wachtwoord.',
      ],
      action: 'Account controleren',
    },
    external_login_removed: {
      subject: 'Een manier om in te loggen op je account bij {service} is verwijderd',
      paragraphs: [
        'Je kunt niet meer met {provider} inloggen op je account {username}.',
        'Was jij dit niet? Wijzig dan je wachtwoord en controleer hoe je account is beveiligd.',
      ],
      action: 'Account controleren',
    },
    deletion_planned: {
      subject: 'Je account bij {service} wordt binnenkort verwijderd',
      paragraphs: [
        'Je account {username} wordt verwijderd op {when}. Log je voor die tijd in, dan blijft het bestaan.',
        'Was jij dit niet? Log dan in en wijzig je wachtwoord.',
      ],
      action: 'Account behouden',
    },
    deleted: {
      subject: 'Je account bij {service} is verwijderd',
      paragraphs: ['Je account {username} is verwijderd, met alles wat erbij hoorde.'],
    },
    test: {
      subject: 'Testmail van {service}',
      paragraphs: ['Deze e-mail is verstuurd met de opdracht `latchkey mail test`. E-mail werkt.'],
    },
  },
}

export default nl
