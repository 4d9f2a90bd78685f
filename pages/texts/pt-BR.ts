import type { Texts } from './en.ts'

const ptBR: Texts = {
  direction: 'ltr',
  windowTitle: '{page} · {service}',
  footer: 'Você está em {host}',
  language: 'Idioma',
  support: 'Ajuda',
  terms: 'Termos de uso',
  privacy: 'Política de privacidade',

  loading: 'Carregando…',
  tryAgain: 'Tentar novamente',
  goBack: 'Voltar',
  toSignIn: 'Ir para o login',
  startAgain: 'Recomeçar',
  backToSignIn: 'Voltar ao login',
  unreachable: {
    title: 'Não foi possível carregar esta página',
    body: 'O serviço de login não respondeu. Verifique sua conexão e tente novamente.',
    inForm:
      'O serviço de login não está respondendo, por isso o formulário ainda não pode ser enviado. Verifique sua conexão.',
  },
  cookies:
    'Seu navegador não está salvando os cookies deste site, por isso não é possível entrar. Permita os cookies e recarregue a página.',
  signedInAs: 'Você entrou como',
  changed: 'Algo mudou em outra aba ou janela. Confira esta página antes de continuar.',

  signIn: {
    title: 'Entrar',
    lead: 'Use sua conta para continuar.',
    leadTo: 'Entre para continuar em {client}',
    forgotPassword: 'Esqueceu a senha?',
    createAccount: 'Criar uma conta',
    continueAs: 'Continuar como {name}',
    useAnother: 'Usar outra conta',
    signedInNow: 'Você entrou como {name}.',
    reasons: {
      login: 'Você entrou como {name}, mas {client} pede que você digite sua senha novamente.',
      max_age: 'Você entrou como {name}, mas já faz tempo demais para {client}. Digite sua senha novamente.',
      another: 'Você entrou como {name}, mas {client} pede outra conta.',
      reauthenticate: 'Você entrou como {name}. Para sua segurança, digite sua senha novamente.',
    },
    application: 'o aplicativo',
    username: 'Nome de usuário',
    usernameHint: 'ou endereço de e-mail',
    password: 'Senha',
    showCharacters: 'Mostrar caracteres',
    capsLock: 'O Caps Lock está ativado',
    rememberMe: 'Lembrar de mim',
    submit: 'Entrar',
    passkey: 'Entrar com uma chave de acesso',
    passkeyCancelled: 'Nenhuma chave de acesso foi usada. Tente novamente ou entre com sua senha.',
    passkeyRefused: 'Não foi possível entrar com a chave de acesso. Tente novamente ou entre com sua senha.',
    again: 'Entre novamente para continuar.',
    signedOut: 'Você saiu da conta',
    signedOutLead: 'Você pode fechar esta página ou entrar novamente.',
    or: 'ou',
    continueWith: 'Continuar com {provider}',
    providersUnreachable: 'Não foi possível carregar outras formas de entrar.',
    errors: {
      invalid_credentials:
        'Nome de usuário ou senha incorretos. Após várias tentativas sem sucesso, a conta é bloqueada por alguns minutos.',
      external_provider_error: 'O outro serviço não concluiu o login. Tente novamente ou use outra forma de entrar.',
      external_login_unavailable: 'Seu login com o outro serviço expirou. Recomece.',
      account_locked:
        'Esta conta está bloqueada no momento. Aguarde alguns minutos e tente novamente ou fale com o administrador.',
      account_not_allowed:
        'Ainda não é possível entrar com esta conta. Talvez falte confirmar o endereço de e-mail. Se isso não mudar, fale com o administrador.',
      sign_in_expired: 'Este login demorou demais. Recomece.',
      external_login_failed: 'O login com o outro serviço falhou. Tente novamente ou use outra forma de entrar.',
    },
    otherError: 'Não foi possível entrar. Tente novamente.',
  },

  signedIn: {
    title: 'Você entrou na sua conta',
    body: 'Você pode fechar esta página e voltar ao aplicativo.',
    submit: 'Sair',
    someoneElse: 'Entrar com outra conta',
  },

  consent: {
    title: '{client} quer usar sua conta',
    loadingTitle: 'Permitir acesso',
    notYou: 'Não é você?',
    scopes: 'O aplicativo pede para',
    noScopes: 'O aplicativo só quer saber que você entrou na sua conta.',
    destination: 'Depois você continua em {host}',
    selfRegistered:
      'Ninguém verificou este aplicativo aqui: ele mesmo escolheu o nome que usa. Permita o acesso somente se você o conhecer.',
    published: 'Este aplicativo é publicado em {host}.',
    policy: 'Política de privacidade',
    terms: 'Termos de uso',
    contacts: 'Contato',
    allow: 'Permitir',
    deny: 'Recusar',
    builtInScopes: {
      openid: {
        name: 'Confirmar quem você é',
        description: 'Saber que você entrou na sua conta e reconhecer você da próxima vez.',
      },
      profile: { name: 'Ver seu perfil', description: 'Seu nome de usuário e o que mais houver no seu perfil.' },
      email: { name: 'Ver seu endereço de e-mail', description: 'E se ele está confirmado.' },
      phone: { name: 'Ver seu número de telefone', description: 'E se ele está confirmado.' },
      address: { name: 'Ver seu endereço postal', description: '' },
      roles: { name: 'Ver suas funções', description: 'As funções que um administrador atribuiu a você.' },
      offline_access: {
        name: 'Manter o acesso na sua ausência',
        description: 'Até que você o revogue na sua conta.',
      },
    },
  },

  device: {
    title: 'Conectar um dispositivo',
    lead: 'Digite o código que aparece no seu dispositivo.',
    code: 'Código',
    codeHint: 'Oito letras. Depois da última, a página continua.',
    submit: 'Continuar',
    compare: 'Seu dispositivo precisa mostrar este código:',
    warning:
      'Permita o acesso somente se você acabou de iniciar este processo no seu próprio dispositivo. Se alguém enviou a você o código ou um link para esta página, escolha “Recusar”: caso contrário, essa pessoa entraria na sua conta.',
    errors: {
      code_unknown: 'Este código não existe, já foi usado ou expirou. Compare-o com o código no seu dispositivo.',
      too_many_tries: 'Houve códigos incorretos demais. Aguarde um minuto e tente novamente.',
    },
    otherError: 'Algo deu errado. Digite o código novamente.',
    allowed: {
      title: 'Seu dispositivo está conectado',
      body: 'Você pode fechar esta página e voltar ao dispositivo.',
    },
    denied: {
      title: 'O acesso não foi concedido',
      body: 'O dispositivo não recebe nada. Você pode fechar esta página.',
    },
    another: 'Conectar outro dispositivo',
  },

  signOut: {
    title: 'Sair da conta?',
    loadingTitle: 'Sair',
    fromClient: '{client} pede para encerrar sua sessão neste navegador.',
    plain: 'Isso encerra sua sessão neste navegador.',
    goneTitle: 'Você saiu da conta',
    gone: 'Nenhuma conta está em uso aqui. Você pode fechar esta página.',
    goneFromClient: 'Nenhuma conta está em uso aqui. Falta um passo para voltar para {client}.',
    continue: 'Continuar',
    continueTo: 'Continuar para sair de {client}',
    submit: 'Sair',
    stay: 'Não sair',
  },

  confirm: {
    title: 'Crie sua conta',
    lead: '{provider} sabe quem você é, mas você ainda não tem uma conta aqui. Confirme seu endereço de e-mail para criar uma.',
    identity: 'Login feito com {provider}',
    email: 'E-mail',
    emailHint: 'Uma conta existente nunca é vinculada pelo endereço de e-mail.',
    emailLooksWrong: 'Isto ainda não parece um endereço de e-mail.',
    submit: 'Criar conta',
    errors: {
      email_invalid: 'Este endereço de e-mail não é válido. Confira e tente novamente.',
      email_in_use:
        'Já existe uma conta com este endereço de e-mail. Entre nessa conta com a senha dela ou use outro endereço.',
      external_login_in_use: 'Este login já pertence a outra conta. Volte e entre nessa conta.',
      registration_failed: 'Não foi possível criar a conta, e nada foi salvo. Tente novamente.',
    },
    otherError: 'Não foi possível criar a conta. Tente novamente.',
    expiredTitle: 'Isso demorou demais',
    expired: 'Para sua segurança, o login com outro serviço expira após cinco minutos. Recomece.',
  },

  notFound: {
    title: 'Página não encontrada',
    body: 'Não há nada neste endereço. O link pode ser antigo ou conter um erro de digitação.',
  },

  problem: {
    returnToApplication:
      'Volte ao aplicativo de onde você veio e recomece por lá. Se o problema continuar, avise o suporte do aplicativo.',
    details: 'Detalhes para desenvolvedores',
    error: 'Erro',
    id: 'Código',
    description: 'Descrição',
    documentation: 'Documentação',
    traceId: 'ID de rastreamento',
    explanation: 'O que estava errado',
    rule: 'Regra',
    why: 'Por quê',
    fix: 'Como corrigir',
    onlyHere:
      'Exibido porque este serviço está sendo executado no seu próprio computador. Em outros casos, isto fica somente no log.',
    copy: 'Copiar',
    copied: 'Copiado',
    waitSeconds: 'Você poderá tentar novamente em {seconds} s.',
    mayRetry: 'Você já pode tentar novamente.',
    kinds: {
      unregisteredAddress: {
        title: 'Paramos para sua segurança',
        body: 'O aplicativo queria levar você a um endereço que não está registrado para ele.',
      },
      malformedAddress: {
        title: 'Este link não é válido',
        body: 'O aplicativo enviou um endereço de retorno que não pode ser usado.',
      },
      incomplete: {
        title: 'Falta algo neste link',
        body: 'O aplicativo trouxe você até aqui sem tudo o que é necessário para o login.',
      },
      unknownValue: {
        title: 'Esta solicitação não é conhecida aqui',
        body: 'O aplicativo, ou algo que ele pede, não está registrado neste serviço.',
      },
      unprotected: {
        title: 'Paramos para sua segurança',
        body: 'O aplicativo não protegeu a solicitação como este serviço exige.',
      },
      notPermitted: {
        title: 'O aplicativo não pode fazer isso',
        body: 'Ele pediu algo para o qual não tem permissão.',
      },
      unsupported: {
        title: 'O aplicativo pediu algo incomum',
        body: 'Este serviço não oferece o que foi pedido.',
      },
      otherClient: {
        title: 'Esta solicitação não é coerente',
        body: 'Ela contém um comprovante de login emitido para outro aplicativo.',
      },
      denied: {
        title: 'O acesso não foi concedido',
        body: 'A solicitação foi recusada, e nada foi compartilhado.',
      },
      notFound: {
        title: 'Página não encontrada',
        body: 'Não há nada neste endereço. O link pode ser antigo ou conter um erro de digitação.',
      },
      tooMany: {
        title: 'Tentativas demais',
        body: 'Houve muitas tentativas de login a partir da sua rede em pouco tempo. Aguarde um momento.',
      },
      startAgain: {
        title: 'Recomece',
        body: 'Seu login com o outro serviço demorou demais, já tinha sido concluído ou foi iniciado em outro navegador.',
      },
      expiredForm: {
        title: 'Esta página ficou aberta por tempo demais',
        body: 'Algo mudou desde que a página foi carregada, por isso nada foi enviado. Volte e tente novamente.',
      },
      unavailable: {
        title: 'Voltamos em instantes',
        body: 'O serviço não pode responder no momento. Tente novamente em instantes.',
      },
      provider: {
        title: 'O outro serviço não respondeu',
        body: 'O login não foi feito, e nada foi salvo. Tente novamente ou use outra forma de entrar.',
      },
      server: {
        title: 'Algo deu errado do nosso lado',
        body: 'Você não fez nada de errado. Tente novamente. Se acontecer de novo, informe o ID de rastreamento que está nos detalhes abaixo.',
      },
      generic: {
        title: 'Não foi possível concluir esta solicitação',
        body: 'O aplicativo trouxe você até aqui com uma solicitação que este serviço não pode aceitar.',
      },
    },
  },

  server: {
    loadAgain: 'Recarregar',
    needsScripts: {
      title: 'Esta página precisa de JavaScript',
      body: 'Ative-o para este site e recarregue a página.',
    },
    late: {
      title: 'Esta página está demorando para carregar',
      body: 'A conexão pode estar lenta ou interrompida.',
    },
    problems: {
      not_found: {
        title: 'Página não encontrada',
        body: 'Não há nada neste endereço. O link pode ser antigo ou conter um erro de digitação.',
      },
      misdirected_request: {
        title: 'Endereço errado',
        body: 'Este serviço não atende por este nome. Use o endereço informado pelo operador do serviço.',
      },
      too_many_requests: {
        title: 'Tentativas demais',
        body: 'Houve muitas tentativas de login a partir da sua rede em pouco tempo. Aguarde um momento, volte e tente novamente.',
      },
      bad_gateway: {
        title: 'O outro serviço não respondeu',
        body: 'O login não foi feito, e nada foi salvo. Volte e tente novamente.',
      },
      temporarily_unavailable: {
        title: 'Voltamos em instantes',
        body: 'O serviço não pode responder no momento. Tente novamente em instantes.',
      },
      server_error: {
        title: 'Algo deu errado do nosso lado',
        body: 'Você não fez nada de errado. Tente novamente. Se acontecer de novo, informe o ID de rastreamento que está nos detalhes abaixo.',
      },
      other: {
        title: 'Não foi possível concluir esta solicitação',
        body: 'O aplicativo trouxe você até aqui com uma solicitação que este serviço não pode aceitar. Volte ao aplicativo de onde você veio e recomece por lá. Se o problema continuar, avise o suporte do aplicativo.',
      },
    },
    toSignIn: 'Ir para o login',
    details: 'Detalhes para desenvolvedores',
    error: 'Erro',
    description: 'Descrição',
    documentation: 'Documentação',
    traceId: 'ID de rastreamento',
    signedOut: {
      title: 'Você saiu da conta',
      closing: 'Você pode fechar esta página.',
      leaving: 'Você está voltando ao aplicativo.',
      continue: 'Continuar',
    },
  },
}

export default ptBR
