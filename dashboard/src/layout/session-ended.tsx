import { useEffect, useState } from "react";
import { onSessionEnd, type SessionEnd } from "../api/client.ts";
import { whenNeeded } from "../components/when-needed.tsx";

/** Rarely needed, and the server has just responded when it is. */
const SignInAgain = whenNeeded(() => import("./sign-in-again.tsx").then((loaded) => loaded.SignInAgain));

const Removed = whenNeeded(() => import("./removed.tsx").then((loaded) => loaded.Removed));

/** The page stays open when the session ends: signing in on top of it keeps what was typed or shown once. */
export function SessionEnded() {
  const [ended, setEnded] = useState<SessionEnd | null>(null);
  // The reason may arrive after the first refused request, and stays.
  useEffect(() => onSessionEnd((why) => setEnded((before) => (before === "removed" ? before : why))), []);
  if (ended === "removed") return <Removed />;
  return ended ? <SignInAgain onDone={() => setEnded(null)} /> : null;
}
