import type { MailTexts } from './en.ts'

const ptBR: MailTexts = {
  direction: 'ltr',
  common: {
    codeOrLink: 'Ou digite este código na página que o solicitou:',
    code: 'Digite este código na página que o solicitou:',
    valid: 'Pode ser usado uma única vez e vale por {duration}.',
    link: '{action}:',
    time: 'Data e hora',
    browser: 'Navegador',
    address: 'Endereço de rede',
    gathered: 'Isso aconteceu mais de uma vez em poucos minutos. Os detalhes são os da última vez.',
    footer: '{service} ({host}) enviou este e-mail para {to} e nunca pede sua senha por e-mail.',
  },
  mails: {
    register: {
      subject: 'Confirme seu endereço de e-mail para {service}',
      paragraphs: [
        'Alguém, esperamos que você, está criando uma conta {service} com este endereço. Confirme que o endereço é seu.',
        'Se não foi você, não é preciso fazer nada: sem a confirmação, nenhuma conta é criada.',
      ],
      action: 'Confirmar este endereço',
    },
    register_existing: {
      subject: 'Você já tem uma conta {service}',
      paragraphs: [
        'Alguém, esperamos que você, tentou criar uma conta {service} com este endereço. Já existe uma conta com ele: entre como {username}.',
        'Se você esqueceu a senha, escolha “Esqueceu a senha?” na página de login.',
        'Se não foi você, não é preciso fazer nada: sua conta não mudou.',
      ],
      action: 'Entrar',
    },
    email: {
      subject: 'Confirme seu novo endereço de e-mail para {service}',
      paragraphs: [
        'Alguém, esperamos que você, quer usar este endereço em uma conta {service}. Confirme que o endereço é seu; até lá, nada muda.',
        'Se você não sabe do que se trata, não é preciso fazer nada.',
      ],
      action: 'Confirmar este endereço',
    },
    email_existing: {
      subject: 'Seu endereço de e-mail em {service}',
      paragraphs: [
        'Alguém, esperamos que você, quis usar este endereço em outra conta {service}. Ele já pertence à sua conta {username}.',
        'Não é preciso fazer nada: sua conta não mudou. Para usar o endereço na outra conta, altere primeiro o endereço desta.',
      ],
    },
    reset: {
      subject: 'Redefina sua senha de {service}',
      paragraphs: [
        'Alguém, esperamos que você, pediu para redefinir a senha da sua conta {username} em {service}.',
        'Se não foi você, não é preciso fazer nada: sua senha não mudou.',
      ],
      action: 'Redefinir senha',
    },
    invite: {
      subject: 'Seu convite para {service}',
      paragraphs: ['Você recebeu um convite para criar uma conta {service}. Abra a página para escolher como entrar.'],
      action: 'Aceitar o convite',
    },
    signin: {
      subject: 'Seu código para entrar em {service}',
      paragraphs: [
        'Alguém, esperamos que você, está entrando na sua conta {username} em {service} e precisa deste código.',
        'Se não foi você, alguém sabe sua senha: altere-a. Nunca informe o código a ninguém.',
      ],
    },
    new_browser: {
      subject: 'Novo acesso à sua conta {service}',
      paragraphs: [
        'Houve um acesso à sua conta {username} a partir de um novo navegador.',
        'Se não foi você, altere sua senha e encerre todas as sessões.',
      ],
      action: 'Revisar sua conta',
    },
    passkey_added: {
      subject: 'Uma chave de acesso foi adicionada à sua conta {service}',
      paragraphs: [
        'Uma chave de acesso foi adicionada à sua conta {username}. Ela pode ser usada para entrar.',
        'Se não foi você, remova-a e altere sua senha.',
      ],
      action: 'Revisar sua conta',
    },
    passkey_removed: {
      subject: 'Uma chave de acesso foi removida da sua conta {service}',
      paragraphs: [
        'A chave de acesso adicionada em {added} foi removida da sua conta {username}. Ela não pode mais ser usada para entrar.',
        'Se não foi você, altere sua senha e verifique como sua conta está protegida.',
      ],
      action: 'Revisar sua conta',
    },
    passkey_refused: {
      subject: 'Uma chave de acesso da sua conta {service} foi recusada',
      paragraphs: [
        'Alguém tentou entrar na sua conta {username} com a chave de acesso adicionada em {added}, mas o contador de assinaturas dela retrocedeu. A chave pode ter sido copiada, por isso o acesso foi recusado.',
        'Remova esta chave de acesso e crie uma nova.',
      ],
      action: 'Revisar sua conta',
    },
    second_factor_on: {
      subject: 'O segundo fator da sua conta {service} foi ativado',
      paragraphs: [
        'A partir de agora, para entrar na sua conta {username}, além da senha é necessário um código de um aplicativo autenticador.',
        'Se não foi você, altere sua senha e verifique como sua conta está protegida.',
      ],
      action: 'Revisar sua conta',
    },
    second_factor_off: {
      subject: 'O segundo fator da sua conta {service} foi desativado',
      paragraphs: [
        'A partir de agora, para entrar na sua conta {username}, não é mais necessário um código de um aplicativo autenticador.',
        'Se não foi você, altere sua senha e ative o segundo fator novamente.',
      ],
      action: 'Revisar sua conta',
    },
    recovery_code_used: {
      subject: 'Um código de recuperação da sua conta {service} foi usado',
      paragraphs: [
        'Um código de recuperação foi usado para entrar na sua conta {username}. Códigos de recuperação restantes: {left}.',
        'Se não foi você, altere sua senha e gere novos códigos de recuperação.',
      ],
      action: 'Revisar sua conta',
    },
    recovery_codes_replaced: {
      subject: 'Novos códigos de recuperação da sua conta {service}',
      paragraphs: [
        'Novos códigos de recuperação foram gerados para sua conta {username}. Os antigos não funcionam mais.',
        'Se não foi você, altere sua senha e gere novos códigos de recuperação.',
      ],
      action: 'Revisar sua conta',
    },
    password_changed: {
      subject: 'A senha da sua conta {service} foi alterada',
      paragraphs: [
        'A senha da sua conta {username} foi alterada.',
        'Se não foi você, redefina sua senha imediatamente: escolha “Esqueceu a senha?” na página de login.',
      ],
      action: 'Revisar sua conta',
    },
    account_claimed: {
      subject: 'O endereço da sua conta {service} foi confirmado',
      paragraphs: [
        'Com este endereço, você definiu uma nova senha para a conta {username}. Ninguém havia confirmado o endereço antes, portanto a conta é sua a partir de agora.',
        'Tudo o mais com que alguém poderia entrar nela foi removido: chaves de acesso, contas vinculadas de outros serviços, o aplicativo autenticador e os códigos de recuperação. Todas as sessões e o acesso de todos os aplicativos foram encerrados.',
      ],
      action: 'Revisar sua conta',
    },
    email_set: {
      subject: 'Sua conta {service} agora tem este endereço de e-mail',
      paragraphs: ['A partir de agora, o endereço de e-mail da sua conta {username} é {to}.'],
      action: 'Revisar sua conta',
    },
    email_change_asked: {
      subject: 'Foi pedida a alteração do endereço de e-mail da sua conta {service}',
      paragraphs: [
        'Alguém conectado à sua conta {username} pediu para alterar o endereço de e-mail dela. Nada muda antes da confirmação pelo novo endereço.',
        'Se não foi você, altere sua senha: isso encerra o pedido e desconecta todas as outras pessoas.',
      ],
      action: 'Revisar sua conta',
    },
    email_changed: {
      subject: 'O endereço de e-mail da sua conta {service} foi alterado',
      paragraphs: [
        'Sua conta {username} agora tem outro endereço de e-mail. Este e-mail foi enviado ao endereço antigo.',
        'Se não foi você, peça ajuda imediatamente aos responsáveis por {service}.',
      ],
    },
    email_changed_undo: {
      subject: 'O endereço de e-mail da sua conta {service} foi alterado',
      paragraphs: [
        'Sua conta {username} agora tem outro endereço de e-mail. Este e-mail foi enviado ao endereço antigo.',
        'Se não foi você, desfaça a alteração e depois redefina sua senha.',
      ],
      action: 'Desfazer a alteração',
    },
    external_login_added: {
      subject: 'Uma nova forma de entrar na sua conta {service}',
      paragraphs: [
        'Agora é possível entrar na sua conta {username} com {provider}.',
        'Se não foi você, desvincule {provider} e altere sua senha.',
      ],
      action: 'Revisar sua conta',
    },
    external_login_removed: {
      subject: 'Uma forma de entrar na sua conta {service} foi removida',
      paragraphs: [
        'Não é mais possível entrar na sua conta {username} com {provider}.',
        'Se não foi você, altere sua senha e verifique como sua conta está protegida.',
      ],
      action: 'Revisar sua conta',
    },
    deletion_planned: {
      subject: 'Sua conta {service} será excluída em breve',
      paragraphs: [
        'Sua conta {username} será excluída em {when}. Se você entrar antes disso, ela será mantida.',
        'Se não foi você, entre na conta e altere sua senha.',
      ],
      action: 'Manter a conta',
    },
    deleted: {
      subject: 'Sua conta {service} foi excluída',
      paragraphs: ['Sua conta {username} foi excluída com tudo o que pertencia a ela.'],
    },
    test: {
      subject: 'E-mail de teste de {service}',
      paragraphs: ['Este e-mail foi enviado com o comando `latchkey mail test`. O envio de e-mails funciona.'],
    },
  },
}

export default ptBR
