import { type MouseEvent, useState } from "react";
import { type Attachment, linkOf } from "../../../api/messages.ts";
import { t } from "../../../lib/texts.ts";
import { PictureViewer } from "../lazy-parts.tsx";
import css from "./thread.module.css";

interface PicturesProps {
  conversation: number;
  pictures: readonly Attachment[];
}

/** Each opens large, between the others of the conversation; with Ctrl or a middle click in a tab of its own. */
export function Pictures({ conversation, pictures }: PicturesProps) {
  const [opened, setOpened] = useState<string | null>(null);
  const open = (event: MouseEvent, link: string) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setOpened(link);
  };
  return (
    <>
      {pictures.map((picture) => {
        const link = linkOf(picture);
        return (
          <li key={picture.file_id ?? link}>
            <a
              href={link}
              target="_blank"
              rel="noopener noreferrer"
              aria-haspopup="dialog"
              onClick={(event) => open(event, link)}
            >
              <img src={link} alt={picture.name ?? t("Attached picture")} loading="lazy" className={css.picture} />
            </a>
          </li>
        );
      })}
      {opened !== null && <PictureViewer conversation={conversation} first={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
