/** Tratamento: você. As palavras são as do painel. */
export const texts: Readonly<Record<string, string>> = {
  "A colleague": "Um colega",
  "A new device signed in to your Parley account": "Um novo dispositivo entrou na sua conta do Parley",
  "A scheduled backup was written again": "Um backup programado foi gravado novamente",
  "A test from Parley": "Um teste do Parley",
  'API key "{name}" expires within 7 days': "A chave de API “{name}” expira em até 7 dias",
  'API key "{name}" expires within a day': "A chave de API “{name}” expira em até um dia",
  "Address: {ip}": "Endereço: {ip}",
  "After five days of nothing but failures a webhook is disabled. Correct its URL or the receiver.":
    "Depois de cinco dias só com falhas, um webhook é desativado. Corrija a URL ou o receptor.",
  "Browser: {browser}": "Navegador: {browser}",
  'Consumer "{name}" has caught up': "O consumidor “{name}” está em dia novamente",
  'Consumer "{name}" is behind': "O consumidor “{name}” está atrasado",
  "Deliveries that are due have not been attempted. Check that a server or worker is running and keeps up; a receiver that responds slowly delays its own deliveries.":
    "Há entregas pendentes que não foram tentadas. Verifique se um servidor ou worker está em execução e dá conta; um receptor lento atrasa apenas as próprias entregas.",
  "Deliveries that failed in the meantime are sent with their next retries.":
    "As entregas que falharam nesse meio-tempo são enviadas nas próximas tentativas.",
  "Events are not sent there any more. Once the receiver works, enable the webhook and use Recover to send what was missed.":
    "Os eventos não são mais enviados para lá. Quando o receptor funcionar, ative o webhook e use “Recuperar” para enviar o que faltou.",
  "Events wait to be read and acknowledged. Look at the program that reads them. What is older than the retention period is deleted, read or not.":
    "Há eventos esperando para serem lidos e confirmados. Verifique o programa que os lê. O que passa do período de retenção é excluído, lido ou não.",
  "Every delivery has failed for five days.": "Todas as entregas falham há cinco dias.",
  "If it was not you, set a new password at once: {url}": "Se não foi você, defina uma nova senha imediatamente: {url}",
  "If it was not you, you can ignore this e-mail: your password stays as it is.":
    "Se não foi você, pode ignorar este e-mail: a sua senha continua a mesma.",
  "If it was you, nothing needs to be done. If not, set a new password at once: {url}":
    "Se foi você, não é preciso fazer nada. Se não, defina uma nova senha imediatamente: {url}",
  "If it was you, nothing needs to be done. If not, your password is known to another person: set a new one at once: {url}":
    "Se foi você, não é preciso fazer nada. Se não, outra pessoa sabe a sua senha: defina uma nova imediatamente: {url}",
  "If you did not expect this, you can ignore this e-mail.": "Se você não esperava isto, pode ignorar este e-mail.",
  "Look at the log of the server for the reason: a full disk, or a directory that cannot be written to.":
    "O motivo está no registro do servidor: um disco cheio ou um diretório em que não é possível gravar.",
  'Mailbox "{name}" has been failing for 15 minutes': "A caixa de e-mail “{name}” está falhando há 15 minutos",
  'Mailbox "{name}" works again': "A caixa de e-mail “{name}” voltou a funcionar",
  "No mail is lost: what arrives waits on the mail server, and replies wait here. Check the mailbox in the settings, which says at which step it fails.":
    "Nenhum e-mail se perde: o que chega espera no servidor de e-mail e as respostas esperam aqui. Verifique a caixa de e-mail nas configurações, que mostram em que etapa ela falha.",
  "Nothing is lost: failed deliveries are retried as often as the webhook is set to, and Recover sends what was missed. Look at the log of the webhook, and correct its URL or the receiver.":
    "Nada se perde: as entregas que falharam são tentadas novamente quantas vezes o webhook define, e “Recuperar” envia o que faltou. Veja o registro do webhook e corrija a URL ou o receptor.",
  "Nothing needs to be done.": "Não é preciso fazer nada.",
  "Requests with an expired key are refused. Rotate the key or extend it if it is still in use.":
    "As solicitações com uma chave expirada são recusadas. Renove a chave ou estenda o prazo se ela ainda estiver em uso.",
  "Set a new password for Parley": "Defina uma nova senha para o Parley",
  "Someone at the address {ip} asked to set a new password for your account.":
    "Alguém no endereço {ip} pediu uma nova senha para a sua conta.",
  "Someone signed in to your account with a browser that has not been used for it before.":
    "Alguém entrou na sua conta com um navegador que ainda não tinha sido usado para isso.",
  "The backlog is cleared.": "O atraso foi eliminado.",
  "The destination responded with 410 Gone.": "O destino respondeu com 410 Gone.",
  "The password of your account was changed with a link from an e-mail, from the address {ip} at {at}. You were signed out everywhere.":
    "A senha da sua conta foi alterada com um link de um e-mail: {at}, a partir do endereço {ip}. As suas sessões foram encerradas em todos os lugares.",
  "The scheduled backup is overdue": "O backup programado está atrasado",
  "This is a test. Alerts of this workspace will reach you here.":
    "Isto é um teste. Os alertas deste espaço de trabalho chegarão aqui.",
  "Time: {at}": "Horário: {at}",
  "To choose one, open this link. It works once, for {minutes} minutes:":
    "Para escolher uma, abra este link. Ele funciona uma única vez, por {minutes} minutos:",
  "To join, open this link. It works once, until {time}:":
    "Para participar, abra este link. Ele funciona uma única vez, até {time}:",
  'Webhook "{name}" has been failing for 24 hours': "O webhook “{name}” está falhando há 24 horas",
  'Webhook "{name}" has been failing for an hour': "O webhook “{name}” está falhando há uma hora",
  'Webhook "{name}" is delivering again': "O webhook “{name}” voltou a entregar",
  'Webhook "{name}" was disabled': "O webhook “{name}” foi desativado",
  "Webhook deliveries are late": "As entregas de webhooks estão atrasadas",
  "Webhook deliveries are on time again": "As entregas de webhooks estão em dia novamente",
  "What has waited is fetched and sent.": "O que estava esperando é buscado e enviado.",
  "Wrong codes were entered for your Parley account": "Códigos errados foram digitados para a sua conta do Parley",
  "You get this e-mail because you had not been in the dashboard for ten minutes. Turn it off under Profile > Notifications.":
    "Você recebeu este e-mail porque não estava no painel havia dez minutos. Desative-o em Perfil > Notificações.",
  "Your correct password and then {count} wrong codes in a row were entered, the last one from the address {ip} at {at}. Further codes now have to wait, longer each time. A passkey still signs in at once.":
    "A sua senha correta e, em seguida, {count} códigos errados seguidos foram digitados, o último a partir do endereço {ip}: {at}. Novos códigos agora precisam esperar, cada vez mais. Uma chave de acesso continua entrando imediatamente.",
  "Your password for Parley was changed": "A sua senha do Parley foi alterada",
  "and {n} more": "e mais {n}",
  "its oldest event is of {time}": "o evento mais antigo é de {time}",
  "on {time}": "em {time}",
  "since {time}": "desde {time}",
  "the newest was written at {time}": "o mais recente é de {time}",
  "their directory cannot be read ({reason})": "o diretório dos backups não pode ser lido ({reason})",
  "there is none yet": "ainda não há nenhum",
  '{inviter} invited you to the workspace "{workspace}" on Parley, as an admin.':
    "{inviter} convidou você para o espaço de trabalho “{workspace}” no Parley, como administrador.",
  '{inviter} invited you to the workspace "{workspace}" on Parley, as an agent.':
    "{inviter} convidou você para o espaço de trabalho “{workspace}” no Parley, como agente.",
  '{inviter} invited you to the workspace "{workspace}" on Parley, as an owner.':
    "{inviter} convidou você para o espaço de trabalho “{workspace}” no Parley, como proprietário.",
  "{inviter} invited you to {workspace}": "{inviter} convidou você para {workspace}",
  "{name} mentioned you": "{name} mencionou você",
  "{name} mentioned you in a note of conversation {conversation}.":
    "{name} mencionou você em uma nota da conversa {conversation}.",
  "{n} API keys expire within 7 days": "{n} chaves de API expiram em até 7 dias",
  "{n} API keys expire within a day": "{n} chaves de API expiram em até um dia",
  "{n} consumers are behind": "{n} consumidores estão atrasados",
  "{n} consumers have caught up": "{n} consumidores estão em dia novamente",
  "{n} mailboxes have been failing for 15 minutes": "{n} caixas de e-mail estão falhando há 15 minutos",
  "{n} mailboxes work again": "{n} caixas de e-mail voltaram a funcionar",
  "{n} webhooks are delivering again": "{n} webhooks voltaram a entregar",
  "{n} webhooks have been failing for 24 hours": "{n} webhooks estão falhando há 24 horas",
  "{n} webhooks have been failing for an hour": "{n} webhooks estão falhando há uma hora",
  "{n} webhooks were disabled": "{n} webhooks foram desativados",
};
