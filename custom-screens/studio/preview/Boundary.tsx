import { Component, type ReactNode } from 'react';
import { FailedState } from '../../../src/app/states/FailedState';

interface BoundaryProps {
  /** Something else than before is another attempt. */
  attempt: unknown;
  children: ReactNode;
}

interface BoundaryState {
  failed: boolean;
  attempt: unknown;
}

/** Catches a preview that could not be drawn, so that the editor beside it still works; the next draft is another attempt. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failed: false, attempt: this.props.attempt };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  static getDerivedStateFromProps({ attempt }: BoundaryProps, before: BoundaryState) {
    return attempt === before.attempt ? null : { failed: false, attempt };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <FailedState
        title="The preview could not be drawn"
        message="Your draft is safe. The preview tries again with your next change."
        onRetry={() => this.setState({ failed: false })}
      />
    );
  }
}
