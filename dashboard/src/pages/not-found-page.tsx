import { Compass } from "lucide-react";
import { LinkButton } from "../components/button.tsx";
import { EmptyState } from "../components/states.tsx";
import { usePageTitle } from "../lib/use-page-title.ts";

export function NotFoundPage() {
  usePageTitle("Not found");
  return (
    <EmptyState
      icon={<Compass size={20} />}
      title="There is no such page"
      actions={<LinkButton href="/">Start page</LinkButton>}
    >
      The address may be mistyped, or the page was moved.
    </EmptyState>
  );
}
