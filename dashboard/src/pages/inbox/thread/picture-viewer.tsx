import { ChevronLeft, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { isImage, linkOf, messagesOf, useMessages } from "../../../api/messages.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { t } from "../../../lib/texts.ts";
import css from "./picture-viewer.module.css";

interface PictureViewerProps {
  conversation: number;
  /** The link of the picture that is shown first. */
  first: string;
  onClose: () => void;
}

/** The pictures of a conversation, as far as it is loaded, one at a time. Arrow keys lead to the next. */
export function PictureViewer({ conversation, first, onClose }: PictureViewerProps) {
  const pictures = messagesOf(useMessages(conversation).data).flatMap(({ attachments }) => attachments.filter(isImage));
  // Links are renewed; a file stays the same.
  const [shown, setShown] = useState(() => pathOf(first));
  const index = Math.max(
    0,
    pictures.findIndex((picture) => pathOf(linkOf(picture)) === shown),
  );
  const picture = pictures[index];
  const go = (by: 1 | -1) => {
    const next = pictures[index + by];
    if (next) setShown(pathOf(linkOf(next)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowLeft") go(-1);
    if (event.key === "ArrowRight") go(1);
  };
  if (!picture) return null;
  const name = picture.name ?? t("Picture");
  return (
    <Dialog open large onClose={onClose} title={name}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its buttons do the same as the keys */}
      <div className={css.viewer} onKeyDown={onKeyDown}>
        <div className={css.moves}>
          <Button icon={<ChevronLeft size={16} aria-hidden />} disabled={index === 0} onClick={() => go(-1)}>
            {t("Previous")}
          </Button>
          <span role="status">{t("{n} of {total}", { n: index + 1, total: pictures.length })}</span>
          <Button
            icon={<ChevronRight size={16} aria-hidden />}
            disabled={index === pictures.length - 1}
            onClick={() => go(1)}
          >
            {t("Next")}
          </Button>
          <a href={linkOf(picture)} target="_blank" rel="noopener noreferrer">
            {t("Open in a new tab")}
          </a>
        </div>
        <img key={shown} src={linkOf(picture)} alt={name} />
      </div>
    </Dialog>
  );
}

const pathOf = (link: string): string => link.split("?")[0] ?? link;
