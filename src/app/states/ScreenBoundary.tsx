import { Component, type ReactNode } from 'react';
import { FailedState } from './FailedState';

/** Catches errors of a screen, so that the menu beside it still works. */
export class ScreenBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    if (!this.state.error) return this.props.children;
    return (
      <FailedState
        title="This screen could not be shown"
        message="Try again, or reload the page. Unsaved changes may be lost."
        onRetry={() => this.setState({ error: null })}
      />
    );
  }
}
