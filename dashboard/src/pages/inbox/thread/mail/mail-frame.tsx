import { useEffect, useRef, useState } from "react";
import css from "./mail.module.css";
import { fillFrame } from "./mail-html.ts";

interface MailFrameProps {
  html: string;
  quoted: string | null;
  title: string;
}

const HEIGHT_MIN = 40;
/** What a page of mail cannot reach by a mistake of its styles. */
const HEIGHT_MAX = 30_000;

/**
 * The HTML of a mail in a frame of its own, in which nothing runs. It is as high as its content; what is wider scrolls
 * inside it.
 */
export function MailFrame({ html, quoted, title }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isLoaded, setLoaded] = useState(false);
  const [height, setHeight] = useState(HEIGHT_MIN);
  useEffect(() => {
    const body = frame.current?.contentDocument?.body;
    if (!isLoaded || !frame.current || !body) return;
    fillFrame(frame.current, { html, quoted });
    const measure = () => {
      const { scrollWidth, clientWidth } = body.ownerDocument.documentElement;
      const bar = scrollWidth > clientWidth ? 16 : 0;
      setHeight(Math.min(HEIGHT_MAX, Math.max(HEIGHT_MIN, Math.ceil(body.getBoundingClientRect().height) + bar)));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(body);
    return () => observer.disconnect();
  }, [isLoaded, html, quoted]);
  return (
    <iframe
      ref={frame}
      title={title}
      className={css.frame}
      src="/mail-frame.html"
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      loading="lazy"
      style={{ height }}
      onLoad={() => setLoaded(true)}
    />
  );
}
