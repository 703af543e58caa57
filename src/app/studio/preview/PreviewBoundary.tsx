import { Component, type ReactNode } from 'react';
import { FailedState } from '../../states/FailedState';

interface PreviewBoundaryProps {
  /** When it changes, the preview is rendered again after an error. */
  attempt: unknown;
  children: ReactNode;
}

interface PreviewBoundaryState {
  failed: boolean;
  attempt: unknown;
}

/** Catches errors of the preview, so that the editor keeps working; the next draft is tried again. */
export class PreviewBoundary extends Component<PreviewBoundaryProps, PreviewBoundaryState> {
  override state: PreviewBoundaryState = { failed: false, attempt: this.props.attempt };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  static getDerivedStateFromProps({ attempt }: PreviewBoundaryProps, stateBefore: PreviewBoundaryState) {
    return attempt === stateBefore.attempt ? null : { failed: false, attempt };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <FailedState
        title="The preview could not be shown"
        message="Your draft is safe. The preview tries again with your next change."
        onRetry={() => this.setState({ failed: false })}
      />
    );
  }
}
