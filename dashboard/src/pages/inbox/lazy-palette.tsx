import { lazy, Suspense } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { Notice } from "../../components/notice.tsx";

interface PaletteProps {
  onClose: () => void;
}

const NotLoaded = ({ onClose }: PaletteProps) => (
  <Dialog open onClose={onClose} title="Search">
    <Notice tone="danger">Search could not be loaded. Reload the page to try again.</Notice>
  </Dialog>
);

const Loaded = lazy(() =>
  import("./palette.tsx").then(
    ({ Palette }) => ({ default: Palette }),
    () => ({ default: NotLoaded }),
  ),
);

/** Loaded when it is first opened: the inbox itself stays small, and stays as it is if that fails. */
export const Palette = (props: PaletteProps) => (
  <Suspense fallback={null}>
    <Loaded {...props} />
  </Suspense>
);
