import type { MailTexts } from './en.ts'

const es: MailTexts = {
  direction: 'ltr',
  common: {
    codeOrLink: 'O introduzca este código en la página que lo ha pedido:',
    code: 'Introduzca este código en la página que lo ha pedido:',
    valid: 'Solo se puede utilizar una vez y es válido durante {duration}.',
    link: '{action}:',
    time: 'Fecha y hora',
    browser: 'Navegador',
    address: 'Dirección de red',
    gathered: 'Esto ha ocurrido más de una vez en pocos minutos. Los detalles son los de la última vez.',
    footer: '{service} ({host}) ha enviado este correo a {to}. Nunca le pedirá su contraseña por correo electrónico.',
  },
  mails: {
    register: {
      subject: 'Confirme su dirección de correo electrónico para {service}',
      paragraphs: [
        'Alguien, esperamos que usted, está creando una cuenta de {service} con esta dirección. Confirme que la dirección es suya.',
        'Si no ha sido usted, no tiene que hacer nada: sin la confirmación no se crea ninguna cuenta.',
      ],
      action: 'Confirmar esta dirección',
    },
    register_existing: {
      subject: 'Ya tiene una cuenta de {service}',
      paragraphs: [
        'Alguien, esperamos que usted, ha intentado crear una cuenta de {service} con esta dirección. Ya existe una cuenta con ella: inicie sesión como {username}.',
        'Si ha olvidado la contraseña, elija «¿Ha olvidado la contraseña?» en la página de inicio de sesión.',
        'Si no ha sido usted, no tiene que hacer nada: su cuenta no ha cambiado.',
      ],
      action: 'Iniciar sesión',
    },
    email: {
      subject: 'Confirme su nueva dirección de correo electrónico para {service}',
      paragraphs: [
        'Alguien, esperamos que usted, quiere utilizar esta dirección para una cuenta de {service}. Confirme que la dirección es suya; hasta entonces no cambia nada.',
        'Si no sabe nada de esto, no tiene que hacer nada.',
      ],
      action: 'Confirmar esta dirección',
    },
    email_existing: {
      subject: 'Su dirección de correo electrónico en {service}',
      paragraphs: [
        'Alguien, esperamos que usted, ha querido utilizar esta dirección para otra cuenta de {service}. Ya pertenece a su cuenta {username}.',
        'No tiene que hacer nada: su cuenta no ha cambiado. Para utilizar la dirección con la otra cuenta, cambie antes la de esta.',
      ],
    },
    reset: {
      subject: 'Restablezca su contraseña de {service}',
      paragraphs: [
        'Alguien, esperamos que usted, ha solicitado restablecer la contraseña de su cuenta {username} de {service}.',
        'Si no ha sido usted, no tiene que hacer nada: su contraseña no ha cambiado.',
      ],
      action: 'Restablecer la contraseña',
    },
    invite: {
      subject: 'Invitación a {service}',
      paragraphs: [
        'Ha recibido una invitación para crear una cuenta de {service}. Abra la página para elegir cómo iniciar sesión.',
      ],
      action: 'Aceptar la invitación',
    },
    signin: {
      subject: 'Su código para iniciar sesión en {service}',
      paragraphs: [
        'Alguien, esperamos que usted, está iniciando sesión en su cuenta {username} de {service} y necesita este código.',
        'Si no ha sido usted, alguien conoce su contraseña: cámbiela. No facilite nunca el código a nadie.',
      ],
    },
    new_browser: {
      subject: 'Nuevo inicio de sesión en su cuenta de {service}',
      paragraphs: [
        'Se ha iniciado sesión en su cuenta {username} desde un navegador nuevo.',
        'Si no ha sido usted, cambie su contraseña y cierre todas las sesiones.',
      ],
      action: 'Revisar su cuenta',
    },
    passkey_added: {
      subject: 'Se ha añadido una llave de acceso a su cuenta de {service}',
      paragraphs: [
        'Se ha añadido una llave de acceso a su cuenta {username}. Se puede utilizar para iniciar sesión.',
        'Si no ha sido usted, elimínela y cambie su contraseña.',
      ],
      action: 'Revisar su cuenta',
    },
    passkey_removed: {
      subject: 'Se ha eliminado una llave de acceso de su cuenta de {service}',
      paragraphs: [
        'Se ha eliminado de su cuenta {username} la llave de acceso añadida el {added}. Ya no se puede utilizar para iniciar sesión.',
        'Si no ha sido usted, cambie su contraseña y compruebe cómo está protegida su cuenta.',
      ],
      action: 'Revisar su cuenta',
    },
    passkey_refused: {
      subject: 'Se ha rechazado una llave de acceso de su cuenta de {service}',
      paragraphs: [
        'Alguien ha intentado iniciar sesión en su cuenta {username} con la llave de acceso añadida el {added}, pero su contador de firmas ha retrocedido. Es posible que la llave se haya copiado, por lo que se ha rechazado el inicio de sesión.',
        'Elimine esta llave de acceso y cree una nueva.',
      ],
      action: 'Revisar su cuenta',
    },
    second_factor_on: {
      subject: 'Se ha activado el segundo factor de su cuenta de {service}',
      paragraphs: [
        'A partir de ahora, para iniciar sesión en su cuenta {username} se necesita, además de la contraseña, un código de una aplicación de autenticación.',
        'Si no ha sido usted, cambie su contraseña y compruebe cómo está protegida su cuenta.',
      ],
      action: 'Revisar su cuenta',
    },
    second_factor_off: {
      subject: 'Se ha desactivado el segundo factor de su cuenta de {service}',
      paragraphs: [
        'A partir de ahora, para iniciar sesión en su cuenta {username} no se necesita ningún código de una aplicación de autenticación.',
        'Si no ha sido usted, cambie su contraseña y vuelva a activar el segundo factor.',
      ],
      action: 'Revisar su cuenta',
    },
    recovery_code_used: {
      subject: 'Se ha utilizado un código de recuperación de su cuenta de {service}',
      paragraphs: [
        'Se ha utilizado un código de recuperación para iniciar sesión en su cuenta {username}. Códigos de recuperación restantes: {left}.',
        'Si no ha sido usted, cambie su contraseña y genere nuevos códigos de recuperación.',
      ],
      action: 'Revisar su cuenta',
    },
    recovery_codes_replaced: {
      subject: 'Nuevos códigos de recuperación para su cuenta de {service}',
      paragraphs: [
        'Se han generado nuevos códigos de recuperación para su cuenta {username}. Los anteriores ya no sirven.',
        'Si no ha sido usted, cambie su contraseña y genere nuevos códigos de recuperación.',
      ],
      action: 'Revisar su cuenta',
    },
    password_changed: {
      subject: 'Se ha cambiado la contraseña de su cuenta de {service}',
      paragraphs: [
        'Se ha cambiado la contraseña de su cuenta {username}.',
        'Si no ha sido usted, restablezca su contraseña de inmediato: elija «¿Ha olvidado la contraseña?» en la página de inicio de sesión.',
      ],
      action: 'Revisar su cuenta',
    },
    account_claimed: {
      subject: 'Se ha confirmado la dirección de su cuenta de {service}',
      paragraphs: [
        'Con esta dirección ha elegido una nueva contraseña para la cuenta {username}. Nadie había confirmado antes la dirección, así que la cuenta es suya desde ahora.',
        'Se ha eliminado todo lo demás con lo que alguien podía iniciar sesión: llaves de acceso, cuentas vinculadas de otros servicios, la aplicación de autenticación y los códigos de recuperación. Han terminado todas las sesiones y el acceso de todas las aplicaciones.',
      ],
      action: 'Revisar su cuenta',
    },
    email_set: {
      subject: 'Su cuenta de {service} tiene ahora esta dirección de correo electrónico',
      paragraphs: ['A partir de ahora, la dirección de correo electrónico de su cuenta {username} es {to}.'],
      action: 'Revisar su cuenta',
    },
    email_change_asked: {
      subject: 'Se ha pedido cambiar la dirección de correo electrónico de su cuenta de {service}',
      paragraphs: [
        'Alguien que ha iniciado sesión en su cuenta {username} ha pedido cambiar su dirección de correo electrónico. Nada cambia hasta que la nueva dirección lo confirme.',
        'Si no ha sido usted, cambie su contraseña: así termina la solicitud y se cierran todas las demás sesiones.',
      ],
      action: 'Revisar su cuenta',
    },
    email_changed: {
      subject: 'Se ha cambiado la dirección de correo electrónico de su cuenta de {service}',
      paragraphs: [
        'Su cuenta {username} tiene ahora otra dirección de correo electrónico. Este correo se envía a la dirección anterior.',
        'Si no ha sido usted, pida ayuda de inmediato a los responsables de {service}.',
      ],
    },
    email_changed_undo: {
      subject: 'Se ha cambiado la dirección de correo electrónico de su cuenta de {service}',
      paragraphs: [
        'Su cuenta {username} tiene ahora otra dirección de correo electrónico. Este correo se envía a la dirección anterior.',
        'Si no ha sido usted, deshaga el cambio y restablezca después su contraseña.',
      ],
      action: 'Deshacer el cambio',
    },
    external_login_added: {
      subject: 'Nueva forma de iniciar sesión en su cuenta de {service}',
      paragraphs: [
        'Ahora se puede acceder a su cuenta {username} iniciando sesión con {provider}.',
        'Si no ha sido usted, desvincule {provider} y cambie su contraseña.',
      ],
      action: 'Revisar su cuenta',
    },
    external_login_removed: {
      subject: 'Se ha eliminado una forma de iniciar sesión en su cuenta de {service}',
      paragraphs: [
        'Ya no se puede acceder a su cuenta {username} iniciando sesión con {provider}.',
        'Si no ha sido usted, cambie su contraseña y compruebe cómo está protegida su cuenta.',
      ],
      action: 'Revisar su cuenta',
    },
    deletion_planned: {
      subject: 'Su cuenta de {service} se va a eliminar',
      paragraphs: [
        'Su cuenta {username} se eliminará el {when}. Si inicia sesión antes, se conserva.',
        'Si no ha sido usted, inicie sesión y cambie su contraseña.',
      ],
      action: 'Conservar la cuenta',
    },
    deleted: {
      subject: 'Se ha eliminado su cuenta de {service}',
      paragraphs: ['Su cuenta {username} se ha eliminado con todo lo que contenía.'],
    },
    test: {
      subject: 'Correo de prueba de {service}',
      paragraphs: ['Este correo se ha enviado con el comando `latchkey mail test`. El envío de correo funciona.'],
    },
  },
}

export default es
