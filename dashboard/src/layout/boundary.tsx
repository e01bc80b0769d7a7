import { Component, type ReactNode } from "react";
import { ErrorState } from "../components/states.tsx";

interface BoundaryProps {
  children: ReactNode;
  /** A new value clears the error, so that an error of one page does not affect the next. */
  resetKey?: string;
}

interface BoundaryState {
  error: Error | null;
  resetKey: string | undefined;
}

/** Keeps a page that throws from breaking the whole app; also catches a chunk of an older build that is gone. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps({ resetKey }: BoundaryProps, state: BoundaryState) {
    return resetKey === state.resetKey ? null : { error: null, resetKey };
  }

  override render() {
    const { error } = this.state;
    return error ? <ErrorState error={error} onRetry={() => window.location.reload()} /> : this.props.children;
  }
}
