import { Paperclip, X } from "lucide-react";
import type { DraftFile } from "../../../api/drafts.ts";
import { IconButton } from "../../../components/button.tsx";
import { t } from "../../../lib/texts.ts";
import { formatBytes } from "../names.ts";
import css from "./composer.module.css";
import type { Upload } from "./use-uploads.ts";

interface UploadListProps {
  files: readonly DraftFile[];
  uploads: readonly Upload[];
  onRemoveFile: (id: number) => void;
  onRemove: (key: string) => void;
}

/** The files of the draft, and those on their way to the server. */
export function UploadList({ files, uploads, onRemoveFile, onRemove }: UploadListProps) {
  return (
    <ul className={css.uploads} aria-label={t("Attached files")}>
      {files.map(({ id, name, size_bytes }) => (
        <Item key={id} name={name} detail={formatBytes(size_bytes)} onRemove={() => onRemoveFile(id)} />
      ))}
      {uploads.map(({ key, name, share, error }) => (
        <Item
          key={key}
          name={name}
          detail={error ?? `${Math.round(share * 100)}%`}
          failed={error !== null}
          onRemove={() => onRemove(key)}
        />
      ))}
    </ul>
  );
}

interface ItemProps {
  name: string;
  detail: string;
  failed?: boolean;
  onRemove: () => void;
}

const Item = ({ name, detail, failed = false, onRemove }: ItemProps) => (
  <li className={css.upload} data-failed={failed ? "" : undefined}>
    <Paperclip size={12} aria-hidden />
    <span>{name}</span>
    <small role="status">{detail}</small>
    <IconButton
      size="small"
      label={t("Remove {name}", { name })}
      icon={<X size={12} aria-hidden />}
      onClick={onRemove}
    />
  </li>
);
