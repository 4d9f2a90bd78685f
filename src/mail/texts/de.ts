import type { MailTexts } from './en.ts'

const de: MailTexts = {
  direction: 'ltr',
  common: {
    codeOrLink: 'Oder geben Sie diesen Code auf der Seite ein, die danach gefragt hat:',
    code: 'Geben Sie diesen Code auf der Seite ein, die danach gefragt hat:',
    valid: 'Das funktioniert nur einmal. Gültigkeitsdauer: {duration}.',
    link: '{action}:',
    time: 'Zeitpunkt',
    browser: 'Browser',
    address: 'Netzwerkadresse',
    gathered: 'Dies geschah innerhalb weniger Minuten mehr als einmal. Die Angaben sind die vom letzten Mal.',
    footer: '{service} ({host}) hat diese E-Mail an {to} gesendet. Nach Ihrem Passwort fragen wir nie per E-Mail.',
  },
  mails: {
    register: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse für {service}',
      paragraphs: [
        'Jemand – hoffentlich Sie selbst – erstellt mit dieser Adresse ein Konto bei {service}. Bestätigen Sie, dass die Adresse Ihnen gehört.',
        'Wenn Sie das nicht waren, müssen Sie nichts tun: Ohne die Bestätigung entsteht kein Konto.',
      ],
      action: 'Adresse bestätigen',
    },
    register_existing: {
      subject: 'Sie haben bereits ein Konto bei {service}',
      paragraphs: [
        'Jemand – hoffentlich Sie selbst – wollte mit dieser Adresse ein Konto bei {service} erstellen. Mit ihr gibt es bereits ein Konto: Melden Sie sich als {username} an.',
        'Wenn Sie Ihr Passwort vergessen haben, wählen Sie auf der Anmeldeseite „Passwort vergessen?“.',
        'Wenn Sie das nicht waren, müssen Sie nichts tun: Ihr Konto ist unverändert.',
      ],
      action: 'Anmelden',
    },
    email: {
      subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse für {service}',
      paragraphs: [
        'Jemand – hoffentlich Sie selbst – möchte diese Adresse für ein Konto bei {service} verwenden. Bestätigen Sie, dass die Adresse Ihnen gehört. Bis dahin ändert sich nichts.',
        'Wenn Sie davon nichts wissen, müssen Sie nichts tun.',
      ],
      action: 'Adresse bestätigen',
    },
    email_existing: {
      subject: 'Ihre E-Mail-Adresse bei {service}',
      paragraphs: [
        'Jemand – hoffentlich Sie selbst – wollte diese Adresse bei {service} für ein anderes Konto verwenden. Sie gehört bereits zu Ihrem Konto {username}.',
        'Sie müssen nichts tun: Ihr Konto ist unverändert. Wenn Sie die Adresse für das andere Konto verwenden möchten, ändern Sie zuerst die Adresse dieses Kontos.',
      ],
    },
    reset: {
      subject: 'Setzen Sie Ihr Passwort für {service} zurück',
      paragraphs: [
        'Jemand – hoffentlich Sie selbst – möchte das Passwort Ihres Kontos {username} bei {service} zurücksetzen.',
        'Wenn Sie das nicht waren, müssen Sie nichts tun: Ihr Passwort ist unverändert.',
      ],
      action: 'Passwort zurücksetzen',
    },
    invite: {
      subject: 'Einladung zu {service}',
      paragraphs: [
        'Sie sind eingeladen, ein Konto bei {service} zu erstellen. Öffnen Sie die Seite und wählen Sie, wie Sie sich anmelden möchten.',
      ],
      action: 'Einladung annehmen',
    },
    signin: {
      subject: 'Ihr Code für die Anmeldung bei {service}',
      paragraphs: [
        'Jemand – hoffentlich Sie selbst – meldet sich bei {service} mit Ihrem Konto {username} an und benötigt dafür diesen Code.',
        'Wenn Sie das nicht waren, kennt jemand Ihr Passwort: Ändern Sie es. Geben Sie den Code niemals weiter.',
      ],
    },
    new_browser: {
      subject: 'Neue Anmeldung mit Ihrem Konto bei {service}',
      paragraphs: [
        'Mit Ihrem Konto {username} hat sich jemand in einem neuen Browser angemeldet.',
        'Wenn Sie das nicht waren, ändern Sie Ihr Passwort und beenden Sie alle Sitzungen.',
      ],
      action: 'Konto überprüfen',
    },
    passkey_added: {
      subject: 'Ihrem Konto bei {service} wurde ein Passkey hinzugefügt',
      paragraphs: [
        'Ihrem Konto {username} wurde ein Passkey hinzugefügt. Mit ihm ist nun eine Anmeldung möglich.',
        'Wenn Sie das nicht waren, entfernen Sie ihn und ändern Sie Ihr Passwort.',
      ],
      action: 'Konto überprüfen',
    },
    passkey_removed: {
      subject: 'Ein Passkey wurde aus Ihrem Konto bei {service} entfernt',
      paragraphs: [
        'Aus Ihrem Konto {username} wurde der Passkey entfernt, der am {added} hinzugefügt worden war. Mit ihm ist keine Anmeldung mehr möglich.',
        'Wenn Sie das nicht waren, ändern Sie Ihr Passwort und prüfen Sie, wie Ihr Konto geschützt ist.',
      ],
      action: 'Konto überprüfen',
    },
    passkey_refused: {
      subject: 'Ein Passkey Ihres Kontos bei {service} wurde abgelehnt',
      paragraphs: [
        'Jemand wollte sich mit dem Passkey, der am {added} hinzugefügt wurde, bei Ihrem Konto {username} anmelden, aber sein Signaturzähler war zurückgesprungen. Der Passkey wurde möglicherweise kopiert, deshalb wurde die Anmeldung abgelehnt.',
        'Entfernen Sie diesen Passkey und erstellen Sie einen neuen.',
      ],
      action: 'Konto überprüfen',
    },
    second_factor_on: {
      subject: 'Der zweite Faktor Ihres Kontos bei {service} wurde eingeschaltet',
      paragraphs: [
        'Ab jetzt ist für die Anmeldung bei Ihrem Konto {username} neben dem Passwort ein Code aus einer Authenticator-App nötig.',
        'Wenn Sie das nicht waren, ändern Sie Ihr Passwort und prüfen Sie, wie Ihr Konto geschützt ist.',
      ],
      action: 'Konto überprüfen',
    },
    second_factor_off: {
      subject: 'Der zweite Faktor Ihres Kontos bei {service} wurde ausgeschaltet',
      paragraphs: [
        'Ab jetzt ist für die Anmeldung bei Ihrem Konto {username} kein Code aus einer Authenticator-App mehr nötig.',
        'Wenn Sie das nicht waren, ändern Sie Ihr Passwort und schalten Sie den zweiten Faktor wieder ein.',
      ],
      action: 'Konto überprüfen',
    },
    recovery_code_used: {
      subject: 'Ein Wiederherstellungscode Ihres Kontos bei {service} wurde verwendet',
      paragraphs: [
        'Jemand hat sich mit einem Wiederherstellungscode bei Ihrem Konto {username} angemeldet. Verbleibende Wiederherstellungscodes: {left}.',
        'Wenn Sie das nicht waren, ändern Sie Ihr Passwort und erstellen Sie neue Wiederherstellungscodes.',
      ],
      action: 'Konto überprüfen',
    },
    recovery_codes_replaced: {
      subject: 'Neue Wiederherstellungscodes für Ihr Konto bei {service}',
      paragraphs: [
        'Für Ihr Konto {username} wurden neue Wiederherstellungscodes erstellt. Die alten gelten nicht mehr.',
        'Wenn Sie das nicht waren, ändern Sie Ihr Passwort und erstellen Sie neue Wiederherstellungscodes.',
      ],
      action: 'Konto überprüfen',
    },
    password_changed: {
      subject: 'Das Passwort Ihres Kontos bei {service} wurde geändert',
      paragraphs: [
        'Das Passwort Ihres Kontos {username} wurde geändert.',
        'Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück: Wählen Sie auf der Anmeldeseite „Passwort vergessen?“.',
      ],
      action: 'Konto überprüfen',
    },
    account_claimed: {
      subject: 'Die Adresse Ihres Kontos bei {service} ist bestätigt',
      paragraphs: [
        'Sie haben mit dieser Adresse ein neues Passwort für das Konto {username} gesetzt. Bisher hatte niemand die Adresse bestätigt, deshalb gehört das Konto von jetzt an Ihnen.',
        'Alles andere, womit sich jemand anmelden konnte, wurde entfernt: Passkeys, verknüpfte Konten anderer Dienste, die Authenticator-App und Wiederherstellungscodes. Alle Sitzungen und die Zugriffe aller Anwendungen sind beendet.',
      ],
      action: 'Konto überprüfen',
    },
    email_set: {
      subject: 'Ihr Konto bei {service} hat jetzt diese E-Mail-Adresse',
      paragraphs: ['Die E-Mail-Adresse Ihres Kontos {username} ist ab jetzt {to}.'],
      action: 'Konto überprüfen',
    },
    email_change_asked: {
      subject: 'Die E-Mail-Adresse Ihres Kontos bei {service} soll geändert werden',
      paragraphs: [
        'Jemand, der mit Ihrem Konto {username} angemeldet ist, möchte dessen E-Mail-Adresse ändern. Es ändert sich nichts, bevor die neue Adresse das bestätigt.',
        'Wenn Sie das nicht waren, ändern Sie Ihr Passwort: Das beendet die Anfrage und meldet alle anderen ab.',
      ],
      action: 'Konto überprüfen',
    },
    email_changed: {
      subject: 'Die E-Mail-Adresse Ihres Kontos bei {service} wurde geändert',
      paragraphs: [
        'Ihr Konto {username} hat jetzt eine andere E-Mail-Adresse. Diese Nachricht geht an die bisherige Adresse.',
        'Wenn Sie das nicht waren, bitten Sie sofort die Betreiber von {service} um Hilfe.',
      ],
    },
    email_changed_undo: {
      subject: 'Die E-Mail-Adresse Ihres Kontos bei {service} wurde geändert',
      paragraphs: [
        'Ihr Konto {username} hat jetzt eine andere E-Mail-Adresse. Diese Nachricht geht an die bisherige Adresse.',
        'Wenn Sie das nicht waren, machen Sie die Änderung rückgängig und setzen Sie danach Ihr Passwort zurück.',
      ],
      action: 'Änderung rückgängig machen',
    },
    external_login_added: {
      subject: 'Neue Anmeldemöglichkeit für Ihr Konto bei {service}',
      paragraphs: [
        'Bei Ihrem Konto {username} ist jetzt auch die Anmeldung mit {provider} möglich.',
        'Wenn Sie das nicht waren, trennen Sie die Verknüpfung mit {provider} und ändern Sie Ihr Passwort.',
      ],
      action: 'Konto überprüfen',
    },
    external_login_removed: {
      subject: 'Eine Anmeldemöglichkeit Ihres Kontos bei {service} wurde entfernt',
      paragraphs: [
        'Bei Ihrem Konto {username} ist die Anmeldung mit {provider} nicht mehr möglich.',
        'Wenn Sie das nicht waren, ändern Sie Ihr Passwort und prüfen Sie, wie Ihr Konto geschützt ist.',
      ],
      action: 'Konto überprüfen',
    },
    deletion_planned: {
      subject: 'Ihr Konto bei {service} wird bald gelöscht',
      paragraphs: [
        'Ihr Konto {username} wird am {when} gelöscht. Wenn Sie sich vorher anmelden, bleibt es erhalten.',
        'Wenn Sie das nicht waren, melden Sie sich an und ändern Sie Ihr Passwort.',
      ],
      action: 'Konto behalten',
    },
    deleted: {
      subject: 'Ihr Konto bei {service} wurde gelöscht',
      paragraphs: ['Ihr Konto {username} wurde mit allem gelöscht, was dazugehörte.'],
    },
    test: {
      subject: 'Test-E-Mail von {service}',
      paragraphs: ['Diese E-Mail wurde mit dem Befehl `latchkey mail test` gesendet. Der E-Mail-Versand funktioniert.'],
    },
  },
}

export default de
