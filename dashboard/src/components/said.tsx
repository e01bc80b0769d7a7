import { useEffect, useState } from "react";
import { loadTranslator } from "../api/client.ts";
import { language } from "../lib/language.ts";

type Translator = (message: string) => string;

const ENGLISH: Translator = (message) => message;
/** Until the sentences are loaded: nothing, rather than English for a moment. */
const NOTHING: Translator = () => "";

/** Says what the server wrote down in English when it happened in the language of the page. */
export function useSaid(): Translator {
  const [translate, setTranslate] = useState(() => (language === "en" ? ENGLISH : NOTHING));
  useEffect(() => {
    let isShown = true;
    if (language !== "en") void loadTranslator().then((loaded) => isShown && setTranslate(() => loaded));
    return () => {
      isShown = false;
    };
  }, []);
  return translate;
}

export function Said({ text }: { text: string }) {
  return useSaid()(text);
}
