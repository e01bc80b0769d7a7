/** How mail programs announce what is quoted, by language: a line of a person's reply and what stands above the history. */
interface Histories {
  language: string;
  reply: string;
  /** Lines above quoted text, of several programs. */
  attributions: string[];
  /** The labels of Outlook: from, sent, to, subject. */
  outlook: [string, string, string, string];
  phone: string;
}

const A = "Ada <ada@example.com>";

export const HISTORIES: readonly Histories[] = [
  {
    language: "en",
    reply: "It works now, thank you.",
    attributions: [
      `On Tue, Jul 14, 2026 at 10:00 AM ${A} wrote:`,
      `On Jul 14, 2026, at 10:00, ${A} wrote:`,
      "On 7/14/26 10:00, Ada wrote:",
      `On Tue, 14 Jul 2026 at 10:00, Shop Support\n<support@shop.example> wrote:`,
    ],
    outlook: ["From", "Sent", "To", "Subject"],
    phone: "Sent from my iPhone",
  },
  {
    language: "de",
    reply: "Jetzt geht es, danke.",
    attributions: [
      `Am Di., 14. Juli 2026 um 10:00 Uhr schrieb ${A}:`,
      `Am 14.07.2026 um 10:00 schrieb ${A}:`,
      "Am 14.07.26 um 10:00 schrieb Ada:",
    ],
    outlook: ["Von", "Gesendet", "An", "Betreff"],
    phone: "Von meinem iPhone gesendet",
  },
  {
    language: "fr",
    reply: "Cela marche, merci.",
    attributions: [
      `Le mar. 14 juil. 2026 à 10:00, ${A} a écrit :`,
      `Le 14 juil. 2026 à 10:00, ${A} a écrit :`,
      "Le 14/07/2026 à 10:00, Ada a écrit :",
    ],
    outlook: ["De", "Envoyé", "À", "Objet"],
    phone: "Envoyé de mon iPhone",
  },
  {
    language: "es",
    reply: "Ya funciona, gracias.",
    attributions: [
      "El mar, 14 jul 2026 a las 10:00, Ada (<ada@example.com>) escribió:",
      `El 14 jul 2026, a las 10:00, ${A} escribió:`,
      "El 14/7/26 a las 10:00, Ada escribió:",
    ],
    outlook: ["De", "Enviado el", "Para", "Asunto"],
    phone: "Enviado desde mi iPhone",
  },
  {
    language: "pt",
    reply: "Agora funciona, obrigado.",
    attributions: [
      `Em ter., 14 de jul. de 2026 às 10:00, ${A} escreveu:`,
      `Em 14 de jul. de 2026, à(s) 10:00, ${A} escreveu:`,
      "Em 14/07/2026 10:00, Ada escreveu:",
    ],
    outlook: ["De", "Enviado", "Para", "Assunto"],
    phone: "Enviado do meu iPhone",
  },
  {
    language: "it",
    reply: "Adesso funziona, grazie.",
    attributions: [
      `Il giorno mar 14 lug 2026 alle ore 10:00 ${A} ha scritto:`,
      `Il giorno 14 lug 2026, alle ore 10:00, ${A} ha scritto:`,
      "Il 14/07/26 10:00, Ada ha scritto:",
    ],
    outlook: ["Da", "Inviato", "A", "Oggetto"],
    phone: "Inviato da iPhone",
  },
  {
    language: "nl",
    reply: "Het werkt nu, bedankt.",
    attributions: [
      `Op di 14 jul 2026 om 10:00 schreef ${A}:`,
      `Op 14 jul. 2026 om 10:00 heeft ${A} het volgende geschreven:`,
      "Op 14-07-2026 om 10:00 schreef Ada:",
    ],
    outlook: ["Van", "Verzonden", "Aan", "Onderwerp"],
    phone: "Verzonden vanaf mijn iPhone",
  },
  {
    language: "sv",
    reply: "Nu fungerar det, tack.",
    attributions: [
      `Den tis 14 juli 2026 kl 10:00 skrev ${A}:`,
      `14 juli 2026 kl. 10:00 skrev ${A}:`,
      "Den 2026-07-14 kl. 10:00, skrev Ada:",
    ],
    outlook: ["Från", "Skickat", "Till", "Ämne"],
    phone: "Skickat från min iPhone",
  },
  {
    language: "da",
    reply: "Det virker nu, tak.",
    attributions: [`Den tirs. 14. jul. 2026 kl. 10.00 skrev ${A}:`, `Den 14. jul. 2026 kl. 10.00 skrev ${A}:`],
    outlook: ["Fra", "Sendt", "Til", "Emne"],
    phone: "Sendt fra min iPhone",
  },
  {
    language: "fi",
    reply: "Se toimii nyt, kiitos.",
    attributions: [
      "ti 14. heinäk. 2026 klo 10.00 Ada (ada@example.com) kirjoitti:",
      `${A} kirjoitti 14.7.2026 kello 10.00:`,
    ],
    outlook: ["Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"],
    phone: "Lähetetty iPhonesta",
  },
  {
    language: "pl",
    reply: "Już działa, dziękuję.",
    attributions: [
      `wt., 14 lip 2026 o 10:00 ${A} napisał(a):`,
      `Wiadomość napisana przez ${A} w dniu 14.07.2026, o godz. 10:00:`,
      "W dniu 14.07.2026 o 10:00, Ada pisze:",
    ],
    outlook: ["Od", "Wysłano", "Do", "Temat"],
    phone: "Wysłane z iPhone'a",
  },
  {
    language: "cs",
    reply: "Už to funguje, děkuji.",
    attributions: [
      `út 14. 7. 2026 v 10:00 odesílatel ${A} napsal:`,
      `14. 7. 2026 v 10:00, ${A}:`,
      "Dne 14. 07. 26 v 10:00 Ada napsal(a):",
    ],
    outlook: ["Od", "Odesláno", "Komu", "Předmět"],
    phone: "Odesláno z iPhonu",
  },
  {
    language: "hu",
    reply: "Már működik, köszönöm.",
    attributions: [`${A} ezt írta (időpont: 2026. júl. 14., K, 10:00):`, "2026. 07. 14. 10:00 keltezéssel, Ada írta:"],
    outlook: ["Feladó", "Elküldve", "Címzett", "Tárgy"],
    phone: "Az iPhone-omról küldve",
  },
  {
    language: "ru",
    reply: "Теперь работает, спасибо.",
    attributions: [
      `вт, 14 июл. 2026 г. в 10:00, ${A}:`,
      `14 июля 2026 г., в 10:00, ${A} написал(а):`,
      "14.07.2026 10:00, Ada пишет:",
    ],
    outlook: ["От", "Отправлено", "Кому", "Тема"],
    phone: "Отправлено с iPhone",
  },
  {
    language: "tr",
    reply: "Şimdi çalışıyor, teşekkürler.",
    attributions: [
      `Ada <ada@example.com>, 14 Tem 2026 Sal, 10:00 tarihinde şunu yazdı:`,
      `Ada <ada@example.com> şunları yazdı (14 Tem 2026 10:00):`,
    ],
    outlook: ["Gönderen", "Gönderildi", "Kime", "Konu"],
    phone: "iPhone'umdan gönderildi",
  },
  {
    language: "ja",
    reply: "動きました。ありがとうございます。",
    attributions: [
      `2026年7月14日(火) 10:00 ${A}:`,
      `2026/07/14 10:00、${A}のメール:`,
      "On 2026/07/14 10:00, Ada wrote:",
    ],
    outlook: ["差出人", "送信日時", "宛先", "件名"],
    phone: "iPhoneから送信",
  },
  {
    language: "zh-CN",
    reply: "现在可以了，谢谢。",
    attributions: [`${A} 于2026年7月14日周二 10:00写道：`, `在 2026年7月14日，10:00，${A} 写道：`],
    outlook: ["发件人", "发送时间", "收件人", "主题"],
    phone: "从我的iPhone发送",
  },
  {
    language: "zh-TW",
    reply: "現在可以了，謝謝。",
    attributions: [`${A} 於 2026年7月14日 週二 上午10:00寫道：`, `${A} 於 2026年7月14日 10:00 寫道：`],
    outlook: ["寄件者", "寄件日期", "收件者", "主旨"],
    phone: "從我的iPhone傳送",
  },
  {
    language: "ko",
    reply: "이제 됩니다. 감사합니다.",
    attributions: [`2026년 7월 14일 (화) 오전 10:00, ${A}님이 작성:`, `2026. 7. 14. 오전 10:00, ${A} 작성:`],
    outlook: ["보낸 사람", "보낸 날짜", "받는 사람", "제목"],
    phone: "나의 iPhone에서 보냄",
  },
];
