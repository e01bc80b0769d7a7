import { type ComponentType, lazy, Suspense } from "react";
import { t } from "../lib/texts.ts";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./notice.tsx";

const NotLoaded = ({ onClose }: { onClose?: () => void }) =>
  onClose ? (
    <Dialog open onClose={onClose} title={t("Not loaded")}>
      <Notice tone="danger">{NOT_LOADED}</Notice>
    </Dialog>
  ) : (
    <Notice tone="danger">{NOT_LOADED}</Notice>
  );

const NOT_LOADED = t("This could not be loaded. Reload the page to try again.");

/** Loaded when it is first needed: the page itself stays small, and stays as it is if that fails. */
export function whenNeeded<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  /** What is shown until then. */
  Meanwhile?: ComponentType<Props>,
): ComponentType<Props> {
  const Loaded = lazy(() =>
    load().then(
      (component) => ({ default: component }),
      () => ({ default: NotLoaded as ComponentType<Props> }),
    ),
  ) as unknown as ComponentType<Props>;
  return (props) => (
    <Suspense fallback={Meanwhile ? <Meanwhile {...props} /> : null}>
      <Loaded {...props} />
    </Suspense>
  );
}
