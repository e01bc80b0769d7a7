import { useEffect, useState } from "react";
import { onSessionEnd } from "../api/client.ts";
import { whenNeeded } from "../components/when-needed.tsx";

/** Rarely needed, and the server has just responded when it is. */
const SignInAgain = whenNeeded(() => import("./sign-in-again.tsx").then((loaded) => loaded.SignInAgain));

/** The page stays open when the session ends: signing in on top of it keeps what was typed or shown once. */
export function SessionEnded() {
  const [ended, setEnded] = useState(false);
  useEffect(() => onSessionEnd(() => setEnded(true)), []);
  return ended ? <SignInAgain onDone={() => setEnded(false)} /> : null;
}
