import type { MailTexts } from './en.ts'

const it: MailTexts = {
  direction: 'ltr',
  common: {
    codeOrLink: 'Oppure inserisci questo codice nella pagina che lo ha richiesto:',
    code: 'Inserisci questo codice nella pagina che lo ha richiesto:',
    valid: 'Utilizzabile una sola volta. Validità: {duration}.',
    link: '{action}:',
    time: 'Data e ora',
    browser: 'Browser',
    address: 'Indirizzo di rete',
    gathered: 'È successo più di una volta in pochi minuti. I dettagli sono quelli dell’ultima volta.',
    footer: '{service} ({host}) ha inviato questa email a {to}. Non ti chiederà mai la password via email.',
  },
  mails: {
    register: {
      subject: 'Conferma il tuo indirizzo email per {service}',
      paragraphs: [
        'Qualcuno, speriamo tu, sta creando un account {service} con questo indirizzo. Conferma che l’indirizzo è tuo.',
        'Se non sei tu, non devi fare nulla: senza la conferma non viene creato alcun account.',
      ],
      action: 'Conferma questo indirizzo',
    },
    register_existing: {
      subject: 'Hai già un account {service}',
      paragraphs: [
        'Qualcuno, speriamo tu, ha cercato di creare un account {service} con questo indirizzo. Esiste già un account che lo usa: accedi come {username}.',
        'Se hai dimenticato la password, scegli «Password dimenticata?» nella pagina di accesso.',
        'Se non l’hai fatto tu, non devi fare nulla: il tuo account non è cambiato.',
      ],
      action: 'Accedi',
    },
    email: {
      subject: 'Conferma il tuo nuovo indirizzo email per {service}',
      paragraphs: [
        'Qualcuno, speriamo tu, vuole usare questo indirizzo per un account {service}. Conferma che l’indirizzo è tuo; fino ad allora non cambia nulla.',
        'Se non ne sai nulla, non devi fare nulla.',
      ],
      action: 'Conferma questo indirizzo',
    },
    email_existing: {
      subject: 'Il tuo indirizzo email su {service}',
      paragraphs: [
        'Qualcuno, speriamo tu, voleva usare questo indirizzo per un altro account {service}. Appartiene già al tuo account {username}.',
        'Non devi fare nulla: il tuo account non è cambiato. Per usare l’indirizzo con l’altro account, cambia prima quello di questo account.',
      ],
    },
    reset: {
      subject: 'Reimposta la tua password per {service}',
      paragraphs: [
        'Qualcuno, speriamo tu, ha chiesto di reimpostare la password del tuo account {username} su {service}.',
        'Se non l’hai fatto tu, non devi fare nulla: la tua password non è cambiata.',
      ],
      action: 'Reimposta la password',
    },
    invite: {
      subject: 'Il tuo invito per {service}',
      paragraphs: ['Hai ricevuto un invito a creare un account {service}. Apri la pagina per scegliere come accedere.'],
      action: 'Accetta l’invito',
    },
    signin: {
      subject: 'Il tuo codice per accedere a {service}',
      paragraphs: [
        'Qualcuno, speriamo tu, sta accedendo al tuo account {username} su {service} e ha bisogno di questo codice.',
        'Se non sei tu, qualcuno conosce la tua password: cambiala. Non comunicare mai il codice a nessuno.',
      ],
    },
    new_browser: {
      subject: 'Nuovo accesso al tuo account {service}',
      paragraphs: [
        'È stato eseguito l’accesso al tuo account {username} da un nuovo browser.',
        'Se non l’hai fatto tu, cambia la password e termina tutte le sessioni.',
      ],
      action: 'Controlla il tuo account',
    },
    passkey_added: {
      subject: 'Una passkey è stata aggiunta al tuo account {service}',
      paragraphs: [
        'Una passkey è stata aggiunta al tuo account {username}. Può essere usata per accedere.',
        'Se non l’hai fatto tu, rimuovila e cambia la password.',
      ],
      action: 'Controlla il tuo account',
    },
    passkey_removed: {
      subject: 'Una passkey è stata rimossa dal tuo account {service}',
      paragraphs: [
        'La passkey aggiunta il {added} è stata rimossa dal tuo account {username}. Non può più essere usata per accedere.',
        'Se non l’hai fatto tu, cambia la password e controlla come è protetto il tuo account.',
      ],
      action: 'Controlla il tuo account',
    },
    passkey_refused: {
      subject: 'Una passkey del tuo account {service} è stata rifiutata',
      paragraphs: [
        'Qualcuno ha cercato di accedere al tuo account {username} con la passkey aggiunta il {added}, ma il suo contatore delle firme è tornato indietro. La passkey potrebbe essere stata copiata, quindi l’accesso è stato rifiutato.',
        'Rimuovi questa passkey e creane una nuova.',
      ],
      action: 'Controlla il tuo account',
    },
    second_factor_on: {
      subject: 'Il secondo fattore del tuo account {service} è stato attivato',
      paragraphs: [
        'D’ora in poi, per accedere al tuo account {username} serve, oltre alla password, un codice di un’app di autenticazione.',
        'Se non l’hai fatto tu, cambia la password e controlla come è protetto il tuo account.',
      ],
      action: 'Controlla il tuo account',
    },
    second_factor_off: {
      subject: 'Il secondo fattore del tuo account {service} è stato disattivato',
      paragraphs: [
        'D’ora in poi, per accedere al tuo account {username} non serve più un codice di un’app di autenticazione.',
        'Se non l’hai fatto tu, cambia la password e riattiva il secondo fattore.',
      ],
      action: 'Controlla il tuo account',
    },
    recovery_code_used: {
      subject: 'Un codice di recupero del tuo account {service} è stato usato',
      paragraphs: [
        'Un codice di recupero è stato usato per accedere al tuo account {username}. Codici di recupero rimasti: {left}.',
        'Se non l’hai fatto tu, cambia la password e crea nuovi codici di recupero.',
      ],
      action: 'Controlla il tuo account',
    },
    recovery_codes_replaced: {
      subject: 'Nuovi codici di recupero per il tuo account {service}',
      paragraphs: [
        'Sono stati creati nuovi codici di recupero per il tuo account {username}. Quelli vecchi non sono più validi.',
        'Se non l’hai fatto tu, cambia la password e crea nuovi codici di recupero.',
      ],
      action: 'Controlla il tuo account',
    },
    password_changed: {
      subject: 'La password del tuo account {service} è stata cambiata',
      paragraphs: [
        'La password del tuo account {username} è stata cambiata.',
        'Se non l’hai fatto tu, reimposta subito la password: scegli «Password dimenticata?» nella pagina di accesso.',
      ],
      action: 'Controlla il tuo account',
    },
    account_claimed: {
      subject: 'L’indirizzo del tuo account {service} è confermato',
      paragraphs: [
        'Con questo indirizzo hai scelto una nuova password per l’account {username}. Nessuno aveva ancora confermato l’indirizzo, quindi da ora l’account è tuo.',
        'Tutto il resto con cui qualcuno poteva accedere è stato rimosso: passkey, account collegati di altri servizi, app di autenticazione e codici di recupero. Tutte le sessioni e gli accessi di tutte le applicazioni sono terminati.',
      ],
      action: 'Controlla il tuo account',
    },
    email_set: {
      subject: 'Il tuo account {service} ha ora questo indirizzo email',
      paragraphs: ['D’ora in poi l’indirizzo email del tuo account {username} è {to}.'],
      action: 'Controlla il tuo account',
    },
    email_change_asked: {
      subject: 'È stato chiesto di cambiare l’indirizzo email del tuo account {service}',
      paragraphs: [
        'Qualcuno che ha effettuato l’accesso al tuo account {username} ha chiesto di cambiarne l’indirizzo email. Non cambia nulla prima della conferma dal nuovo indirizzo.',
        'Se non l’hai fatto tu, cambia la password: la richiesta termina e tutte le altre sessioni vengono chiuse.',
      ],
      action: 'Controlla il tuo account',
    },
    email_changed: {
      subject: 'L’indirizzo email del tuo account {service} è stato cambiato',
      paragraphs: [
        'Il tuo account {username} ora ha un altro indirizzo email. Questa email viene inviata al vecchio indirizzo.',
        'Se non l’hai fatto tu, chiedi subito aiuto a chi gestisce {service}.',
      ],
    },
    email_changed_undo: {
      subject: 'L’indirizzo email del tuo account {service} è stato cambiato',
      paragraphs: [
        'Il tuo account {username} ora ha un altro indirizzo email. Questa email viene inviata al vecchio indirizzo.',
        'Se non l’hai fatto tu, annulla la modifica e poi reimposta la password.',
      ],
      action: 'Annulla la modifica',
    },
    external_login_added: {
      subject: 'Un nuovo metodo di accesso al tuo account {service}',
      paragraphs: [
        'Ora si può accedere al tuo account {username} con {provider}.',
        'Se non l’hai fatto tu, scollega {provider} e cambia la password.',
      ],
      action: 'Controlla il tuo account',
    },
    external_login_removed: {
      subject: 'Un metodo di accesso al tuo account {service} è stato rimosso',
      paragraphs: [
        'Non si può più accedere al tuo account {username} con {provider}.',
        'Se non l’hai fatto tu, cambia la password e controlla come è protetto il tuo account.',
      ],
      action: 'Controlla il tuo account',
    },
    deletion_planned: {
      subject: 'Il tuo account {service} sta per essere eliminato',
      paragraphs: [
        'Il tuo account {username} verrà eliminato in data {when}. Se accedi prima, viene conservato.',
        'Se non l’hai fatto tu, accedi e cambia la password.',
      ],
      action: 'Conserva l’account',
    },
    deleted: {
      subject: 'Il tuo account {service} è stato eliminato',
      paragraphs: ['Il tuo account {username} è stato eliminato con tutto ciò che conteneva.'],
    },
    test: {
      subject: 'Email di prova da {service}',
      paragraphs: ['Questa email è stata inviata con il comando `latchkey mail test`. L’invio delle email funziona.'],
    },
  },
}

export default it
