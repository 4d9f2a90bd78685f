import type { Texts } from './en.ts'

const tr: Texts = {
  direction: 'ltr',
  windowTitle: '{page} · {service}',
  footer: 'Bulunduğunuz adres: {host}',
  language: 'Dil',
  support: 'Yardım',
  terms: 'Kullanım koşulları',
  privacy: 'Gizlilik',

  loading: 'Yükleniyor…',
  tryAgain: 'Yeniden dene',
  goBack: 'Geri dön',
  toSignIn: 'Oturum açmaya git',
  startAgain: 'Baştan başla',
  backToSignIn: 'Oturum açmaya dön',
  unreachable: {
    title: 'Bu sayfa yüklenemedi',
    body: 'Oturum açma hizmeti yanıt vermedi. Bağlantınızı kontrol edip yeniden deneyin.',
    inForm: 'Oturum açma hizmeti yanıt vermediği için form henüz gönderilemiyor. Bağlantınızı kontrol edin.',
  },
  cookies:
    'Tarayıcınız bu sitenin çerezlerini kaydetmediği için oturum açılamıyor. Çerezlere izin verip sayfayı yenileyin.',
  signedInAs: 'Oturum açan hesap',
  changed: 'Başka bir sekmede veya pencerede bir değişiklik oldu. Devam etmeden önce lütfen yeniden gözden geçirin.',

  signIn: {
    title: 'Oturum açın',
    lead: 'Devam etmek için hesabınızla oturum açın.',
    leadTo: '{client} uygulamasına devam etmek için oturum açın',
    forgotPassword: 'Parolanızı mı unuttunuz?',
    createAccount: 'Hesap oluştur',
    continueAs: '{name} olarak devam et',
    useAnother: 'Başka bir hesap kullan',
    signedInNow: '{name} olarak oturumunuz açık.',
    reasons: {
      login: '{name} olarak oturumunuz açık. {client}, parolanızı yeniden girmenizi istiyor.',
      max_age:
        '{name} olarak oturumunuz açık. {client} daha yeni açılmış bir oturum istiyor. Lütfen parolanızı yeniden girin.',
      another: '{name} olarak oturumunuz açık. {client} başka bir hesap istiyor.',
      reauthenticate: '{name} olarak oturumunuz açık. Güvenliğiniz için lütfen parolanızı yeniden girin.',
    },
    application: 'Uygulama',
    username: 'Kullanıcı adı',
    usernameHint: 'veya e-posta adresi',
    password: 'Parola',
    showCharacters: 'Karakterleri göster',
    capsLock: 'Caps Lock açık',
    rememberMe: 'Oturumum açık kalsın',
    submit: 'Oturum aç',
    passkey: 'Geçiş anahtarıyla oturum aç',
    passkeyCancelled: 'Geçiş anahtarı kullanılmadı. Yeniden deneyin veya parolanızla oturum açın.',
    passkeyRefused: 'Bu geçiş anahtarıyla oturum açılamadı. Yeniden deneyin veya parolanızla oturum açın.',
    again: 'Devam etmek için lütfen yeniden oturum açın.',
    signedOut: 'Oturumunuz kapatıldı',
    signedOutLead: 'Bu sayfayı kapatabilir veya yeniden oturum açabilirsiniz.',
    or: 'veya',
    continueWith: '{provider} ile devam et',
    providersUnreachable: 'Diğer oturum açma seçenekleri yüklenemedi.',
    errors: {
      invalid_credentials:
        'Kullanıcı adı veya parola yanlış. Birkaç başarısız denemeden sonra hesap birkaç dakikalığına kilitlenir.',
      external_provider_error:
        'Diğer hizmet oturum açma işlemini tamamlamadı. Yeniden deneyin veya başka bir yolla oturum açın.',
      external_login_unavailable: 'Diğer hizmetteki oturum açma işleminizin süresi doldu. Lütfen baştan başlayın.',
      account_locked: 'Bu hesap şu anda kilitli. Birkaç dakika bekleyip yeniden deneyin veya yöneticinize danışın.',
      account_not_allowed:
        'Bu hesapla henüz oturum açılamıyor. E-posta adresinin onaylanması gerekiyor olabilir. Durum değişmezse yöneticinize danışın.',
      sign_in_expired: 'Oturum açma işlemi çok uzun sürdü. Lütfen baştan başlayın.',
      external_login_failed: 'Diğer hizmetle oturum açılamadı. Yeniden deneyin veya başka bir yolla oturum açın.',
    },
    otherError: 'Oturum açılamadı. Lütfen yeniden deneyin.',
  },

  signedIn: {
    title: 'Oturumunuz açıldı',
    body: 'Bu sayfayı kapatıp uygulamanıza dönebilirsiniz.',
    submit: 'Oturumu kapat',
    someoneElse: 'Başka biri olarak oturum aç',
  },

  consent: {
    title: '{client} hesabınızı kullanmak istiyor',
    loadingTitle: 'Erişime izin ver',
    notYou: 'Siz değil misiniz?',
    scopes: 'Uygulamanın istekleri',
    noScopes: 'Uygulama yalnızca oturum açtığınızı bilmek istiyor.',
    destination: 'Sonrasında devam edeceğiniz yer: {host}',
    selfRegistered:
      'Bu uygulamayı burada kimse denetlemedi; adını kendisi seçti. Yalnızca uygulamayı tanıyorsanız izin verin.',
    published: 'Bu uygulama {host} adresinde yayımlanıyor.',
    policy: 'Gizlilik politikası',
    terms: 'Kullanım koşulları',
    contacts: 'İletişim',
    allow: 'İzin ver',
    deny: 'Reddet',
    builtInScopes: {
      openid: {
        name: 'Kim olduğunuzu doğrulamak',
        description: 'Oturum açtığınızı öğrenmek ve bir dahaki sefere sizi tanımak.',
      },
      profile: { name: 'Profilinizi görmek', description: 'Kullanıcı adınız ve profilinizdeki diğer bilgiler.' },
      email: { name: 'E-posta adresinizi görmek', description: 'Onaylanmış olup olmadığıyla birlikte.' },
      phone: { name: 'Telefon numaranızı görmek', description: 'Onaylanmış olup olmadığıyla birlikte.' },
      address: { name: 'Posta adresinizi görmek', description: '' },
      roles: { name: 'Rollerinizi görmek', description: 'Bir yöneticinin size verdiği roller.' },
      offline_access: {
        name: 'Siz yokken de erişimi sürdürmek',
        description: 'Hesabınızdan iptal edene kadar.',
      },
    },
  },

  device: {
    title: 'Cihaz bağlayın',
    lead: 'Cihazınızda görünen kodu girin.',
    code: 'Kod',
    codeHint: 'Sekiz harf. Tamamı yazıldığında sayfa devam eder.',
    submit: 'Devam et',
    compare: 'Cihazınızda şu kod görünmelidir:',
    warning:
      'Yalnızca bu işlemi az önce kendi cihazınızda başlattıysanız izin verin. Kodu veya bu sayfanın bağlantısını size başka biri gönderdiyse “Reddet”i seçin; yoksa o kişi hesabınıza girer.',
    errors: {
      code_unknown: 'Bu kod bilinmiyor, kullanılmış veya süresi dolmuş. Cihazınızdaki kodla karşılaştırın.',
      too_many_tries: 'Çok fazla yanlış kod girildi. Bir dakika bekleyip yeniden deneyin.',
    },
    otherError: 'Bir şeyler ters gitti. Lütfen kodu yeniden girin.',
    allowed: { title: 'Cihazınız bağlandı', body: 'Bu sayfayı kapatıp cihazınıza dönebilirsiniz.' },
    denied: { title: 'Erişim verilmedi', body: 'Cihaza hiçbir şey verilmedi. Bu sayfayı kapatabilirsiniz.' },
    another: 'Başka bir cihaz bağla',
  },

  signOut: {
    title: 'Oturum kapatılsın mı?',
    loadingTitle: 'Oturumu kapatma',
    fromClient: '{client} bu tarayıcıdaki oturumunuzu kapatmak istiyor.',
    plain: 'Bu tarayıcıdaki oturumunuz kapatılır.',
    goneTitle: 'Oturumunuz kapatıldı',
    gone: 'Burada açık bir oturum yok. Bu sayfayı kapatabilirsiniz.',
    goneFromClient: 'Burada açık bir oturum yok. Bir adım sonra {client} uygulamasına dönersiniz.',
    continue: 'Devam et',
    continueTo: 'Devam et ve {client} uygulamasından çık',
    submit: 'Oturumu kapat',
    stay: 'Oturum açık kalsın',
  },

  confirm: {
    title: 'Hesap oluşturun',
    lead: '{provider} kim olduğunuzu biliyor ancak burada henüz bir hesabınız yok. Hesap oluşturmak için e-posta adresinizi onaylayın.',
    identity: '{provider} ile oturum açıldı',
    email: 'E-posta adresi',
    emailHint: 'Var olan bir hesap hiçbir zaman e-posta adresi üzerinden bağlanmaz.',
    emailLooksWrong: 'Bu henüz bir e-posta adresine benzemiyor.',
    submit: 'Hesap oluştur',
    errors: {
      email_invalid: 'Bu e-posta adresi geçerli değil. Lütfen kontrol edip yeniden deneyin.',
      email_in_use:
        'Bu e-posta adresiyle zaten bir hesap var. O hesapta parolasıyla oturum açın veya başka bir adres kullanın.',
      external_login_in_use: 'Bu oturum açma yöntemi zaten başka bir hesaba ait. Geri dönüp o hesapta oturum açın.',
      registration_failed: 'Hesap oluşturulamadı ve hiçbir şey kaydedilmedi. Lütfen yeniden deneyin.',
    },
    otherError: 'Hesap oluşturulamadı. Lütfen yeniden deneyin.',
    expiredTitle: 'Bu işlem çok uzun sürdü',
    expired:
      'Güvenliğiniz için, başka bir hizmetle oturum açma işleminin süresi beş dakika sonra dolar. Lütfen baştan başlayın.',
  },

  notFound: {
    title: 'Sayfa bulunamadı',
    body: 'Bu adreste hiçbir şey yok. Bağlantı eski veya yanlış yazılmış olabilir.',
  },

  problem: {
    returnToApplication:
      'Lütfen geldiğiniz uygulamaya dönüp orada baştan başlayın. Sorun sürerse uygulamanın destek ekibine bildirin.',
    details: 'Geliştiriciler için ayrıntılar',
    error: 'Hata',
    id: 'Kod',
    description: 'Açıklama',
    documentation: 'Belgeler',
    traceId: 'İzleme kimliği',
    explanation: 'Sorun neydi',
    rule: 'Kural',
    why: 'Neden',
    fix: 'Nasıl düzeltilir',
    onlyHere:
      'Bu hizmet kendi bilgisayarınızda çalıştığı için gösteriliyor. Başka yerlerde yalnızca günlükte yer alır.',
    copy: 'Kopyala',
    copied: 'Kopyalandı',
    waitSeconds: '{seconds} sn sonra yeniden deneyebilirsiniz.',
    mayRetry: 'Şimdi yeniden deneyebilirsiniz.',
    kinds: {
      unregisteredAddress: {
        title: 'Güvenliğiniz için durduruldu',
        body: 'Uygulama sizi, kendisi için kayıtlı olmayan bir adrese göndermek istedi.',
      },
      malformedAddress: {
        title: 'Bu bağlantı geçerli değil',
        body: 'Uygulama, kullanılamayan bir dönüş adresi gönderdi.',
      },
      incomplete: {
        title: 'Bu bağlantıda bir şey eksik',
        body: 'Uygulama sizi, oturum açmanız için gereken her şeyi iletmeden buraya gönderdi.',
      },
      unknownValue: {
        title: 'Bu istek burada bilinmiyor',
        body: 'Uygulama veya istediği bir şey bu hizmette kayıtlı değil.',
      },
      unprotected: {
        title: 'Güvenliğiniz için durduruldu',
        body: 'Uygulama, isteğini bu hizmetin gerektirdiği şekilde korumadı.',
      },
      notPermitted: {
        title: 'Uygulamanın buna izni yok',
        body: 'Uygulama, yetkisi olmayan bir şey istedi.',
      },
      unsupported: {
        title: 'Uygulama olağan dışı bir şey istedi',
        body: 'Bu hizmet, isteneni sunmuyor.',
      },
      otherClient: {
        title: 'Bu istek tutarsız',
        body: 'Başka bir uygulama için oluşturulmuş bir oturum açma kanıtı içeriyor.',
      },
      denied: {
        title: 'Erişim verilmedi',
        body: 'İstek reddedildi ve hiçbir şey paylaşılmadı.',
      },
      notFound: {
        title: 'Sayfa bulunamadı',
        body: 'Bu adreste hiçbir şey yok. Bağlantı eski veya yanlış yazılmış olabilir.',
      },
      tooMany: {
        title: 'Çok fazla deneme',
        body: 'Ağınızdan kısa sürede çok sayıda oturum açma denemesi yapıldı. Lütfen biraz bekleyin.',
      },
      startAgain: {
        title: 'Lütfen baştan başlayın',
        body: 'Diğer hizmetteki oturum açma işleminiz çok uzun sürdü, zaten tamamlanmıştı veya başka bir tarayıcıda başlatılmıştı.',
      },
      expiredForm: {
        title: 'Bu sayfa çok uzun süre açık kaldı',
        body: 'Sayfa yüklendikten sonra bir değişiklik olduğu için hiçbir şey gönderilmedi. Geri dönüp yeniden deneyin.',
      },
      unavailable: {
        title: 'Birazdan buradayız',
        body: 'Hizmet şu anda yanıt veremiyor. Lütfen kısa süre sonra yeniden deneyin.',
      },
      provider: {
        title: 'Diğer hizmet yanıt vermedi',
        body: 'Oturumunuz açılmadı ve hiçbir şey kaydedilmedi. Yeniden deneyin veya başka bir yolla oturum açın.',
      },
      server: {
        title: 'Bizden kaynaklanan bir sorun oluştu',
        body: 'Siz yanlış bir şey yapmadınız. Lütfen yeniden deneyin; yine olursa aşağıdaki ayrıntılarda bulunan izleme kimliğini iletin.',
      },
      generic: {
        title: 'Bu istek tamamlanamadı',
        body: 'Uygulama sizi, bu hizmetin kabul edemediği bir istekle buraya gönderdi.',
      },
    },
  },

  server: {
    loadAgain: 'Yeniden yükle',
    needsScripts: {
      title: 'Bu sayfa için JavaScript gerekiyor',
      body: 'Bu site için JavaScript’i açıp sayfayı yeniden yükleyin.',
    },
    late: {
      title: 'Bu sayfanın yüklenmesi uzun sürüyor',
      body: 'Bağlantı yavaş veya kesilmiş olabilir.',
    },
    problems: {
      not_found: {
        title: 'Sayfa bulunamadı',
        body: 'Bu adreste hiçbir şey yok. Bağlantı eski veya yanlış yazılmış olabilir.',
      },
      misdirected_request: {
        title: 'Yanlış adres',
        body: 'Bu hizmete bu adla ulaşılamaz. Lütfen işletmecisinin bildirdiği adresi kullanın.',
      },
      too_many_requests: {
        title: 'Çok fazla deneme',
        body: 'Ağınızdan kısa sürede çok sayıda oturum açma denemesi yapıldı. Lütfen biraz bekleyin, ardından geri dönüp yeniden deneyin.',
      },
      bad_gateway: {
        title: 'Diğer hizmet yanıt vermedi',
        body: 'Oturumunuz açılmadı ve hiçbir şey kaydedilmedi. Lütfen geri dönüp yeniden deneyin.',
      },
      temporarily_unavailable: {
        title: 'Birazdan buradayız',
        body: 'Hizmet şu anda yanıt veremiyor. Lütfen kısa süre sonra yeniden deneyin.',
      },
      server_error: {
        title: 'Bizden kaynaklanan bir sorun oluştu',
        body: 'Siz yanlış bir şey yapmadınız. Lütfen yeniden deneyin. Yine olursa aşağıdaki ayrıntılarda bulunan izleme kimliğini iletin.',
      },
      other: {
        title: 'Bu istek tamamlanamadı',
        body: 'Uygulama sizi, bu hizmetin kabul edemediği bir istekle buraya gönderdi. Lütfen geldiğiniz uygulamaya dönüp orada baştan başlayın. Sorun sürerse uygulamanın destek ekibine bildirin.',
      },
    },
    toSignIn: 'Oturum açmaya git',
    details: 'Geliştiriciler için ayrıntılar',
    error: 'Hata',
    description: 'Açıklama',
    documentation: 'Belgeler',
    traceId: 'İzleme kimliği',
    signedOut: {
      title: 'Oturumunuz kapatıldı',
      closing: 'Bu sayfayı kapatabilirsiniz.',
      leaving: 'Uygulamaya geri yönlendiriliyorsunuz.',
      continue: 'Devam et',
    },
  },
}

export default tr
