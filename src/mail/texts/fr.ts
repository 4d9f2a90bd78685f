import type { MailTexts } from './en.ts'

const fr: MailTexts = {
  direction: 'ltr',
  common: {
    codeOrLink: 'Ou saisissez ce code sur la page qui l’a demandé\u202f:',
    code: 'Saisissez ce code sur la page qui l’a demandé\u202f:',
    valid: 'Utilisable une seule fois, pendant {duration}.',
    link: '{action}\u202f:',
    time: 'Date et heure',
    browser: 'Navigateur',
    address: 'Adresse réseau',
    gathered: 'Cela s’est produit plus d’une fois en quelques minutes. Les détails sont ceux de la dernière fois.',
    footer:
      'Cet e-mail a été envoyé à {to} par {service} ({host}), qui ne vous demande jamais votre mot de passe par e-mail.',
  },
  mails: {
    register: {
      subject: 'Confirmez votre adresse e-mail pour {service}',
      paragraphs: [
        'Quelqu’un, sans doute vous, crée un compte {service} avec cette adresse. Confirmez qu’elle vous appartient.',
        'Si ce n’est pas vous, vous n’avez rien à faire\u202f: sans confirmation, aucun compte n’est créé.',
      ],
      action: 'Confirmer cette adresse',
    },
    register_existing: {
      subject: 'Vous avez déjà un compte {service}',
      paragraphs: [
        'Quelqu’un, sans doute vous, a voulu créer un compte {service} avec cette adresse. Un compte l’utilise déjà\u202f: connectez-vous avec le nom d’utilisateur {username}.',
        'Si vous avez oublié votre mot de passe, choisissez «\u202fMot de passe oublié\u202f?\u202f» sur la page de connexion.',
        'Si ce n’est pas vous, vous n’avez rien à faire\u202f: votre compte n’a pas changé.',
      ],
      action: 'Se connecter',
    },
    email: {
      subject: 'Confirmez votre nouvelle adresse e-mail pour {service}',
      paragraphs: [
        'Quelqu’un, sans doute vous, souhaite utiliser cette adresse pour un compte {service}. Confirmez qu’elle vous appartient. D’ici là, rien ne change.',
        'Si vous n’êtes pas au courant, vous n’avez rien à faire.',
      ],
      action: 'Confirmer cette adresse',
    },
    email_existing: {
      subject: 'Votre adresse e-mail chez {service}',
      paragraphs: [
        'Quelqu’un, sans doute vous, a voulu utiliser cette adresse pour un autre compte {service}. Elle appartient déjà à votre compte {username}.',
        'Vous n’avez rien à faire\u202f: votre compte n’a pas changé. Pour utiliser cette adresse avec l’autre compte, changez d’abord celle de ce compte.',
      ],
    },
    reset: {
      subject: 'Réinitialisez votre mot de passe {service}',
      paragraphs: [
        'Quelqu’un, sans doute vous, a demandé la réinitialisation du mot de passe de votre compte {username} chez {service}.',
        'Si ce n’est pas vous, vous n’avez rien à faire\u202f: votre mot de passe n’a pas changé.',
      ],
      action: 'Réinitialiser le mot de passe',
    },
    invite: {
      subject: 'Votre invitation à rejoindre {service}',
      paragraphs: [
        'Vous recevez une invitation à créer un compte {service}. Ouvrez la page pour choisir votre moyen de connexion.',
      ],
      action: 'Accepter l’invitation',
    },
    signin: {
      subject: 'Votre code de connexion à {service}',
      paragraphs: [
        'Quelqu’un, sans doute vous, se connecte à votre compte {username} chez {service} et a besoin de ce code.',
        'Si ce n’est pas vous, quelqu’un connaît votre mot de passe\u202f: changez-le. Ne communiquez jamais ce code à personne.',
      ],
    },
    new_browser: {
      subject: 'Nouvelle connexion à votre compte {service}',
      paragraphs: [
        'Une connexion à votre compte {username} a eu lieu depuis un nouveau navigateur.',
        'Si ce n’était pas vous, changez votre mot de passe et fermez toutes les sessions.',
      ],
      action: 'Vérifier votre compte',
    },
    passkey_added: {
      subject: 'Une clé d’accès a été ajoutée à votre compte {service}',
      paragraphs: [
        'Une clé d’accès a été ajoutée à votre compte {username}. Elle permet de s’y connecter.',
        'Si ce n’était pas vous, supprimez-la et changez votre mot de passe.',
      ],
      action: 'Vérifier votre compte',
    },
    passkey_removed: {
      subject: 'Une clé d’accès a été supprimée de votre compte {service}',
      paragraphs: [
        'La clé d’accès ajoutée le {added} a été supprimée de votre compte {username}. Elle ne permet plus de s’y connecter.',
        'Si ce n’était pas vous, changez votre mot de passe et vérifiez la protection de votre compte.',
      ],
      action: 'Vérifier votre compte',
    },
    passkey_refused: {
      subject: 'Une clé d’accès de votre compte {service} a été refusée',
      paragraphs: [
        'Quelqu’un a essayé de se connecter à votre compte {username} avec la clé d’accès ajoutée le {added}, mais son compteur de signatures a reculé. La clé a peut-être été copiée\u202f: la connexion a donc été refusée.',
        'Supprimez cette clé d’accès et créez-en une nouvelle.',
      ],
      action: 'Vérifier votre compte',
    },
    second_factor_on: {
      subject: 'Le second facteur de votre compte {service} a été activé',
      paragraphs: [
        'Désormais, la connexion à votre compte {username} demande un code d’une application d’authentification en plus du mot de passe.',
        'Si ce n’était pas vous, changez votre mot de passe et vérifiez la protection de votre compte.',
      ],
      action: 'Vérifier votre compte',
    },
    second_factor_off: {
      subject: 'Le second facteur de votre compte {service} a été désactivé',
      paragraphs: [
        'Désormais, la connexion à votre compte {username} ne demande plus de code d’une application d’authentification.',
        'Si ce n’était pas vous, changez votre mot de passe et réactivez le second facteur.',
      ],
      action: 'Vérifier votre compte',
    },
    recovery_code_used: {
      subject: 'Un code de récupération de votre compte {service} a été utilisé',
      paragraphs: [
        'Un code de récupération a servi à se connecter à votre compte {username}. Codes de récupération restants\u202f: {left}.',
        'Si ce n’était pas vous, changez votre mot de passe et créez de nouveaux codes de récupération.',
      ],
      action: 'Vérifier votre compte',
    },
    recovery_codes_replaced: {
      subject: 'Nouveaux codes de récupération pour votre compte {service}',
      paragraphs: [
        'De nouveaux codes de récupération ont été créés pour votre compte {username}. Les anciens ne fonctionnent plus.',
        'Si ce n’était pas vous, changez votre mot de passe et créez de nouveaux codes de récupération.',
      ],
      action: 'Vérifier votre compte',
    },
    password_changed: {
      subject: 'Le mot de passe de votre compte {service} a été changé',
      paragraphs: [
        'Le mot de passe de votre compte {username} a été changé.',
        'Si ce n’était pas vous, réinitialisez immédiatement votre mot de passe\u202f: choisissez «\u202fMot de passe oublié\u202f?\u202f» sur la page de connexion.',
      ],
      action: 'Vérifier votre compte',
    },
    account_claimed: {
      subject: 'L’adresse de votre compte {service} est confirmée',
      paragraphs: [
        'Avec cette adresse, vous avez choisi un nouveau mot de passe pour le compte {username}. Personne n’avait encore confirmé l’adresse\u202f: le compte est désormais le vôtre.',
        'Tous les autres moyens de s’y connecter ont été supprimés\u202f: clés d’accès, comptes d’autres services, application d’authentification et codes de récupération. Toutes les sessions et les accès de toutes les applications ont pris fin.',
      ],
      action: 'Vérifier votre compte',
    },
    email_set: {
      subject: 'Cette adresse e-mail est désormais celle de votre compte {service}',
      paragraphs: ['L’adresse e-mail de votre compte {username} est désormais {to}.'],
      action: 'Vérifier votre compte',
    },
    email_change_asked: {
      subject: 'Une demande de changement de l’adresse e-mail de votre compte {service}',
      paragraphs: [
        'Une personne connectée à votre compte {username} a demandé à en changer l’adresse e-mail. Rien ne change avant la confirmation depuis la nouvelle adresse.',
        'Si ce n’était pas vous, changez votre mot de passe : la demande prend fin et toutes les autres sessions sont fermées.',
      ],
      action: 'Vérifier votre compte',
    },
    email_changed: {
      subject: 'L’adresse e-mail de votre compte {service} a été changée',
      paragraphs: [
        'Votre compte {username} a maintenant une autre adresse e-mail. Cet e-mail est envoyé à l’ancienne adresse.',
        'Si ce n’était pas vous, demandez immédiatement de l’aide aux responsables de {service}.',
      ],
    },
    email_changed_undo: {
      subject: 'L’adresse e-mail de votre compte {service} a été changée',
      paragraphs: [
        'Votre compte {username} a maintenant une autre adresse e-mail. Cet e-mail est envoyé à l’ancienne adresse.',
        'Si ce n’était pas vous, annulez ce changement, puis réinitialisez votre mot de passe.',
      ],
      action: 'Annuler le changement',
    },
    external_login_added: {
      subject: 'Nouveau moyen de connexion à votre compte {service}',
      paragraphs: [
        'Votre compte {username} est désormais accessible en se connectant avec {provider}.',
        'Si ce n’était pas vous, dissociez {provider} et changez votre mot de passe.',
      ],
      action: 'Vérifier votre compte',
    },
    external_login_removed: {
      subject: 'Un moyen de connexion à votre compte {service} a été supprimé',
      paragraphs: [
        'Votre compte {username} n’est plus accessible en se connectant avec {provider}.',
        'Si ce n’était pas vous, changez votre mot de passe et vérifiez la protection de votre compte.',
      ],
      action: 'Vérifier votre compte',
    },
    deletion_planned: {
      subject: 'Votre compte {service} va bientôt être supprimé',
      paragraphs: [
        'Votre compte {username} sera supprimé le {when}. Pour le conserver, il suffit de vous connecter avant.',
        'Si ce n’était pas vous, connectez-vous et changez votre mot de passe.',
      ],
      action: 'Conserver le compte',
    },
    deleted: {
      subject: 'Votre compte {service} a été supprimé',
      paragraphs: ['Votre compte {username} a été supprimé avec tout ce qui lui appartenait.'],
    },
    test: {
      subject: 'E-mail de test de {service}',
      paragraphs: ['Cet e-mail a été envoyé avec la commande `latchkey mail test`. L’envoi des e-mails fonctionne.'],
    },
  },
}

export default fr
