import { reasonOf } from "../../api/client.ts";
import { readTranscript } from "../../api/transcript.ts";
import { copyText } from "../../components/code.tsx";
import { toast } from "../../components/toast.tsx";
import { t } from "../../lib/texts.ts";
import { workspaceHref, workspaceInUrl } from "../../lib/workspace.ts";

interface Place {
  conversation: number;
  /** The number of a message in it. */
  seq?: number;
}

/** The address at which a colleague sees the same conversation, or the message. */
export async function copyLinkTo({ conversation, seq }: Place): Promise<void> {
  const path = `/inbox/${conversation}${seq === undefined ? "" : `?message=${seq}`}`;
  const workspace = workspaceInUrl();
  await copy(window.location.origin + (workspace === null ? path : workspaceHref(workspace, path)), t("Link copied"));
}

export async function copy(text: string, done: string): Promise<void> {
  if (await copyText(text)) toast(done);
  else toast(t("Your browser does not permit this page to copy."), { failed: true });
}

/** The public messages, as a text file. */
export const downloadConversation = (id: number): Promise<void> =>
  withTranscript(id, (text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = `conversation-${id}.txt`;
    link.click();
    URL.revokeObjectURL(link.href);
  });

/** The public messages. On paper there is nothing else of the page, see styles.css. */
export const printConversation = (id: number): Promise<void> =>
  withTranscript(id, (text) => {
    const sheet = document.createElement("pre");
    sheet.dataset.print = "";
    sheet.textContent = text;
    document.body.append(sheet);
    window.addEventListener("afterprint", () => sheet.remove(), { once: true });
    window.print();
  });

async function withTranscript(id: number, use: (text: string) => void): Promise<void> {
  try {
    use(await readTranscript(id));
  } catch (error) {
    toast(reasonOf(error as Error), { failed: true });
  }
}
