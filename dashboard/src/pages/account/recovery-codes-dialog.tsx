import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/code.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import css from "./account.module.css";

/** The one time they are seen: it closes by its own button only. */
export const RecoveryCodesDialog = ({ codes, onClose }: { codes: string[]; onClose: () => void }) => (
  <Dialog
    open
    locked
    onClose={onClose}
    title="Save your recovery codes"
    footer={
      <>
        <CopyButton text={codes.join("\n")} what="recovery codes" words />
        <Button variant="primary" onClick={onClose}>
          I have saved them
        </Button>
      </>
    }
  >
    <Notice tone="warning" title="They are shown only now">
      Each code signs you in once when your phone or passkey is lost. Keep them where you keep passwords.
    </Notice>
    <ul className={css.codes}>
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
  </Dialog>
);
