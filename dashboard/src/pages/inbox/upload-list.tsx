import { X } from "lucide-react";
import { IconButton } from "../../components/button.tsx";
import css from "./composer.module.css";
import { formatBytes } from "./names.ts";
import type { Upload } from "./use-uploads.ts";

/** Files on their way to the server, and those that are there. */
export function UploadList({ uploads, onRemove }: { uploads: readonly Upload[]; onRemove: (key: string) => void }) {
  return (
    <ul className={css.uploads}>
      {uploads.map(({ key, name, size, share, error }) => (
        <li key={key} className={css.upload} data-failed={error ? "" : undefined}>
          <span>{name}</span>
          <small role="status">{error ?? (share < 1 ? `${Math.round(share * 100)} %` : formatBytes(size))}</small>
          <IconButton
            size="small"
            label={`Remove ${name}`}
            icon={<X size={12} aria-hidden />}
            onClick={() => onRemove(key)}
          />
        </li>
      ))}
    </ul>
  );
}
