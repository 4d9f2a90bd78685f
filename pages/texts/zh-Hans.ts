import type { Texts } from './en.ts'

const zhHans: Texts = {
  direction: 'ltr',
  windowTitle: '{page} · {service}',
  footer: '当前网站：{host}',
  language: '语言',
  support: '帮助',
  terms: '服务条款',
  privacy: '隐私政策',

  loading: '正在加载…',
  tryAgain: '重试',
  goBack: '返回',
  toSignIn: '前往登录',
  startAgain: '重新开始',
  backToSignIn: '返回登录',
  unreachable: {
    title: '无法加载此页面',
    body: '登录服务没有响应。请检查网络连接，然后重试。',
    inForm: '登录服务没有响应，暂时无法提交。请检查网络连接。',
  },
  cookies: '您的浏览器未保存此网站的 Cookie，因此无法登录。请允许使用 Cookie，然后重新加载页面。',
  signedInAs: '当前账号',
  changed: '另一个标签页或窗口中的内容已发生变化。请确认后再继续。',

  signIn: {
    title: '登录',
    lead: '请登录您的账号以继续。',
    leadTo: '登录以继续使用 {client}',
    forgotPassword: '忘记密码？',
    createAccount: '创建账号',
    continueAs: '以 {name} 的身份继续',
    useAnother: '使用其他账号',
    signedInNow: '您现在已登录为 {name}。',
    reasons: {
      login: '您已登录为 {name}。{client} 要求您重新输入密码。',
      max_age: '您已登录为 {name}，但对 {client} 而言，登录时间已过久。请重新输入密码。',
      another: '您已登录为 {name}，但 {client} 要求使用其他账号。',
      reauthenticate: '您已登录为 {name}。为了您的账号安全，请重新输入密码。',
    },
    application: '该应用',
    username: '用户名',
    usernameHint: '或电子邮箱',
    password: '密码',
    showCharacters: '显示密码',
    capsLock: '大写锁定已开启',
    rememberMe: '保持登录状态',
    submit: '登录',
    passkey: '使用通行密钥登录',
    passkeyCancelled: '未使用通行密钥。请重试，或使用密码登录。',
    passkeyRefused: '无法使用此通行密钥登录。请重试，或使用密码登录。',
    again: '请重新登录以继续。',
    signedOut: '您已退出登录',
    signedOutLead: '您可以关闭此页面，也可以重新登录。',
    or: '或',
    continueWith: '使用 {provider} 继续',
    providersUnreachable: '无法加载其他登录方式。',
    errors: {
      invalid_credentials: '用户名或密码不正确。多次尝试失败后，账号会被锁定几分钟。',
      external_provider_error: '第三方服务未能完成登录。请重试，或使用其他登录方式。',
      external_login_unavailable: '您在第三方服务的登录已过期。请重新开始。',
      account_locked: '此账号目前已被锁定。请等待几分钟后重试，或联系管理员。',
      account_not_allowed: '此账号尚不能登录，可能是电子邮箱还未验证。如果一直如此，请联系管理员。',
      sign_in_expired: '登录用时过长。请重新开始。',
      external_login_failed: '通过第三方服务登录失败。请重试，或使用其他登录方式。',
    },
    otherError: '登录失败，请重试。',
  },

  signedIn: {
    title: '您已登录',
    body: '您可以关闭此页面并返回应用。',
    submit: '退出登录',
    someoneElse: '使用其他身份登录',
  },

  consent: {
    title: '{client} 请求使用您的账号',
    loadingTitle: '授权访问',
    notYou: '不是您？',
    scopes: '该应用请求以下权限',
    noScopes: '除了确认您已登录之外，该应用不请求任何其他权限。',
    destination: '之后您将前往 {host}',
    selfRegistered: '此应用未经本服务审核，其名称由应用自行设定。请仅在您了解该应用时才允许。',
    published: '此应用发布于 {host}。',
    policy: '隐私政策',
    terms: '服务条款',
    contacts: '联系方式',
    allow: '允许',
    deny: '拒绝',
    builtInScopes: {
      openid: { name: '确认您的身份', description: '获知您已登录，并在下次识别您。' },
      profile: { name: '查看您的个人资料', description: '您的用户名以及个人资料中的其他信息。' },
      email: { name: '查看您的电子邮箱', description: '以及是否已验证。' },
      phone: { name: '查看您的电话号码', description: '以及是否已验证。' },
      address: { name: '查看您的通信地址', description: '' },
      roles: { name: '查看您的角色', description: '管理员分配给您的角色。' },
      offline_access: { name: '在您离开后继续访问', description: '直到您在账号中撤销授权。' },
    },
  },

  device: {
    title: '连接设备',
    lead: '请输入设备上显示的代码。',
    code: '代码',
    codeHint: '共八个字母，输完后将自动继续。',
    submit: '继续',
    compare: '您的设备上应显示以下代码：',
    warning:
      '请仅在您刚刚在自己的设备上发起此操作时才允许。如果是别人将代码或此页面的链接发给您的，请选择“拒绝”，否则对方将能进入您的账号。',
    errors: {
      code_unknown: '此代码不存在、已使用或已过期。请与设备上显示的代码核对。',
      too_many_tries: '输入错误代码的次数过多。请等待一分钟后重试。',
    },
    otherError: '出了点问题。请重新输入代码。',
    allowed: { title: '您的设备已连接', body: '您可以关闭此页面并返回您的设备。' },
    denied: { title: '未授予访问权限', body: '该设备不会获得任何权限。您可以关闭此页面。' },
    another: '连接其他设备',
  },

  signOut: {
    title: '要退出登录吗？',
    loadingTitle: '退出登录',
    fromClient: '{client} 请求结束您在此浏览器中的会话。',
    plain: '这将结束您在此浏览器中的会话。',
    goneTitle: '您已退出登录',
    gone: '此处没有已登录的账号。您可以关闭此页面。',
    goneFromClient: '此处没有已登录的账号。再有一步即可返回 {client}。',
    continue: '继续',
    continueTo: '继续退出 {client}',
    submit: '退出登录',
    stay: '保持登录',
  },

  confirm: {
    title: '创建您的账号',
    lead: '{provider} 已确认您的身份，但您在这里还没有账号。请确认您的电子邮箱以创建账号。',
    identity: '已登录 {provider}',
    email: '电子邮箱',
    emailHint: '系统绝不会通过电子邮箱关联已有账号。',
    emailLooksWrong: '这还不是完整的电子邮箱地址。',
    submit: '创建账号',
    errors: {
      email_invalid: '电子邮箱地址无效。请检查后重试。',
      email_in_use: '已有账号使用此电子邮箱。请使用密码登录该账号，或换用其他邮箱。',
      external_login_in_use: '此登录身份已属于另一个账号。请返回并登录该账号。',
      registration_failed: '无法创建账号，未保存任何内容。请重试。',
    },
    otherError: '无法创建账号，请重试。',
    expiredTitle: '操作已超时',
    expired: '为了您的账号安全，通过第三方服务的登录会在五分钟后过期。请重新开始。',
  },

  notFound: {
    title: '找不到页面',
    body: '此地址没有任何内容。链接可能已失效或输入有误。',
  },

  problem: {
    returnToApplication: '请返回您之前使用的应用，从那里重新开始。如果问题持续出现，请联系该应用的支持团队。',
    details: '供开发者参考的详细信息',
    error: '错误',
    id: '代码',
    description: '说明',
    documentation: '文档',
    traceId: '跟踪 ID',
    explanation: '问题所在',
    rule: '规则',
    why: '原因',
    fix: '解决方法',
    onlyHere: '显示此内容是因为服务在您自己的计算机上运行。在其他环境中，仅记录在日志里。',
    copy: '复制',
    copied: '已复制',
    waitSeconds: '您可以在 {seconds} 秒后重试。',
    mayRetry: '您现在可以重试。',
    kinds: {
      unregisteredAddress: {
        title: '为了您的安全，操作已中止',
        body: '该应用想将您转到一个未登记的地址。',
      },
      malformedAddress: {
        title: '此链接无效',
        body: '该应用发送的返回地址无法使用。',
      },
      incomplete: {
        title: '此链接缺少信息',
        body: '该应用将您转到这里，但未提供登录所需的全部信息。',
      },
      unknownValue: {
        title: '无法识别此请求',
        body: '该应用或其请求的内容未在本服务登记。',
      },
      unprotected: {
        title: '为了您的安全，操作已中止',
        body: '该应用未按本服务的要求保护其请求。',
      },
      notPermitted: {
        title: '该应用无权执行此操作',
        body: '该应用请求了未获许可的内容。',
      },
      unsupported: {
        title: '不支持该应用的请求',
        body: '本服务不提供该应用所请求的功能。',
      },
      otherClient: {
        title: '请求内容不一致',
        body: '请求中包含的登录凭证是为另一个应用签发的。',
      },
      denied: {
        title: '未授予访问权限',
        body: '请求已被拒绝，未共享任何信息。',
      },
      notFound: {
        title: '找不到页面',
        body: '此地址没有任何内容。链接可能已失效或输入有误。',
      },
      tooMany: {
        title: '尝试次数过多',
        body: '您所在的网络在短时间内有大量登录尝试。请稍候。',
      },
      startAgain: {
        title: '请重新开始',
        body: '您在第三方服务的登录用时过长、已经完成，或是在另一个浏览器中开始的。',
      },
      expiredForm: {
        title: '此页面打开时间过长',
        body: '页面加载后情况已发生变化，因此未提交任何内容。请返回并重试。',
      },
      unavailable: {
        title: '服务暂时不可用',
        body: '服务目前无法响应。请稍后重试。',
      },
      provider: {
        title: '第三方服务没有响应',
        body: '您尚未登录，未保存任何内容。请重试，或使用其他登录方式。',
      },
      server: {
        title: '我们这边出了点问题',
        body: '这不是您的操作造成的。请重试；如果再次出现，请提供下方详细信息中的跟踪 ID。',
      },
      generic: {
        title: '无法完成此请求',
        body: '该应用将您转到这里时所带的请求无法被本服务接受。',
      },
    },
  },

  server: {
    loadAgain: '重新加载',
    needsScripts: {
      title: '此页面需要 JavaScript',
      body: '请为此网站启用 JavaScript，然后重新加载页面。',
    },
    late: { title: '页面加载时间较长', body: '网络连接可能缓慢或已中断。' },
    problems: {
      not_found: {
        title: '找不到页面',
        body: '此地址没有任何内容。链接可能已失效或输入有误。',
      },
      misdirected_request: {
        title: '地址错误',
        body: '无法通过此名称访问本服务。请使用服务运营方提供的地址。',
      },
      too_many_requests: {
        title: '尝试次数过多',
        body: '您所在的网络在短时间内有大量登录尝试。请稍候，然后返回并重试。',
      },
      bad_gateway: {
        title: '第三方服务没有响应',
        body: '您尚未登录，未保存任何内容。请返回并重试。',
      },
      temporarily_unavailable: {
        title: '服务暂时不可用',
        body: '服务目前无法响应。请稍后重试。',
      },
      server_error: {
        title: '我们这边出了点问题',
        body: '这不是您的操作造成的。请重试；如果再次出现，请提供下方详细信息中的跟踪 ID。',
      },
      other: {
        title: '无法完成此请求',
        body: '该应用将您转到这里时所带的请求无法被本服务接受。请返回您之前使用的应用，从那里重新开始。如果问题持续出现，请联系该应用的支持团队。',
      },
    },
    toSignIn: '前往登录',
    details: '供开发者参考的详细信息',
    error: '错误',
    description: '说明',
    documentation: '文档',
    traceId: '跟踪 ID',
    signedOut: {
      title: '您已退出登录',
      closing: '您可以关闭此页面。',
      leaving: '即将返回应用。',
      continue: '继续',
    },
  },
}

export default zhHans
