import type { MailTexts } from './en.ts'

const review = 'アカウントを確認'

const ja: MailTexts = {
  direction: 'ltr',
  common: {
    codeOrLink: 'または、コードの入力を求められた画面で次のコードを入力してください。',
    code: 'コードの入力を求められた画面で、次のコードを入力してください。',
    valid: '有効期間は{duration}で、1回だけ使用できます。',
    link: '{action}:',
    time: '日時',
    browser: 'ブラウザ',
    address: 'IPアドレス',
    gathered: 'これは数分の間に複数回発生しました。詳細は最後の一回のものです。',
    footer:
      'このメールは、{service}（{host}）から {to} 宛てにお送りしています。メールでパスワードをお尋ねすることはありません。',
  },
  mails: {
    register: {
      subject: '【{service}】メールアドレスの確認',
      paragraphs: [
        'このメールアドレスを使って、{service} のアカウントの作成が申し込まれました。ご本人によるお申し込みであれば、メールアドレスの確認をお願いします。',
        'お心当たりがない場合は、何もする必要はありません。確認が行われないかぎり、アカウントは作成されません。',
      ],
      action: 'メールアドレスを確認',
    },
    register_existing: {
      subject: '【{service}】アカウントはすでにお持ちです',
      paragraphs: [
        'このメールアドレスを使って、{service} のアカウントの作成が申し込まれましたが、このアドレスのアカウントはすでに存在します。{username} としてログインしてください。',
        'パスワードをお忘れの場合は、ログイン画面で「パスワードをお忘れの場合」を選んでください。',
        'お心当たりがない場合は、何もする必要はありません。アカウントに変更はありません。',
      ],
      action: 'ログイン',
    },
    email: {
      subject: '【{service}】新しいメールアドレスの確認',
      paragraphs: [
        'このメールアドレスを {service} のアカウントで使用するための申請がありました。ご本人によるものであれば、メールアドレスの確認をお願いします。確認が済むまで、何も変更されません。',
        'お心当たりがない場合は、何もする必要はありません。',
      ],
      action: 'メールアドレスを確認',
    },
    email_existing: {
      subject: '【{service}】メールアドレスについてのお知らせ',
      paragraphs: [
        'このメールアドレスを {service} の別のアカウントに登録する操作が行われました。このアドレスは、すでにアカウント {username} で使用されています。',
        '何もする必要はなく、アカウントに変更はありません。別のアカウントでこのアドレスを使用するには、先にこちらのアカウントのアドレスを変更してください。',
      ],
    },
    reset: {
      subject: '【{service}】パスワードの再設定',
      paragraphs: [
        '{service} のアカウント {username} について、パスワードの再設定が申し込まれました。',
        'お心当たりがない場合は、何もする必要はありません。パスワードは変更されていません。',
      ],
      action: 'パスワードを再設定',
    },
    invite: {
      subject: '{service} への招待',
      paragraphs: ['{service} でのアカウントの作成に招待されました。ページを開いて、ログイン方法を選んでください。'],
      action: '招待を受ける',
    },
    signin: {
      subject: '【{service}】ログイン用コード',
      paragraphs: [
        '{service} のアカウント {username} へのログインに、このコードが必要です。',
        'お心当たりがない場合は、第三者にパスワードを知られています。パスワードを変更してください。このコードは、絶対に誰にも教えないでください。',
      ],
    },
    new_browser: {
      subject: '【{service}】新しいブラウザからのログイン',
      paragraphs: [
        'アカウント {username} に、新しいブラウザからログインがありました。',
        'お心当たりがない場合は、パスワードを変更し、すべてのセッションからログアウトしてください。',
      ],
      action: review,
    },
    passkey_added: {
      subject: '【{service}】パスキーが追加されました',
      paragraphs: [
        'アカウント {username} にパスキーが追加されました。このパスキーでログインできます。',
        'お心当たりがない場合は、このパスキーを削除し、パスワードを変更してください。',
      ],
      action: review,
    },
    passkey_removed: {
      subject: '【{service}】パスキーが削除されました',
      paragraphs: [
        'アカウント {username} から、{added} に追加されたパスキーが削除されました。今後、このパスキーではログインできません。',
        'お心当たりがない場合は、パスワードを変更し、アカウントのセキュリティ設定を確認してください。',
      ],
      action: review,
    },
    passkey_refused: {
      subject: '【{service}】パスキーによるログインを拒否しました',
      paragraphs: [
        '{added} に追加されたパスキーでアカウント {username} へのログインが試みられましたが、パスキーの署名カウンターの値が以前より小さくなっていました。パスキーが複製された可能性があるため、ログインを拒否しました。',
        'このパスキーを削除し、新しいパスキーを作成してください。',
      ],
      action: review,
    },
    second_factor_on: {
      subject: '【{service}】2段階認証がオンになりました',
      paragraphs: [
        '今後、アカウント {username} へのログインには、パスワードに加えて認証アプリのコードが必要です。',
        'お心当たりがない場合は、パスワードを変更し、アカウントのセキュリティ設定を確認してください。',
      ],
      action: review,
    },
    second_factor_off: {
      subject: '【{service}】2段階認証がオフになりました',
      paragraphs: [
        '今後、アカウント {username} へのログインには、認証アプリのコードは不要です。',
        'お心当たりがない場合は、パスワードを変更し、2段階認証を再びオンにしてください。',
      ],
      action: review,
    },
    recovery_code_used: {
      subject: '【{service}】リカバリーコードが使用されました',
      paragraphs: [
        'アカウント {username} へのログインにリカバリーコードが使用されました。リカバリーコードの残り: {left}個',
        'お心当たりがない場合は、パスワードを変更し、新しいリカバリーコードを作成してください。',
      ],
      action: review,
    },
    recovery_codes_replaced: {
      subject: '【{service}】新しいリカバリーコードが作成されました',
      paragraphs: [
        'アカウント {username} の新しいリカバリーコードが作成されました。以前のコードは使用できません。',
        'お心当たりがない場合は、パスワードを変更し、新しいリカバリーコードを作成してください。',
      ],
      action: review,
    },
    password_changed: {
      subject: '【{service}】パスワードが変更されました',
      paragraphs: [
        'アカウント {username} のパスワードが変更されました。',
        'お心当たりがない場合は、すぐにパスワードを再設定してください。ログイン画面で「パスワードをお忘れの場合」を選んでください。',
      ],
      action: review,
    },
    account_claimed: {
      subject: '【{service}】メールアドレスが確認されました',
      paragraphs: [
        'このメールアドレスを使って、アカウント {username} の新しいパスワードが設定されました。このアドレスはこれまで誰にも確認されていなかったため、今後このアカウントはお客様のものです。',
        'ログインに使えたその他の手段（パスキー、連携している他のサービスのアカウント、認証アプリ、リカバリーコード）はすべて削除されました。すべてのセッションとアプリケーションのアクセスも終了しました。',
      ],
      action: review,
    },
    email_set: {
      subject: '【{service}】メールアドレスが登録されました',
      paragraphs: ['アカウント {username} のメールアドレスは、今後 {to} になります。'],
      action: review,
    },
    email_change_asked: {
      subject: '【{service}】メールアドレスの変更が申請されました',
      paragraphs: [
        'アカウント {username} にサインインしている方が、メールアドレスの変更を申請しました。新しいアドレスで確認されるまで、何も変更されません。',
        'お心当たりがない場合は、パスワードを変更してください。申請は取り消され、ほかのすべてのセッションがサインアウトされます。',
      ],
      action: '変更を取り消す',
    },
    email_changed: {
      subject: '【{service}】メールアドレスが変更されました',
      paragraphs: [
        'アカウント {username} のメールアドレスが変更されました。このメールは、変更前のアドレスにお送りしています。',
        'お心当たりがない場合は、すぐに {service} の運営者にご連絡ください。',
      ],
    },
    email_changed_undo: {
      subject: '【{service}】メールアドレスが変更されました',
      paragraphs: [
        'アカウント {username} のメールアドレスが変更されました。このメールは、変更前のアドレスにお送りしています。',
        'お心当たりがない場合は、変更を取り消してから、パスワードを再設定してください。',
      ],
      action: '変更を取り消す',
    },
    external_login_added: {
      subject: '【{service}】ログイン方法が追加されました',
      paragraphs: [
        'アカウント {username} に、{provider} でもログインできるようになりました。',
        'お心当たりがない場合は、{provider} との連携を解除し、パスワードを変更してください。',
      ],
      action: review,
    },
    external_login_removed: {
      subject: '【{service}】ログイン方法が削除されました',
      paragraphs: [
        'アカウント {username} に、{provider} ではログインできなくなりました。',
        'お心当たりがない場合は、パスワードを変更し、アカウントのセキュリティ設定を確認してください。',
      ],
      action: review,
    },
    deletion_planned: {
      subject: '【{service}】アカウントの削除予定のお知らせ',
      paragraphs: [
        'アカウント {username} は {when} に削除されます。それまでにログインすると、削除は取り消されます。',
        'お心当たりがない場合は、ログインしてパスワードを変更してください。',
      ],
      action: 'アカウントを残す',
    },
    deleted: {
      subject: '【{service}】アカウントが削除されました',
      paragraphs: ['アカウント {username} と、それに属するすべての情報が削除されました。'],
    },
    test: {
      subject: '{service} からのテストメール',
      paragraphs: ['このメールは、コマンド `latchkey mail test` で送信されました。メールは正常に機能しています。'],
    },
  },
}

export default ja
