import { useEffect, useRef, useState } from "react";
import type { ToFrame } from "../../../../widget/src/shared/protocol.ts";
import type { Widget } from "../../api/widgets.ts";
import { Notice } from "../../components/notice.tsx";
import { t } from "../../lib/texts.ts";
import type { FormValues } from "./form-values.ts";
import css from "./widgets.module.css";

interface PreviewProps {
  widget: Widget;
  values: FormValues;
  language: string;
}

/** The real frame, with the values of the form. In a preview it sends nothing. */
export function Preview({ widget, values, language }: PreviewProps) {
  if (!widget.is_active) return <Notice>{t("An inactive widget has no preview.")}</Notice>;
  // Another language is another frame: its texts are chosen when it starts.
  return <PreviewFrame key={language} widget={widget} values={values} language={language} />;
}

function PreviewFrame({ widget, values, language }: PreviewProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [loaded, setLoaded] = useState(false);
  const { color, texts, ask_name, ask_email, require_identity, position } = values;
  useEffect(() => {
    if (!loaded) return;
    const settings = { public_id: widget.public_id, is_active: true, position, texts, ask_name, ask_email };
    const message: ToFrame = {
      kind: "init",
      settings: {
        ...settings,
        color: /^#[0-9a-f]{6}$/i.test(color) ? color : widget.color,
        require_identity,
        replies_by_mail: widget.mailbox_id !== null,
      },
      ...{ languages: [language], page: "", token: null, theme: null },
      ...{ covering: false, isOpen: false, preview: true },
    };
    frame.current?.contentWindow?.postMessage({ parley: 1, message }, location.origin);
  }, [loaded, widget, color, texts, ask_name, ask_email, require_identity, position, language]);
  return (
    <iframe
      ref={frame}
      title={t("Preview of the chat")}
      className={css.preview}
      src={`/widget/${widget.public_id}/frame`}
      onLoad={() => setLoaded(true)}
    />
  );
}
