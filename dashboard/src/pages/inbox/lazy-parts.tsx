import { whenNeeded } from "../../components/when-needed.tsx";

export const ShortcutHelp = whenNeeded(() => import("./shortcut-help.tsx").then((loaded) => loaded.ShortcutHelp));
export const LabelDialog = whenNeeded(() => import("./details/label-dialog.tsx").then((loaded) => loaded.LabelDialog));
export const AllLabels = whenNeeded(() => import("./list/all-labels.tsx").then((loaded) => loaded.AllLabels));
/** Apart, because agents have no use for it. */
export const ConversationEvents = whenNeeded(() =>
  import("./details/conversation-events.tsx").then((loaded) => loaded.ConversationEvents),
);
export const ContactAttributes = whenNeeded(() =>
  import("./details/contact-attributes.tsx").then((loaded) => loaded.ContactAttributes),
);
export const NothingOpen = whenNeeded(() => import("./thread/thread-states.tsx").then((loaded) => loaded.NothingOpen));
export const GoneConversation = whenNeeded(() =>
  import("./thread/thread-states.tsx").then((loaded) => loaded.GoneConversation),
);
export const EmptyView = whenNeeded(() => import("./list/empty-view.tsx").then((loaded) => loaded.EmptyView));
export const BulkLabelDialog = whenNeeded(() =>
  import("./list/bulk-label-dialog.tsx").then((loaded) => loaded.BulkLabelDialog),
);
export const BulkBar = whenNeeded(() => import("./list/bulk-bar.tsx").then((loaded) => loaded.BulkBar));
export const Suggestions = whenNeeded(() => import("./thread/suggestions.tsx").then((loaded) => loaded.Suggestions));
export const UploadList = whenNeeded(() => import("./composer/upload-list.tsx").then((loaded) => loaded.UploadList));
export const InsertPicker = whenNeeded(() =>
  import("./composer/insert-picker.tsx").then((loaded) => loaded.InsertPicker),
);
export const ViewDialog = whenNeeded(() => import("./list/view-dialog.tsx").then((loaded) => loaded.ViewDialog));
export const ManageViews = whenNeeded(() => import("./list/manage-views.tsx").then((loaded) => loaded.ManageViews));
export const SnoozeDialog = whenNeeded(() => import("./snooze-dialog.tsx").then((loaded) => loaded.SnoozeDialog));
export const EditMessageDialog = whenNeeded(() =>
  import("./thread/edit-message-dialog.tsx").then((loaded) => loaded.EditMessageDialog),
);
export const PictureViewer = whenNeeded(() =>
  import("./thread/picture-viewer.tsx").then((loaded) => loaded.PictureViewer),
);
export const EmojiPicker = whenNeeded(() => import("./composer/emoji-picker.tsx").then((loaded) => loaded.EmojiPicker));
/** Apart, because many conversations have no mail. Its text is there at once. */
export const MailMessage = whenNeeded(
  () => import("./thread/mail/mail-message.tsx").then((loaded) => loaded.MailMessage),
  ({ text }) => text,
);
export const Recipients = whenNeeded(() => import("./composer/recipients.tsx").then((loaded) => loaded.Recipients));
