import type { MailTexts } from './en.ts'

const review = '检查您的账号'

const zhHans: MailTexts = {
  direction: 'ltr',
  common: {
    codeOrLink: '或者在要求输入代码的页面上输入以下代码：',
    code: '请在要求输入代码的页面上输入以下代码：',
    valid: '仅可使用一次，{duration}内有效。',
    link: '{action}：',
    time: '时间',
    browser: '浏览器',
    address: 'IP 地址',
    gathered: '此事在几分钟内发生了不止一次。以下详情为最后一次的情况。',
    footer: '此邮件由 {service} ({host}) 发送至 {to}。我们绝不会通过邮件索要您的密码。',
  },
  mails: {
    register: {
      subject: '请确认您的 {service} 电子邮箱',
      paragraphs: [
        '有人正在使用此邮箱在 {service} 创建账号。如果是您本人，请确认此邮箱归您所有。',
        '如果不是您本人，则无需任何操作：未经确认，不会创建账号。',
      ],
      action: '确认此邮箱',
    },
    register_existing: {
      subject: '您已有 {service} 账号',
      paragraphs: [
        '有人尝试使用此邮箱在 {service} 创建账号，可能是您本人。此邮箱已有账号，请以 {username} 的身份登录。',
        '如果您忘记了密码，请在登录页面选择“忘记密码？”。',
        '如果不是您本人，则无需任何操作：您的账号没有变化。',
      ],
      action: '登录',
    },
    email: {
      subject: '请确认您的 {service} 新邮箱',
      paragraphs: [
        '有人想将此邮箱用于 {service} 的账号。如果是您本人，请确认此邮箱归您所有；在此之前不会有任何更改。',
        '如果您对此不知情，则无需任何操作。',
      ],
      action: '确认此邮箱',
    },
    email_existing: {
      subject: '关于您在 {service} 的电子邮箱',
      paragraphs: [
        '有人想将此邮箱用于 {service} 的另一个账号，可能是您本人。此邮箱已属于您的账号 {username}。',
        '您无需任何操作：您的账号没有变化。如需将此邮箱用于另一个账号，请先更改此账号的邮箱。',
      ],
    },
    reset: {
      subject: '重置您的 {service} 密码',
      paragraphs: [
        '有人请求重置您在 {service} 的账号 {username} 的密码，可能是您本人。',
        '如果不是您本人，则无需任何操作：您的密码没有变化。',
      ],
      action: '重置密码',
    },
    invite: {
      subject: '您已受邀加入 {service}',
      paragraphs: ['您已受邀在 {service} 创建账号。请打开页面，选择您的登录方式。'],
      action: '接受邀请',
    },
    signin: {
      subject: '您的 {service} 登录验证码',
      paragraphs: [
        '有人正在登录您在 {service} 的账号 {username}，需要此验证码。',
        '如果不是您本人，说明有人知道您的密码，请更改密码。切勿将验证码告诉任何人。',
      ],
    },
    new_browser: {
      subject: '您的 {service} 账号有新的登录',
      paragraphs: ['您的账号 {username} 在一个新的浏览器上登录。', '如果不是您本人，请更改密码并退出所有会话。'],
      action: review,
    },
    passkey_added: {
      subject: '您的 {service} 账号已添加通行密钥',
      paragraphs: [
        '您的账号 {username} 已添加一个通行密钥，可用于登录。',
        '如果不是您本人，请移除此通行密钥并更改密码。',
      ],
      action: review,
    },
    passkey_removed: {
      subject: '您的 {service} 账号已移除通行密钥',
      paragraphs: [
        '于 {added} 添加的通行密钥已从您的账号 {username} 中移除，不能再用于登录。',
        '如果不是您本人，请更改密码并检查账号的安全设置。',
      ],
      action: review,
    },
    passkey_refused: {
      subject: '您的 {service} 账号的一个通行密钥被拒绝',
      paragraphs: [
        '有人尝试使用于 {added} 添加的通行密钥登录您的账号 {username}，但其签名计数器的值变小了。该通行密钥可能已被复制，因此登录被拒绝。',
        '请移除此通行密钥并创建新的通行密钥。',
      ],
      action: review,
    },
    second_factor_on: {
      subject: '您的 {service} 账号已开启两步验证',
      paragraphs: [
        '从现在起，登录您的账号 {username} 时，除密码外还需要身份验证器应用中的验证码。',
        '如果不是您本人，请更改密码并检查账号的安全设置。',
      ],
      action: review,
    },
    second_factor_off: {
      subject: '您的 {service} 账号已关闭两步验证',
      paragraphs: [
        '从现在起，登录您的账号 {username} 时不再需要身份验证器应用中的验证码。',
        '如果不是您本人，请更改密码并重新开启两步验证。',
      ],
      action: review,
    },
    recovery_code_used: {
      subject: '您的 {service} 账号使用了恢复代码',
      paragraphs: [
        '有人使用恢复代码登录了您的账号 {username}。剩余恢复代码：{left} 个。',
        '如果不是您本人，请更改密码并生成新的恢复代码。',
      ],
      action: review,
    },
    recovery_codes_replaced: {
      subject: '您的 {service} 账号已生成新的恢复代码',
      paragraphs: [
        '您的账号 {username} 已生成新的恢复代码，旧的恢复代码已失效。',
        '如果不是您本人，请更改密码并生成新的恢复代码。',
      ],
      action: review,
    },
    password_changed: {
      subject: '您的 {service} 账号密码已更改',
      paragraphs: [
        '您的账号 {username} 的密码已更改。',
        '如果不是您本人，请立即重置密码：在登录页面选择“忘记密码？”。',
      ],
      action: review,
    },
    account_claimed: {
      subject: '您的 {service} 账号邮箱已验证',
      paragraphs: [
        '您已通过此邮箱为账号 {username} 设置了新密码。此前没有人验证过该邮箱，因此该账号从现在起归您所有。',
        '其他可用于登录的方式均已移除：通行密钥、关联的其他服务账号、身份验证器应用和恢复代码。所有会话和所有应用的访问权限均已终止。',
      ],
      action: review,
    },
    email_set: {
      subject: '您的 {service} 账号现已使用此邮箱',
      paragraphs: ['从现在起，您的账号 {username} 的电子邮箱为 {to}。'],
      action: review,
    },
    email_change_asked: {
      subject: '有人申请更改您的 {service} 账号邮箱',
      paragraphs: [
        '有人在登录您的账号 {username} 后申请更改其电子邮箱。在新邮箱确认之前，不会有任何更改。',
        '如果不是您本人，请更改密码：该申请将随之终止，其他所有会话也会退出登录。',
      ],
      action: '撤销更改',
    },
    email_changed: {
      subject: '您的 {service} 账号邮箱已更改',
      paragraphs: [
        '您的账号 {username} 的电子邮箱已更改。此邮件发送至原邮箱。',
        '如果不是您本人，请立即联系 {service} 的运营方寻求帮助。',
      ],
    },
    email_changed_undo: {
      subject: '您的 {service} 账号邮箱已更改',
      paragraphs: [
        '您的账号 {username} 的电子邮箱已更改。此邮件发送至原邮箱。',
        '如果不是您本人，请撤销更改，然后重置密码。',
      ],
      action: '撤销更改',
    },
    external_login_added: {
      subject: '您的 {service} 账号新增了一种登录方式',
      paragraphs: [
        '现在可以通过 {provider} 登录您的账号 {username}。',
        '如果不是您本人，请取消关联 {provider} 并更改密码。',
      ],
      action: review,
    },
    external_login_removed: {
      subject: '您的 {service} 账号移除了一种登录方式',
      paragraphs: [
        '不能再通过 {provider} 登录您的账号 {username}。',
        '如果不是您本人，请更改密码并检查账号的安全设置。',
      ],
      action: review,
    },
    deletion_planned: {
      subject: '您的 {service} 账号即将被删除',
      paragraphs: [
        '您的账号 {username} 将于 {when} 删除。在此之前登录即可保留账号。',
        '如果不是您本人，请登录并更改密码。',
      ],
      action: '保留账号',
    },
    deleted: {
      subject: '您的 {service} 账号已删除',
      paragraphs: ['您的账号 {username} 及其所有相关内容已删除。'],
    },
    test: {
      subject: '来自 {service} 的测试邮件',
      paragraphs: ['此邮件由命令 `latchkey mail test` 发送。邮件功能正常。'],
    },
  },
}

export default zhHans
