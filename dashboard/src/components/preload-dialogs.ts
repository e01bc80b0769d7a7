import { provideParts } from "./dialog.tsx";
import * as parts from "./dialog-parts.tsx";

/** Imported by pages whose work is done in dialogs: there they open at once, also after the connection was lost. */
provideParts(parts);
