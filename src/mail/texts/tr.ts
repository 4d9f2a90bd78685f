import type { MailTexts } from './en.ts'

const tr: MailTexts = {
  direction: 'ltr',
  common: {
    codeOrLink: 'Veya bu kodu, isteyen sayfaya girin:',
    code: 'Bu kodu, isteyen sayfaya girin:',
    valid: 'Yalnızca bir kez kullanılabilir. Geçerlilik süresi: {duration}.',
    link: '{action}:',
    time: 'Zaman',
    browser: 'Tarayıcı',
    address: 'Ağ adresi',
    gathered: 'Bu, birkaç dakika içinde birden fazla kez oldu. Ayrıntılar son seferkine aittir.',
    footer: 'Bu e-postayı {service} ({host}) gönderdi. Alıcı: {to}. Parolanız e-postayla hiçbir zaman istenmez.',
  },
  mails: {
    register: {
      subject: '{service} için e-posta adresinizi onaylayın',
      paragraphs: [
        'Biri (umarız sizsinizdir) bu adresle {service} hizmetinde bir hesap oluşturuyor. Adresin size ait olduğunu onaylayın.',
        'Bunu siz yapmadıysanız bir şey yapmanız gerekmez: Onay olmadan hesap oluşturulmaz.',
      ],
      action: 'Adresi onayla',
    },
    register_existing: {
      subject: '{service} hizmetinde zaten bir hesabınız var',
      paragraphs: [
        'Biri (umarız sizsinizdir) bu adresle {service} hizmetinde bir hesap oluşturmak istedi. Bu adresle zaten bir hesap var: {username} olarak oturum açın.',
        'Parolanızı unuttuysanız oturum açma sayfasında “Parolanızı mı unuttunuz?” bağlantısını seçin.',
        'Bunu siz yapmadıysanız bir şey yapmanız gerekmez: Hesabınızda değişiklik olmadı.',
      ],
      action: 'Oturum aç',
    },
    email: {
      subject: '{service} için yeni e-posta adresinizi onaylayın',
      paragraphs: [
        'Biri (umarız sizsinizdir) bu adresi {service} hizmetindeki bir hesap için kullanmak istiyor. Adresin size ait olduğunu onaylayın; o zamana kadar hiçbir şey değişmez.',
        'Bundan haberiniz yoksa bir şey yapmanız gerekmez.',
      ],
      action: 'Adresi onayla',
    },
    email_existing: {
      subject: '{service} hizmetindeki e-posta adresiniz',
      paragraphs: [
        'Biri (umarız sizsinizdir) bu adresi {service} hizmetindeki başka bir hesap için kullanmak istedi. Adres zaten {username} hesabınıza ait.',
        'Bir şey yapmanız gerekmez: Hesabınızda değişiklik olmadı. Adresi diğer hesapta kullanmak için önce bu hesabın adresini değiştirin.',
      ],
    },
    reset: {
      subject: '{service} parolanızı sıfırlayın',
      paragraphs: [
        'Biri (umarız sizsinizdir) {service} hizmetindeki {username} hesabınızın parolasını sıfırlamak istedi.',
        'Bunu siz yapmadıysanız bir şey yapmanız gerekmez: Parolanız değişmedi.',
      ],
      action: 'Parolayı sıfırla',
    },
    invite: {
      subject: '{service} için davetiniz var',
      paragraphs: [
        '{service} hizmetinde bir hesap oluşturmaya davet edildiniz. Sayfayı açıp nasıl oturum açacağınızı seçin.',
      ],
      action: 'Daveti kabul et',
    },
    signin: {
      subject: '{service} oturum açma kodunuz',
      paragraphs: [
        'Biri (umarız sizsinizdir) {service} hizmetindeki {username} hesabınızda oturum açıyor ve bu koda ihtiyaç duyuyor.',
        'Bunu siz yapmıyorsanız biri parolanızı biliyor demektir: Parolanızı değiştirin. Kodu hiçbir zaman kimseyle paylaşmayın.',
      ],
    },
    new_browser: {
      subject: '{service} hesabınızda yeni bir oturum açıldı',
      paragraphs: [
        '{username} hesabınızda yeni bir tarayıcıdan oturum açıldı.',
        'Bunu siz yapmadıysanız parolanızı değiştirin ve tüm oturumları kapatın.',
      ],
      action: 'Hesabı gözden geçir',
    },
    passkey_added: {
      subject: '{service} hesabınıza bir geçiş anahtarı eklendi',
      paragraphs: [
        '{username} hesabınıza bir geçiş anahtarı eklendi. Artık bu anahtarla oturum açılabilir.',
        'Bunu siz yapmadıysanız anahtarı kaldırın ve parolanızı değiştirin.',
      ],
      action: 'Hesabı gözden geçir',
    },
    passkey_removed: {
      subject: '{service} hesabınızdan bir geçiş anahtarı kaldırıldı',
      paragraphs: [
        'Şu tarihte eklenen geçiş anahtarı {username} hesabınızdan kaldırıldı: {added}. Artık bu anahtarla oturum açılamaz.',
        'Bunu siz yapmadıysanız parolanızı değiştirin ve hesabınızın nasıl korunduğunu kontrol edin.',
      ],
      action: 'Hesabı gözden geçir',
    },
    passkey_refused: {
      subject: '{service} hesabınızın bir geçiş anahtarı reddedildi',
      paragraphs: [
        'Biri, şu tarihte eklenen geçiş anahtarıyla {username} hesabınızda oturum açmak istedi: {added}. Anahtarın imza sayacı geri gitmişti. Anahtar kopyalanmış olabileceği için oturum açma isteği reddedildi.',
        'Bu geçiş anahtarını kaldırıp yeni bir tane oluşturun.',
      ],
      action: 'Hesabı gözden geçir',
    },
    second_factor_on: {
      subject: '{service} hesabınızda ikinci doğrulama adımı açıldı',
      paragraphs: [
        'Artık {username} hesabınızda oturum açmak için parolanın yanı sıra kimlik doğrulama uygulamasından bir kod gerekiyor.',
        'Bunu siz yapmadıysanız parolanızı değiştirin ve hesabınızın nasıl korunduğunu kontrol edin.',
      ],
      action: 'Hesabı gözden geçir',
    },
    second_factor_off: {
      subject: '{service} hesabınızda ikinci doğrulama adımı kapatıldı',
      paragraphs: [
        'Artık {username} hesabınızda oturum açmak için kimlik doğrulama uygulamasından kod gerekmiyor.',
        'Bunu siz yapmadıysanız parolanızı değiştirin ve ikinci doğrulama adımını yeniden açın.',
      ],
      action: 'Hesabı gözden geçir',
    },
    recovery_code_used: {
      subject: '{service} hesabınızın bir kurtarma kodu kullanıldı',
      paragraphs: [
        '{username} hesabınızda bir kurtarma koduyla oturum açıldı. Kalan kurtarma kodu sayısı: {left}.',
        'Bunu siz yapmadıysanız parolanızı değiştirin ve yeni kurtarma kodları oluşturun.',
      ],
      action: 'Hesabı gözden geçir',
    },
    recovery_codes_replaced: {
      subject: '{service} hesabınız için yeni kurtarma kodları',
      paragraphs: [
        '{username} hesabınız için yeni kurtarma kodları oluşturuldu. Eskileri artık geçerli değil.',
        'Bunu siz yapmadıysanız parolanızı değiştirin ve yeni kurtarma kodları oluşturun.',
      ],
      action: 'Hesabı gözden geçir',
    },
    password_changed: {
      subject: '{service} hesabınızın parolası değiştirildi',
      paragraphs: [
        '{username} hesabınızın parolası değiştirildi.',
        'Bunu siz yapmadıysanız parolanızı hemen sıfırlayın: Oturum açma sayfasında “Parolanızı mı unuttunuz?” bağlantısını seçin.',
      ],
      action: 'Hesabı gözden geçir',
    },
    account_claimed: {
      subject: '{service} hesabınızın adresi doğrulandı',
      paragraphs: [
        'Bu adresle {username} hesabı için yeni bir parola belirlediniz. Adresi daha önce kimse doğrulamamıştı; bu nedenle hesap artık sizindir.',
        'Bu hesapta oturum açmaya yarayan diğer her şey kaldırıldı: geçiş anahtarları, diğer hizmetlerin bağlı hesapları, kimlik doğrulama uygulaması ve kurtarma kodları. Tüm oturumlar ve tüm uygulamaların erişimi sona erdi.',
      ],
      action: 'Hesabı gözden geçir',
    },
    email_set: {
      subject: '{service} hesabınızın e-posta adresi artık bu',
      paragraphs: ['{username} hesabınızın e-posta adresi bundan böyle {to}.'],
      action: 'Hesabı gözden geçir',
    },
    email_change_asked: {
      subject: '{service} hesabınızın e-posta adresinin değiştirilmesi istendi',
      paragraphs: [
        '{username} hesabınızda oturum açmış biri, hesabın e-posta adresinin değiştirilmesini istedi. Yeni adres onaylamadan hiçbir şey değişmez.',
        'Bunu siz yapmadıysanız parolanızı değiştirin: Böylece istek sona erer ve diğer herkesin oturumu kapatılır.',
      ],
      action: 'Hesabı gözden geçir',
    },
    email_changed: {
      subject: '{service} hesabınızın e-posta adresi değiştirildi',
      paragraphs: [
        '{username} hesabınızın artık başka bir e-posta adresi var. Bu e-posta eski adrese gönderilmiştir.',
        'Bunu siz yapmadıysanız hemen {service} yöneticilerinden yardım isteyin.',
      ],
    },
    email_changed_undo: {
      subject: '{service} hesabınızın e-posta adresi değiştirildi',
      paragraphs: [
        '{username} hesabınızın artık başka bir e-posta adresi var. Bu e-posta eski adrese gönderilmiştir.',
        'Bunu siz yapmadıysanız değişikliği geri alın, ardından parolanızı sıfırlayın.',
      ],
      action: 'Değişikliği geri al',
    },
    external_login_added: {
      subject: '{service} hesabınız için yeni bir oturum açma yolu',
      paragraphs: [
        '{username} hesabınızda artık {provider} ile de oturum açılabilir.',
        'Bunu siz yapmadıysanız {provider} bağlantısını kaldırın ve parolanızı değiştirin.',
      ],
      action: 'Hesabı gözden geçir',
    },
    external_login_removed: {
      subject: '{service} hesabınızdan bir oturum açma yolu kaldırıldı',
      paragraphs: [
        '{username} hesabınızda artık {provider} ile oturum açılamaz.',
        'Bunu siz yapmadıysanız parolanızı değiştirin ve hesabınızın nasıl korunduğunu kontrol edin.',
      ],
      action: 'Hesabı gözden geçir',
    },
    deletion_planned: {
      subject: '{service} hesabınız yakında silinecek',
      paragraphs: [
        '{username} hesabınız şu tarihte silinecek: {when}. Bundan önce oturum açarsanız hesabınız korunur.',
        'Bunu siz istemediyseniz oturum açıp parolanızı değiştirin.',
      ],
      action: 'Hesabı koru',
    },
    deleted: {
      subject: '{service} hesabınız silindi',
      paragraphs: ['{username} hesabınız, ona ait her şeyle birlikte silindi.'],
    },
    test: {
      subject: '{service} deneme e-postası',
      paragraphs: ['Bu e-posta `latchkey mail test` komutuyla gönderildi. E-posta gönderimi çalışıyor.'],
    },
  },
}

export default tr
