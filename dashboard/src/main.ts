import { language } from "./lib/language.ts";
import { loadTexts } from "./lib/texts.ts";

document.documentElement.lang = language;

const start = () => import("./start.tsx");

// The texts first, so that code which runs once finds them too. In English there is nothing to wait for.
if (language === "en") void start();
else loadTexts().then(start, start);
