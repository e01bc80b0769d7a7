/** The public settings of a widget, as `/widget/{public_id}/settings.js` has them. */
export interface WidgetSettings {
  public_id: string;
  is_active: boolean;
  color: string;
  position: "left" | "right";
  texts: Record<string, CustomTexts>;
  ask_name: Asked;
  ask_email: Asked;
  require_identity: boolean;
  /** Replies that the visitor has not seen go to their e-mail address. */
  replies_by_mail: boolean;
}

interface CustomTexts {
  title?: string;
  greeting?: string;
  launcher?: string;
  placeholder?: string;
}

type Asked = "no" | "optional" | "required";

export type Theme = "light" | "dark";

/** What the page sends to the frame. `init` comes first, whenever the frame has loaded. */
export type ToFrame =
  | {
      kind: "init";
      settings: WidgetSettings;
      /** In the order of preference: the snippet's, the page's, the browser's. */
      languages: readonly string[];
      /** Of the page, without query and fragment. */
      page: string;
      token: string | null;
      theme: Theme | null;
      covering: boolean;
      isOpen: boolean;
      /** Settings > Widgets shows the frame with settings that are not saved: nothing is sent. */
      preview: boolean;
    }
  | { kind: "shown"; isOpen: boolean }
  /** The frame covers the page, and the launcher with it: it needs its own button to close. */
  | { kind: "layout"; covering: boolean }
  | { kind: "theme"; theme: Theme | null }
  | { kind: "page"; url: string }
  | { kind: "identify"; token: string }
  | { kind: "logout" };

/** What the frame sends to the page. */
export type ToPage =
  | { kind: "ready" }
  | { kind: "close" }
  /** `text`: the same in the language of the visitor, for the launcher. */
  | { kind: "unread"; count: number; text: string }
  | { kind: "message"; message: { id: string; conversation: string; direction: "in" | "out" } }
  | { kind: "identity-expired" }
  | { kind: "identity-refused"; reason: string };

/** Other scripts post messages too: ours are marked. */
export interface Envelope<Message> {
  parley: 1;
  message: Message;
}

export function isEnvelope<Message>(data: unknown): data is Envelope<Message> {
  return typeof data === "object" && data !== null && (data as { parley?: unknown }).parley === 1;
}
