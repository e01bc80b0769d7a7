import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

/** Two people edited the same thing. Nothing is overwritten, and what was typed stays until its author decides. */
export const Conflict = ({ what, onReload }: { what: string; onReload: () => void }) => (
  <Notice
    tone="warning"
    title={`Someone changed this ${what} while you were editing it`}
    actions={
      <Button size="small" onClick={onReload}>
        Discard my changes and load it again
      </Button>
    }
  >
    Your changes were not saved. Copy what you need, then load the current version and repeat them.
  </Notice>
);
