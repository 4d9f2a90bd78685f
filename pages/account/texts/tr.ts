import type { AccountTexts } from './en.ts'

const tr: Partial<AccountTexts> = {
  area: {
    navigation: 'Hesap',
    skip: 'İçeriğe geç',
    overview: 'Genel bakış',
    security: 'Güvenlik',
    devices: 'Cihazlar',
    applications: 'Uygulamalar',
    profile: 'Profil',
    signOut: 'Oturumu kapat',
  },
  otherProblem: 'Bu işlem başarılı olmadı ve hiçbir şey değişmedi. İzleme kimliği: {trace}',

  choose: {
    title: 'Hesap seçin',
    lead: 'Kim devam etmek istiyor?',
    leadTo: '{client} uygulamasına kim devam etmek istiyor?',
    continueAs: '{name} olarak devam et',
    another: 'Başka bir hesap kullan',
  },

  newPassword: {
    label: 'Yeni parola',
    showCharacters: 'Karakterleri göster',
    capsLock: 'Caps Lock açık',
    hint: 'En az {count} karakter. Arka arkaya birkaç sözcüğü hatırlamak kolay, tahmin etmek zordur.',
    good: 'Bu parola kullanılabilir.',
    errors: {
      password_too_short: 'Lütfen en az {count} karakter girin.',
      password_too_long: 'Bu parola çok uzun.',
      password_similar: 'Bu parola kullanıcı adınıza, adresinize veya bu hizmetin adına çok benziyor.',
      password_common: 'Bu, herkesin ilk denediği parolalardan biri. Başka bir parola seçin.',
      password_breached: 'Bu parola bir veri sızıntısından biliniyor. Başka bir parola seçin.',
    },
    otherError: 'Bu parola kullanılamaz. Başka bir parola seçin.',
  },

  register: {
    title: 'Hesap oluşturun',
    lead: 'Adresinizi onaylamanız için size bir e-posta göndereceğiz.',
    email: 'E-posta adresi',
    username: 'Kullanıcı adı',
    usernameHint: 'isteğe bağlı, e-posta adresiniz yeterli',
    passwordHint: 'Bunun yerine geçiş anahtarı kullanmak için boş bırakın.',
    submit: 'Hesap oluştur',
    toSignIn: 'Var olan hesabınızla oturum açın',
    invited: '{address} adresiyle davet edildiniz. Nasıl oturum açmak istediğinizi seçin.',
    errors: {
      email_invalid: 'Bu bir e-posta adresine benzemiyor.',
      username_invalid:
        'Bu kullanıcı adı kullanılamaz. Harfler, rakamlar ve . _ - karakterleri her zaman kullanılabilir.',
      username_taken: 'Bu kullanıcı adı alınmış. Başka bir ad seçin.',
    },
    otherError: 'Hesap oluşturulamadı. Lütfen yeniden deneyin.',
    closed: {
      title: 'Burada hesap oluşturulamıyor',
      body: 'Kayıt açık değil. Davet edildiyseniz davetin süresi dolmuş veya davet daha önce kullanılmış: Yeni bir davet isteyin.',
    },
  },

  firstPasskey: {
    title: 'Geçiş anahtarı ekleyin',
    lead: 'Hesabınız hazır. Geçiş anahtarıyla, bu cihazın kilidini açtığınız gibi oturum açarsınız: Parola gerekmez.',
    submit: 'Geçiş anahtarı ekle',
    name: '{system} geçiş anahtarı',
    plainName: 'Geçiş anahtarı',
    password: 'Bunun yerine parola seç',
    submitPassword: 'Devam et',
    back: 'Geçiş anahtarına dön',
    unsupported: 'Bu tarayıcı geçiş anahtarı oluşturamıyor. Bunun yerine parola seçin.',
    cancelled: 'Geçiş anahtarı oluşturulmadı. Yeniden deneyin veya bunun yerine parola seçin.',
    failed: 'Geçiş anahtarı kaydedilemedi. Yeniden deneyin veya bunun yerine parola seçin.',
  },

  confirm: {
    code: 'Kod',
    codeHint: 'En yeni e-postadaki altı rakam',
    submit: 'Devam et',
    sendAgain: 'Yeni kod gönder',
    sent: 'Yeni bir e-posta yolda. Önceki kodlar ve bağlantılar artık geçerli değil.',
    notArrived: 'Birkaç dakika sonra hâlâ e-posta gelmedi mi? İstenmeyen e-postalara bakın veya yeni kod gönderin.',
    otherAddress: 'Başka bir adres kullan',
    errors: {
      code_invalid:
        'Bu kod veya bağlantı yanlış, süresi dolmuş veya daha önce kullanılmış. En yeni e-postadaki kodu girin veya yeni kod gönderin.',
      too_many_attempts: 'Çok fazla yanlış kod girildi. Yeni kod gönderin.',
    },
    otherError: 'Bu işlem başarılı olmadı. Yeni kod gönderin.',
    register: {
      title: 'E-posta adresinizi onaylayın',
      lead: 'Size bir e-posta gönderdik. E-postadaki kodu buraya girin veya bağlantıyı açın.',
      leadTo: '{address} adresine bir e-posta gönderdik. E-postadaki kodu buraya girin veya bağlantıyı açın.',
      link: 'Bir adım kaldı: Şimdi hesabınız oluşturulacak.',
    },
    reset: {
      title: 'E-postanıza bakın',
      lead: 'Bir hesap varsa adresine bir e-posta gönderdik. E-postadaki kodu buraya girin veya bağlantıyı açın.',
      leadTo:
        '{address} için bir hesap varsa hesabın adresine bir e-posta gönderdik. E-postadaki kodu buraya girin veya bağlantıyı açın.',
      link: 'Ardından yeni bir parola seçersiniz.',
    },
    email: {
      title: 'Yeni e-posta adresinizi onaylayın',
      lead: 'Yeni adrese bir e-posta gönderdik. E-postadaki kodu buraya girin veya bağlantıyı açın.',
      link: 'Ardından adres hesabınıza ait olur. Önceki adrese bilgi verilir.',
    },
    invite: {
      title: 'Daveti kabul edin',
      lead: 'Sizi davet eden e-postadaki bağlantıyı açın.',
      link: 'Ardından nasıl oturum açmak istediğinizi seçersiniz.',
      error: 'Bu davetin süresi dolmuş veya davet daha önce kullanılmış. Sizi davet eden kişiden yenisini isteyin.',
    },
    undo: {
      title: 'Değişikliği geri alın',
      lead: 'Değişikliği bildiren e-postadaki bağlantıyı açın.',
      link: 'Hesabınız önceki e-posta adresine döner ve tüm oturumlar kapatılır. Ardından yeni bir parola seçersiniz.',
      error:
        'Bu bağlantının süresi dolmuş veya bağlantı daha önce kullanılmış. Bu hizmetin yöneticilerinden yardım isteyin.',
    },
    unknown: {
      title: 'Bu bağlantı eksik',
      body: 'E-postadaki bağlantıyı yeniden açın veya tamamını kopyalayın.',
    },
  },

  forgotPassword: {
    title: 'Parolanızı mı unuttunuz?',
    lead: 'Hesabınızın adresine kod içeren bir e-posta göndereceğiz. Bu kodla yeni bir parola seçersiniz.',
    email: 'E-posta adresi',
    emailHint: 'veya kullanıcı adı',
    submit: 'Devam et',
    submitLabel: 'Devam et ve parolayı sıfırla',
    back: 'Oturum açmaya dön',
    undone:
      'Hesabınız önceki e-posta adresine döndü ve tüm oturumlar kapatıldı. Şimdi yeni bir parola seçin: Eskisini başka biri biliyor olabilir.',
    errors: {
      code_invalid:
        'Kodun veya bağlantının süresi dolmuş ya da daha önce kullanılmış. Yenisini almak için adresinizi yeniden girin.',
    },
    otherError: 'Bu işlem başarılı olmadı. Lütfen yeniden deneyin.',
  },

  resetPassword: {
    title: 'Yeni bir parola seçin',
    lead: 'Eskisinin yerine hemen geçer.',
    revoke: 'Diğer her yerde oturumu kapat ve tüm uygulamaların erişimini sonlandır',
    submit: 'Parolayı sıfırla',
    restart: 'Yeni e-posta gönder',
  },

  secondFactor: {
    title: 'Siz olduğunuzu doğrulayın',
    signingIn: 'Oturum açan hesap',
    code: 'Kod',
    submit: 'Devam et',
    remember: 'Bu tarayıcıda 30 gün boyunca yeniden sorma',
    totp: {
      lead: 'Kimlik doğrulama uygulamanızda görünen kodu girin.',
      hint: 'Altı rakam, her 30 saniyede yeni bir kod',
      choose: 'Kimlik doğrulama uygulamasını kullan',
    },
    recovery: {
      lead: 'Sakladığınız kurtarma kodlarından birini girin. Her kod bir kez kullanılabilir.',
      hint: 'Yazdırıldığı gibi harfler ve rakamlar',
      choose: 'Kurtarma kodu kullan',
    },
    email: {
      lead: 'E-posta adresinize bir kod gönderdik.',
      ask: 'E-posta adresinize bir kod gönderebiliriz.',
      hint: 'En yeni e-postadaki altı rakam',
      choose: 'E-postayla gelen kodu kullan',
      send: 'Kod gönder',
      sendAgain: 'Yeni kod gönder',
    },
    passkey: {
      lead: 'Bu cihazdaki, telefonunuzdaki veya bir güvenlik anahtarındaki geçiş anahtarını kullanın.',
      choose: 'Geçiş anahtarı kullan',
      cancelled: 'Geçiş anahtarı kullanılmadı. Yeniden deneyin veya başka bir yol seçin.',
      unsupported: 'Bu tarayıcı geçiş anahtarlarını kullanamıyor. Başka bir yol seçin.',
    },
    another: 'Başka bir yol seç',
    anotherTitle: 'Siz olduğunuzu nasıl doğrulamak istersiniz?',
    someoneElse: 'Başka biri olarak oturum aç',
    noWay: 'Doğrulama yollarınızın hiçbiri kalmadı mı? Bu hizmetin yöneticileri yeniden girmenize yardımcı olabilir.',
    errors: {
      code_invalid: 'Bu kod yanlış, süresi dolmuş veya daha önce kullanılmış.',
      passkey: 'Bu geçiş anahtarı kullanılamadı. Yeniden deneyin veya başka bir yol seçin.',
      too_many_attempts:
        'Çok fazla hatalı deneme yapıldı. Beş dakika bekleyip yeniden deneyin. Bu sırada hiçbir şey kaybolmaz.',
    },
    otherError: 'Bu işlem başarılı olmadı. Lütfen yeniden deneyin.',
    expired: {
      title: 'Bu oturum açma işlemi sona erdi',
      body: 'Çok uzun sürdü veya başka bir sekmede tamamlandı.',
      submit: 'Baştan başla',
    },
  },

  enrolment: {
    title: 'Hesabınızı koruyun',
    lead: 'Bu hizmet, parolanın yanı sıra ikinci bir doğrulama adımı istiyor. Telefonunuzda bir kimlik doğrulama uygulaması kurun.',
    start: 'Kimlik doğrulama uygulaması kur',
    scan: 'Bu görseli uygulamayla tarayın.',
    picture: 'Kimlik doğrulama uygulaması için QR kodu',
    secret: 'Veya bu anahtarı uygulamaya girin:',
    enter: 'Uygulamada görünen kodu girin.',
    code: 'Kod',
    submit: 'Devam et',
    wrong: 'Bu kod yanlış. Uygulamanın şu anda gösterdiği kodu girin.',
    paused: 'Çok fazla yanlış kod girildi. Beş dakika bekleyip yeniden deneyin.',
  },

  recoveryCodes: {
    title: 'Bu kurtarma kodlarını saklayın',
    lead: 'Telefonunuzu kaybederseniz her biriyle bir kez oturum açabilirsiniz. Kodlar yeniden gösterilmez.',
    copy: 'Kopyala',
    copied: 'Kopyalandı',
    download: 'İndir',
    print: 'Yazdır',
    file: '{service} kurtarma kodları',
    submit: 'Devam et',
  },
}

export default tr
