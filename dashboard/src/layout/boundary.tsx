import { Component, type ReactNode } from "react";
import { ErrorState } from "../components/states.tsx";

/** Keeps a page that throws from taking the whole app with it; also catches a chunk of an older build that is gone. */
export class Boundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state = { error: null as Error | null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { error } = this.state;
    return error ? <ErrorState error={error} onRetry={() => window.location.reload()} /> : this.props.children;
  }
}
