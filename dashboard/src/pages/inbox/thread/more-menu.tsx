import { Download, Link2, Mail, MoreHorizontal, Printer, Tag } from "lucide-react";
import { IconButton } from "../../../components/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../../components/menu.tsx";
import { t } from "../../../lib/texts.ts";
import type { InboxActions } from "../use-inbox-actions.ts";

/** What is done less often with a conversation. */
export const MoreMenu = ({ id, actions }: { id: number; actions: InboxActions }) => (
  <Menu trigger={<IconButton size="small" label={t("More")} icon={<MoreHorizontal size={16} aria-hidden />} />}>
    <MenuItem icon={<Tag size={14} aria-hidden />} onSelect={() => actions.editLabels(id)}>
      {t("Labels")}
    </MenuItem>
    <MenuItem icon={<Mail size={14} aria-hidden />} onSelect={() => actions.markUnread(id)}>
      {t("Mark as unread")}
    </MenuItem>
    <MenuSeparator />
    <MenuItem icon={<Link2 size={14} aria-hidden />} onSelect={() => actions.copyLink(id)}>
      {t("Copy link")}
    </MenuItem>
    <MenuItem icon={<Download size={14} aria-hidden />} onSelect={() => actions.download(id)}>
      {t("Download as text")}
    </MenuItem>
    <MenuItem icon={<Printer size={14} aria-hidden />} onSelect={() => actions.print(id)}>
      {t("Print")}
    </MenuItem>
  </Menu>
);
