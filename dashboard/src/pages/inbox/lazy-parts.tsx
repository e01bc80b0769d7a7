import { type ComponentType, lazy, Suspense } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { Notice } from "../../components/notice.tsx";

const NotLoaded = ({ onClose }: { onClose?: () => void }) =>
  onClose ? (
    <Dialog open onClose={onClose} title="Not loaded">
      <Notice tone="danger">{NOT_LOADED}</Notice>
    </Dialog>
  ) : (
    <Notice tone="danger">{NOT_LOADED}</Notice>
  );

const NOT_LOADED = "This could not be loaded. Reload the page to try again.";

/** Loaded when it is first needed: the inbox itself stays small, and stays as it is if that fails. */
function whenNeeded<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Loaded = lazy(() =>
    load().then(
      (component) => ({ default: component }),
      () => ({ default: NotLoaded as ComponentType<Props> }),
    ),
  ) as unknown as ComponentType<Props>;
  return (props) => (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}

export const Palette = whenNeeded(() => import("./palette.tsx").then((loaded) => loaded.Palette));
export const ShortcutHelp = whenNeeded(() => import("./shortcut-help.tsx").then((loaded) => loaded.ShortcutHelp));
export const LabelDialog = whenNeeded(() => import("./label-dialog.tsx").then((loaded) => loaded.LabelDialog));
/** Apart, because agents have no use for it. */
export const ConversationEvents = whenNeeded(() =>
  import("./conversation-events.tsx").then((loaded) => loaded.ConversationEvents),
);
export const ContactAttributes = whenNeeded(() =>
  import("./contact-attributes.tsx").then((loaded) => loaded.ContactAttributes),
);
export const NothingOpen = whenNeeded(() => import("./thread-states.tsx").then((loaded) => loaded.NothingOpen));
export const GoneConversation = whenNeeded(() =>
  import("./thread-states.tsx").then((loaded) => loaded.GoneConversation),
);
export const EmptyView = whenNeeded(() => import("./empty-view.tsx").then((loaded) => loaded.EmptyView));
export const BulkBar = whenNeeded(() => import("./bulk-bar.tsx").then((loaded) => loaded.BulkBar));
export const Suggestions = whenNeeded(() => import("./suggestions.tsx").then((loaded) => loaded.Suggestions));
export const UploadList = whenNeeded(() => import("./upload-list.tsx").then((loaded) => loaded.UploadList));
export const InsertPicker = whenNeeded(() => import("./insert-picker.tsx").then((loaded) => loaded.InsertPicker));
