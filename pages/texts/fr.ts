import type { Texts } from './en.ts'

const fr: Texts = {
  direction: 'ltr',
  windowTitle: '{page} · {service}',
  footer: 'Vous êtes sur {host}',
  language: 'Langue',
  support: 'Aide',
  terms: 'Conditions d’utilisation',
  privacy: 'Confidentialité',

  loading: 'Chargement…',
  tryAgain: 'Réessayer',
  goBack: 'Retour',
  toSignIn: 'Aller à la connexion',
  startAgain: 'Recommencer',
  backToSignIn: 'Revenir à la connexion',
  unreachable: {
    title: 'Impossible de charger cette page',
    body: 'Le service de connexion n’a pas répondu. Vérifiez votre connexion Internet, puis réessayez.',
    inForm:
      'Le service de connexion ne répond pas\u202f: le formulaire ne peut pas encore être envoyé. Vérifiez votre connexion Internet.',
  },
  cookies:
    'Votre navigateur n’enregistre pas les cookies de ce site\u202f: la connexion est donc impossible. Autorisez-les, puis rechargez la page.',
  signedInAs: 'Session ouverte au nom de',
  changed:
    'Une modification a eu lieu dans un autre onglet ou une autre fenêtre. Vérifiez cette page avant de continuer.',

  signIn: {
    title: 'Connexion',
    lead: 'Utilisez votre compte pour continuer.',
    leadTo: 'Connectez-vous pour continuer vers {client}',
    forgotPassword: 'Mot de passe oublié\u202f?',
    createAccount: 'Créer un compte',
    continueAs: 'Continuer en tant que {name}',
    useAnother: 'Utiliser un autre compte',
    signedInNow: 'Votre session est ouverte au nom de {name}.',
    reasons: {
      login: 'Votre session est ouverte au nom de {name}. Pour {client}, saisissez à nouveau votre mot de passe.',
      max_age:
        'Votre session est ouverte au nom de {name}, mais depuis trop longtemps pour {client}. Saisissez à nouveau votre mot de passe.',
      another: 'Votre session est ouverte au nom de {name}, mais {client} demande un autre compte.',
      reauthenticate:
        'Votre session est ouverte au nom de {name}. Par sécurité, saisissez à nouveau votre mot de passe.',
    },
    application: 'l’application',
    username: 'Nom d’utilisateur',
    usernameHint: 'ou adresse e-mail',
    password: 'Mot de passe',
    showCharacters: 'Afficher les caractères',
    capsLock: 'Le verrouillage des majuscules est activé',
    rememberMe: 'Se souvenir de moi',
    submit: 'Se connecter',
    passkey: 'Se connecter avec une clé d’accès',
    passkeyCancelled: 'Aucune clé d’accès n’a été utilisée. Réessayez ou connectez-vous avec votre mot de passe.',
    passkeyRefused:
      'La clé d’accès n’a pas permis de vous connecter. Réessayez ou connectez-vous avec votre mot de passe.',
    again: 'Reconnectez-vous pour continuer.',
    signedOut: 'Déconnexion effectuée',
    signedOutLead: 'Vous pouvez fermer cette page ou vous reconnecter.',
    or: 'ou',
    continueWith: 'Continuer avec {provider}',
    providersUnreachable: 'Les autres moyens de connexion n’ont pas pu être chargés.',
    errors: {
      invalid_credentials:
        'Le nom d’utilisateur ou le mot de passe est incorrect. Après plusieurs échecs, le compte est verrouillé pendant quelques minutes.',
      external_provider_error:
        'L’autre service n’a pas terminé la connexion. Réessayez ou choisissez un autre moyen de connexion.',
      external_login_unavailable: 'Votre connexion avec l’autre service a expiré. Veuillez recommencer.',
      account_locked:
        'Ce compte est actuellement verrouillé. Réessayez dans quelques minutes ou adressez-vous à votre administrateur.',
      account_not_allowed:
        'Ce compte ne permet pas encore de se connecter. Son adresse e-mail doit peut-être encore être confirmée. Si le problème persiste, adressez-vous à votre administrateur.',
      sign_in_expired: 'Cette connexion a pris trop de temps. Veuillez recommencer.',
      external_login_failed:
        'La connexion avec l’autre service a échoué. Réessayez ou choisissez un autre moyen de connexion.',
    },
    otherError: 'La connexion a échoué. Veuillez réessayer.',
  },

  signedIn: {
    title: 'Connexion réussie',
    body: 'Vous pouvez fermer cette page et revenir à votre application.',
    submit: 'Se déconnecter',
    someoneElse: 'Utiliser un autre compte',
  },

  consent: {
    title: '{client} souhaite utiliser votre compte',
    loadingTitle: 'Autoriser l’accès',
    notYou: 'Ce n’est pas vous\u202f?',
    scopes: 'L’application souhaite',
    noScopes: 'L’application souhaite seulement savoir que vous avez ouvert une session.',
    destination: 'Vous continuerez ensuite sur {host}',
    selfRegistered:
      'Cette application n’a pas été vérifiée ici\u202f: elle a choisi elle-même son nom. N’autorisez l’accès que si vous la connaissez.',
    published: 'Cette application est publiée sur {host}.',
    policy: 'Confidentialité',
    terms: 'Conditions d’utilisation',
    contacts: 'Contact',
    allow: 'Autoriser',
    deny: 'Refuser',
    builtInScopes: {
      openid: {
        name: 'Confirmer votre identité',
        description: 'Savoir que vous avez ouvert une session et vous reconnaître la prochaine fois.',
      },
      profile: {
        name: 'Consulter votre profil',
        description: 'Votre nom d’utilisateur et les autres informations de votre profil.',
      },
      email: { name: 'Consulter votre adresse e-mail', description: 'Et savoir si elle est confirmée.' },
      phone: { name: 'Consulter votre numéro de téléphone', description: 'Et savoir s’il est confirmé.' },
      address: { name: 'Consulter votre adresse postale', description: '' },
      roles: { name: 'Consulter vos rôles', description: 'Les rôles qu’un administrateur vous a attribués.' },
      offline_access: {
        name: 'Conserver l’accès en votre absence',
        description: 'Jusqu’à ce que vous le retiriez dans votre compte.',
      },
    },
  },

  device: {
    title: 'Connecter un appareil',
    lead: 'Saisissez le code affiché sur votre appareil.',
    code: 'Code',
    codeHint: 'Huit lettres. La page continue dès qu’elles sont toutes saisies.',
    submit: 'Continuer',
    compare: 'Votre appareil doit afficher ce code\u202f:',
    warning:
      'N’autorisez l’accès que si vous venez de lancer cette opération sur votre propre appareil. Si quelqu’un vous a envoyé le code ou un lien vers cette page, choisissez «\u202fRefuser\u202f»\u202f: cette personne aurait accès à votre compte.',
    errors: {
      code_unknown:
        'Ce code est inconnu, a déjà été utilisé ou a expiré. Comparez-le avec le code affiché sur votre appareil.',
      too_many_tries: 'Trop de codes incorrects ont été saisis. Attendez une minute, puis réessayez.',
    },
    otherError: 'Une erreur s’est produite. Saisissez à nouveau le code.',
    allowed: {
      title: 'Votre appareil est connecté',
      body: 'Vous pouvez fermer cette page et revenir à votre appareil.',
    },
    denied: { title: 'Accès refusé', body: 'L’appareil n’obtient rien. Vous pouvez fermer cette page.' },
    another: 'Connecter un autre appareil',
  },

  signOut: {
    title: 'Se déconnecter\u202f?',
    loadingTitle: 'Déconnexion',
    fromClient: '{client} demande à fermer votre session dans ce navigateur.',
    plain: 'Cela ferme votre session dans ce navigateur.',
    goneTitle: 'Déconnexion effectuée',
    gone: 'Aucun compte n’est connecté ici. Vous pouvez fermer cette page.',
    goneFromClient: 'Aucun compte n’est connecté ici. Encore une étape pour revenir à {client}.',
    continue: 'Continuer',
    continueTo: 'Continuer pour se déconnecter de {client}',
    submit: 'Se déconnecter',
    stay: 'Garder la session ouverte',
  },

  confirm: {
    title: 'Créer votre compte',
    lead: '{provider} vous connaît, mais vous n’avez pas encore de compte ici. Confirmez votre adresse e-mail pour en créer un.',
    identity: 'Identité chez {provider}',
    email: 'Adresse e-mail',
    emailHint: 'Un compte existant n’est jamais associé au moyen de son adresse e-mail.',
    emailLooksWrong: 'Cela ne ressemble pas encore à une adresse e-mail.',
    submit: 'Créer le compte',
    errors: {
      email_invalid: 'Cette adresse e-mail n’est pas valide. Vérifiez-la, puis réessayez.',
      email_in_use:
        'Un compte existe déjà avec cette adresse e-mail. Connectez-vous à ce compte avec son mot de passe ou utilisez une autre adresse.',
      external_login_in_use:
        'Cette identité est déjà associée à un autre compte. Revenez en arrière et connectez-vous à ce compte.',
      registration_failed: 'Le compte n’a pas pu être créé et rien n’a été enregistré. Veuillez réessayer.',
    },
    otherError: 'Le compte n’a pas pu être créé. Veuillez réessayer.',
    expiredTitle: 'Le délai est dépassé',
    expired: 'Par sécurité, une connexion avec un autre service expire au bout de cinq minutes. Veuillez recommencer.',
  },

  notFound: {
    title: 'Page introuvable',
    body: 'Il n’y a rien à cette adresse. Le lien est peut-être ancien ou mal saisi.',
  },

  problem: {
    returnToApplication:
      'Revenez à l’application d’où vous venez et recommencez à partir de là. Si le problème persiste, contactez son assistance.',
    details: 'Détails pour les développeurs',
    error: 'Erreur',
    id: 'Code',
    description: 'Description',
    documentation: 'Documentation',
    traceId: 'ID de trace',
    explanation: 'Ce qui n’allait pas',
    rule: 'Règle',
    why: 'Pourquoi',
    fix: 'Comment y remédier',
    onlyHere:
      'Affiché parce que ce service fonctionne sur votre propre machine. Ailleurs, cela ne figure que dans le journal.',
    copy: 'Copier',
    copied: 'Copié',
    waitSeconds: 'Vous pourrez réessayer dans {seconds}\u202fs.',
    mayRetry: 'Vous pouvez maintenant réessayer.',
    kinds: {
      unregisteredAddress: {
        title: 'Arrêt par mesure de sécurité',
        body: 'L’application voulait vous diriger vers une adresse qui n’est pas enregistrée pour elle.',
      },
      malformedAddress: {
        title: 'Ce lien n’est pas valide',
        body: 'L’application a envoyé une adresse de retour inutilisable.',
      },
      incomplete: {
        title: 'Ce lien est incomplet',
        body: 'L’application vous a envoyé ici sans tout ce qui est nécessaire à la connexion.',
      },
      unknownValue: {
        title: 'Cette demande est inconnue ici',
        body: 'Ce service ne connaît pas l’application ou un élément qu’elle demande.',
      },
      unprotected: {
        title: 'Arrêt par mesure de sécurité',
        body: 'L’application n’a pas protégé sa demande comme ce service l’exige.',
      },
      notPermitted: {
        title: 'L’application n’y est pas autorisée',
        body: 'Elle a demandé quelque chose pour lequel elle n’a pas d’autorisation.',
      },
      unsupported: {
        title: 'L’application a fait une demande inhabituelle',
        body: 'Ce service ne propose pas ce qui a été demandé.',
      },
      otherClient: {
        title: 'Cette demande est incohérente',
        body: 'Elle contient une preuve de connexion établie pour une autre application.',
      },
      denied: {
        title: 'Accès refusé',
        body: 'La demande a été refusée et rien n’a été communiqué.',
      },
      notFound: {
        title: 'Page introuvable',
        body: 'Il n’y a rien à cette adresse. Le lien est peut-être ancien ou mal saisi.',
      },
      tooMany: {
        title: 'Trop de tentatives',
        body: 'De nombreuses tentatives de connexion ont été faites depuis votre réseau en peu de temps. Veuillez patienter un instant.',
      },
      startAgain: {
        title: 'Veuillez recommencer',
        body: 'Votre connexion avec l’autre service a pris trop de temps, était déjà terminée ou a été commencée dans un autre navigateur.',
      },
      expiredForm: {
        title: 'Cette page est restée ouverte trop longtemps',
        body: 'Une modification a eu lieu depuis le chargement de la page\u202f: rien n’a été envoyé. Revenez en arrière, puis réessayez.',
      },
      unavailable: {
        title: 'De retour dans un instant',
        body: 'Le service ne peut pas répondre pour le moment. Réessayez dans un instant.',
      },
      provider: {
        title: 'L’autre service n’a pas répondu',
        body: 'La connexion n’a pas eu lieu et rien n’a été enregistré. Réessayez ou choisissez un autre moyen de connexion.',
      },
      server: {
        title: 'Une erreur s’est produite de notre côté',
        body: 'Vous n’y êtes pour rien. Veuillez réessayer. Si cela se reproduit, transmettez l’ID de trace qui figure dans les détails ci-dessous.',
      },
      generic: {
        title: 'Cette demande n’a pas pu aboutir',
        body: 'L’application vous a envoyé ici avec une demande que ce service ne peut pas accepter.',
      },
    },
  },

  server: {
    loadAgain: 'Recharger',
    needsScripts: {
      title: 'Cette page nécessite JavaScript',
      body: 'Activez-le pour ce site, puis rechargez la page.',
    },
    late: {
      title: 'Le chargement de cette page est long',
      body: 'La connexion Internet est peut-être lente ou interrompue.',
    },
    problems: {
      not_found: {
        title: 'Page introuvable',
        body: 'Il n’y a rien à cette adresse. Le lien est peut-être ancien ou mal saisi.',
      },
      misdirected_request: {
        title: 'Mauvaise adresse',
        body: 'Ce service n’est pas accessible sous ce nom. Utilisez l’adresse indiquée par son exploitant.',
      },
      too_many_requests: {
        title: 'Trop de tentatives',
        body: 'De nombreuses tentatives de connexion ont été faites depuis votre réseau en peu de temps. Patientez un instant, revenez en arrière, puis réessayez.',
      },
      bad_gateway: {
        title: 'L’autre service n’a pas répondu',
        body: 'La connexion n’a pas eu lieu et rien n’a été enregistré. Revenez en arrière, puis réessayez.',
      },
      temporarily_unavailable: {
        title: 'De retour dans un instant',
        body: 'Le service ne peut pas répondre pour le moment. Réessayez dans un instant.',
      },
      server_error: {
        title: 'Une erreur s’est produite de notre côté',
        body: 'Vous n’y êtes pour rien. Veuillez réessayer. Si cela se reproduit, transmettez l’ID de trace qui figure dans les détails ci-dessous.',
      },
      other: {
        title: 'Cette demande n’a pas pu aboutir',
        body: 'L’application vous a envoyé ici avec une demande que ce service ne peut pas accepter. Revenez à l’application d’où vous venez et recommencez à partir de là. Si le problème persiste, contactez son assistance.',
      },
    },
    toSignIn: 'Aller à la connexion',
    details: 'Détails pour les développeurs',
    error: 'Erreur',
    description: 'Description',
    documentation: 'Documentation',
    traceId: 'ID de trace',
    signedOut: {
      title: 'Déconnexion effectuée',
      closing: 'Vous pouvez fermer cette page.',
      leaving: 'Vous allez revenir à l’application.',
      continue: 'Continuer',
    },
  },
}

export default fr
