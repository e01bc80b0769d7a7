import type { Language } from "./language.ts";

/** All that the loader says: what opens the chat, what closes it, and the frame's title. */
export const LAUNCHER_TEXTS: Record<Language, readonly [open: string, close: string, title: string]> = {
  en: ["Open chat", "Close chat", "Chat"],
  de: ["Chat öffnen", "Chat schließen", "Chat"],
  es: ["Abrir el chat", "Cerrar el chat", "Chat"],
  fr: ["Ouvrir le chat", "Fermer le chat", "Chat"],
  "pt-BR": ["Abrir o chat", "Fechar o chat", "Chat"],
  it: ["Apri la chat", "Chiudi la chat", "Chat"],
  nl: ["Chat openen", "Chat sluiten", "Chat"],
  pl: ["Otwórz czat", "Zamknij czat", "Czat"],
  tr: ["Sohbeti aç", "Sohbeti kapat", "Sohbet"],
  ar: ["فتح الدردشة", "إغلاق الدردشة", "دردشة"],
  ja: ["チャットを開く", "チャットを閉じる", "チャット"],
  "zh-CN": ["打开聊天", "关闭聊天", "聊天"],
};
