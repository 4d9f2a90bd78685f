import type { Texts } from './en.ts'

const es: Texts = {
  direction: 'ltr',
  windowTitle: '{page} · {service}',
  footer: 'Está en {host}',
  language: 'Idioma',
  support: 'Ayuda',
  terms: 'Condiciones de uso',
  privacy: 'Privacidad',

  loading: 'Cargando…',
  tryAgain: 'Reintentar',
  goBack: 'Volver',
  toSignIn: 'Ir al inicio de sesión',
  startAgain: 'Empezar de nuevo',
  backToSignIn: 'Volver al inicio de sesión',
  unreachable: {
    title: 'No se ha podido cargar esta página',
    body: 'El servicio de inicio de sesión no ha respondido. Compruebe la conexión e inténtelo de nuevo.',
    inForm:
      'El servicio de inicio de sesión no responde, por lo que el formulario aún no se puede enviar. Compruebe la conexión.',
  },
  cookies:
    'Su navegador no guarda las cookies de este sitio, por lo que no es posible iniciar sesión. Permítalas y vuelva a cargar la página.',
  signedInAs: 'Sesión iniciada como',
  changed: 'Algo ha cambiado en otra pestaña o ventana. Revise esta página antes de continuar.',

  signIn: {
    title: 'Iniciar sesión',
    lead: 'Utilice su cuenta para continuar.',
    leadTo: 'Inicie sesión para continuar en {client}',
    forgotPassword: '¿Ha olvidado la contraseña?',
    createAccount: 'Crear una cuenta',
    continueAs: 'Continuar como {name}',
    useAnother: 'Utilizar otra cuenta',
    signedInNow: 'Ha iniciado sesión como {name}.',
    reasons: {
      login: 'Ha iniciado sesión como {name}, pero {client} le pide que vuelva a introducir la contraseña.',
      max_age:
        'Ha iniciado sesión como {name}, pero hace demasiado tiempo para {client}. Vuelva a introducir la contraseña.',
      another: 'Ha iniciado sesión como {name}, pero {client} pide otra cuenta.',
      reauthenticate: 'Ha iniciado sesión como {name}. Por seguridad, vuelva a introducir la contraseña.',
    },
    application: 'la aplicación',
    username: 'Nombre de usuario',
    usernameHint: 'o correo electrónico',
    password: 'Contraseña',
    showCharacters: 'Mostrar los caracteres',
    capsLock: 'El bloqueo de mayúsculas está activado',
    rememberMe: 'Recordarme',
    submit: 'Iniciar sesión',
    passkey: 'Iniciar sesión con una llave de acceso',
    passkeyCancelled:
      'No se ha utilizado ninguna llave de acceso. Inténtelo de nuevo o inicie sesión con su contraseña.',
    passkeyRefused:
      'No se ha podido iniciar sesión con la llave de acceso. Inténtelo de nuevo o inicie sesión con su contraseña.',
    again: 'Vuelva a iniciar sesión para continuar.',
    signedOut: 'Se ha cerrado la sesión',
    signedOutLead: 'Puede cerrar esta página o volver a iniciar sesión.',
    or: 'o',
    continueWith: 'Continuar con {provider}',
    providersUnreachable: 'No se han podido cargar otras formas de iniciar sesión.',
    errors: {
      invalid_credentials:
        'El nombre de usuario o la contraseña no son correctos. Tras varios intentos fallidos, la cuenta se bloquea durante unos minutos.',
      external_provider_error:
        'El otro servicio no ha completado el inicio de sesión. Inténtelo de nuevo o inicie sesión de otra forma.',
      external_login_unavailable: 'Su inicio de sesión con el otro servicio ha caducado. Empiece de nuevo.',
      account_locked:
        'Esta cuenta está bloqueada en este momento. Espere unos minutos e inténtelo de nuevo, o consulte a su administrador.',
      account_not_allowed:
        'Todavía no se puede iniciar sesión con esta cuenta. Puede que falte confirmar su dirección de correo electrónico. Si la situación no cambia, consulte a su administrador.',
      sign_in_expired: 'Este inicio de sesión ha tardado demasiado. Empiece de nuevo.',
      external_login_failed:
        'El inicio de sesión con el otro servicio ha fallado. Inténtelo de nuevo o inicie sesión de otra forma.',
    },
    otherError: 'No se ha podido iniciar sesión. Inténtelo de nuevo.',
  },

  signedIn: {
    title: 'Ha iniciado sesión',
    body: 'Puede cerrar esta página y volver a su aplicación.',
    submit: 'Cerrar sesión',
    someoneElse: 'Iniciar sesión con otra cuenta',
  },

  consent: {
    title: '{client} quiere utilizar su cuenta',
    loadingTitle: 'Permitir el acceso',
    notYou: '¿No es usted?',
    scopes: 'Pide permiso para',
    noScopes: 'Solo pide saber que usted ha iniciado sesión.',
    destination: 'Después continuará en {host}',
    selfRegistered:
      'Nadie ha comprobado aquí esta aplicación: ella misma ha elegido su nombre. Permita el acceso solo si la conoce.',
    published: 'Esta aplicación está publicada en {host}.',
    policy: 'Privacidad',
    terms: 'Condiciones de uso',
    contacts: 'Contacto',
    allow: 'Permitir',
    deny: 'Rechazar',
    builtInScopes: {
      openid: {
        name: 'Confirmar su identidad',
        description: 'Saber que usted ha iniciado sesión y reconocerle la próxima vez.',
      },
      profile: { name: 'Ver su perfil', description: 'Su nombre de usuario y lo demás que contenga su perfil.' },
      email: { name: 'Ver su dirección de correo electrónico', description: 'Y si está confirmada.' },
      phone: { name: 'Ver su número de teléfono', description: 'Y si está confirmado.' },
      address: { name: 'Ver su dirección postal', description: '' },
      roles: { name: 'Ver sus roles', description: 'Los roles que le ha asignado un administrador.' },
      offline_access: {
        name: 'Mantener el acceso en su ausencia',
        description: 'Hasta que usted lo retire en su cuenta.',
      },
    },
  },

  device: {
    title: 'Conectar un dispositivo',
    lead: 'Introduzca el código que muestra su dispositivo.',
    code: 'Código',
    codeHint: 'Ocho letras. Al escribir la última, la página continúa.',
    submit: 'Continuar',
    compare: 'Su dispositivo debe mostrar este código:',
    warning:
      'Permita el acceso solo si acaba de iniciar este proceso en su propio dispositivo. Si alguien le ha enviado el código o un enlace a esta página, elija «Rechazar»: de lo contrario, esa persona entraría en su cuenta.',
    errors: {
      code_unknown:
        'Este código no existe, ya se ha utilizado o ha caducado. Compárelo con el código de su dispositivo.',
      too_many_tries: 'Se han introducido demasiados códigos incorrectos. Espere un minuto e inténtelo de nuevo.',
    },
    otherError: 'Algo ha ido mal. Vuelva a introducir el código.',
    allowed: {
      title: 'Su dispositivo está conectado',
      body: 'Puede cerrar esta página y volver a su dispositivo.',
    },
    denied: {
      title: 'No se ha dado acceso',
      body: 'El dispositivo no recibe nada. Puede cerrar esta página.',
    },
    another: 'Conectar otro dispositivo',
  },

  signOut: {
    title: '¿Cerrar sesión?',
    loadingTitle: 'Cerrar sesión',
    fromClient: '{client} pide cerrar su sesión en este navegador.',
    plain: 'Se cerrará su sesión en este navegador.',
    goneTitle: 'Se ha cerrado la sesión',
    gone: 'Aquí no hay ninguna sesión iniciada. Puede cerrar esta página.',
    goneFromClient: 'Aquí no hay ninguna sesión iniciada. Falta un paso para volver a {client}.',
    continue: 'Continuar',
    continueTo: 'Continuar para cerrar la sesión de {client}',
    submit: 'Cerrar sesión',
    stay: 'Mantener la sesión abierta',
  },

  confirm: {
    title: 'Crear su cuenta',
    lead: '{provider} sabe quién es usted, pero aquí todavía no tiene cuenta. Confirme su dirección de correo electrónico para crearla.',
    identity: 'Sesión iniciada con {provider}',
    email: 'Correo electrónico',
    emailHint: 'Una cuenta existente nunca se vincula por su dirección de correo electrónico.',
    emailLooksWrong: 'Todavía no parece una dirección de correo electrónico.',
    submit: 'Crear cuenta',
    errors: {
      email_invalid: 'La dirección de correo electrónico no es válida. Revísela e inténtelo de nuevo.',
      email_in_use:
        'Ya existe una cuenta con esta dirección de correo electrónico. Inicie sesión en ella con su contraseña o utilice otra dirección.',
      external_login_in_use: 'Este inicio de sesión ya pertenece a otra cuenta. Vuelva atrás e inicie sesión en ella.',
      registration_failed: 'No se ha podido crear la cuenta y no se ha guardado nada. Inténtelo de nuevo.',
    },
    otherError: 'No se ha podido crear la cuenta. Inténtelo de nuevo.',
    expiredTitle: 'Ha pasado demasiado tiempo',
    expired: 'Por seguridad, el inicio de sesión con otro servicio caduca al cabo de cinco minutos. Empiece de nuevo.',
  },

  notFound: {
    title: 'Página no encontrada',
    body: 'No hay nada en esta dirección. Es posible que el enlace sea antiguo o esté mal escrito.',
  },

  problem: {
    returnToApplication:
      'Vuelva a la aplicación de la que viene y empiece allí de nuevo. Si el problema persiste, avise a su equipo de asistencia.',
    details: 'Detalles para desarrolladores',
    error: 'Error',
    id: 'Código',
    description: 'Descripción',
    documentation: 'Documentación',
    traceId: 'ID de seguimiento',
    explanation: 'Qué ha fallado',
    rule: 'Regla',
    why: 'Por qué',
    fix: 'Cómo solucionarlo',
    onlyHere:
      'Se muestra porque este servicio se ejecuta en su propio equipo. En otros casos solo figura en el registro.',
    copy: 'Copiar',
    copied: 'Copiado',
    waitSeconds: 'Podrá intentarlo de nuevo en {seconds} s.',
    mayRetry: 'Ya puede intentarlo de nuevo.',
    kinds: {
      unregisteredAddress: {
        title: 'Nos hemos detenido por su seguridad',
        body: 'La aplicación quería enviarle a una dirección que no tiene registrada.',
      },
      malformedAddress: {
        title: 'Este enlace no es válido',
        body: 'La aplicación ha enviado una dirección de retorno que no se puede utilizar.',
      },
      incomplete: {
        title: 'A este enlace le falta algo',
        body: 'La aplicación le ha enviado aquí sin todo lo necesario para iniciar sesión.',
      },
      unknownValue: {
        title: 'Esta solicitud no se conoce aquí',
        body: 'La aplicación, o algo de lo que pide, no está registrado en este servicio.',
      },
      unprotected: {
        title: 'Nos hemos detenido por su seguridad',
        body: 'La aplicación no ha protegido su solicitud como exige este servicio.',
      },
      notPermitted: {
        title: 'La aplicación no puede hacer esto',
        body: 'Ha pedido algo para lo que no tiene permiso.',
      },
      unsupported: {
        title: 'La aplicación ha pedido algo inusual',
        body: 'Este servicio no ofrece lo que se ha pedido.',
      },
      otherClient: {
        title: 'Esta solicitud no es coherente',
        body: 'Contiene una prueba de inicio de sesión emitida para otra aplicación.',
      },
      denied: {
        title: 'No se ha dado acceso',
        body: 'La solicitud se ha rechazado y no se ha compartido nada.',
      },
      notFound: {
        title: 'Página no encontrada',
        body: 'No hay nada en esta dirección. Es posible que el enlace sea antiguo o esté mal escrito.',
      },
      tooMany: {
        title: 'Demasiados intentos',
        body: 'Ha habido muchos intentos de inicio de sesión desde su red en poco tiempo. Espere un momento.',
      },
      startAgain: {
        title: 'Empiece de nuevo',
        body: 'Su inicio de sesión con el otro servicio ha tardado demasiado, ya había terminado o se inició en otro navegador.',
      },
      expiredForm: {
        title: 'Esta página ha estado abierta demasiado tiempo',
        body: 'Algo ha cambiado desde que se cargó la página, por lo que no se ha enviado nada. Vuelva atrás e inténtelo de nuevo.',
      },
      unavailable: {
        title: 'Volvemos enseguida',
        body: 'El servicio no puede responder en este momento. Inténtelo de nuevo en breve.',
      },
      provider: {
        title: 'El otro servicio no ha respondido',
        body: 'No se ha iniciado sesión y no se ha guardado nada. Inténtelo de nuevo o inicie sesión de otra forma.',
      },
      server: {
        title: 'Algo ha fallado por nuestra parte',
        body: 'Usted no ha hecho nada mal. Inténtelo de nuevo. Si vuelve a ocurrir, facilite el ID de seguimiento que figura en los detalles de abajo.',
      },
      generic: {
        title: 'No se ha podido completar esta solicitud',
        body: 'La aplicación le ha enviado aquí con una solicitud que este servicio no puede aceptar.',
      },
    },
  },

  server: {
    loadAgain: 'Volver a cargar',
    needsScripts: {
      title: 'Esta página necesita JavaScript',
      body: 'Actívelo para este sitio y vuelva a cargar la página.',
    },
    late: {
      title: 'Esta página tarda en cargarse',
      body: 'Es posible que la conexión sea lenta o se haya interrumpido.',
    },
    problems: {
      not_found: {
        title: 'Página no encontrada',
        body: 'No hay nada en esta dirección. Es posible que el enlace sea antiguo o esté mal escrito.',
      },
      misdirected_request: {
        title: 'Dirección incorrecta',
        body: 'Este servicio no responde a este nombre. Utilice la dirección que le ha indicado su operador.',
      },
      too_many_requests: {
        title: 'Demasiados intentos',
        body: 'Ha habido muchos intentos de inicio de sesión desde su red en poco tiempo. Espere un momento, vuelva atrás e inténtelo de nuevo.',
      },
      bad_gateway: {
        title: 'El otro servicio no ha respondido',
        body: 'No se ha iniciado sesión y no se ha guardado nada. Vuelva atrás e inténtelo de nuevo.',
      },
      temporarily_unavailable: {
        title: 'Volvemos enseguida',
        body: 'El servicio no puede responder en este momento. Inténtelo de nuevo en breve.',
      },
      server_error: {
        title: 'Algo ha fallado por nuestra parte',
        body: 'Usted no ha hecho nada mal. Inténtelo de nuevo. Si vuelve a ocurrir, facilite el ID de seguimiento que figura en los detalles de abajo.',
      },
      other: {
        title: 'No se ha podido completar esta solicitud',
        body: 'La aplicación le ha enviado aquí con una solicitud que este servicio no puede aceptar. Vuelva a la aplicación de la que viene y empiece allí de nuevo. Si el problema persiste, avise a su equipo de asistencia.',
      },
    },
    toSignIn: 'Ir al inicio de sesión',
    details: 'Detalles para desarrolladores',
    error: 'Error',
    description: 'Descripción',
    documentation: 'Documentación',
    traceId: 'ID de seguimiento',
    signedOut: {
      title: 'Se ha cerrado la sesión',
      closing: 'Puede cerrar esta página.',
      leaving: 'Va a volver a la aplicación.',
      continue: 'Continuar',
    },
  },
}

export default es
