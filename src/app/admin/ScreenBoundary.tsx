import { Component, type ReactNode } from 'react';
import { FailedState } from '../states/FailedState';

/** Catches a screen that broke, so that the menu beside it still works. */
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
        message="Trying again may help; so may loading the page again. Changes that were not confirmed may not be saved."
        onRetry={() => this.setState({ error: null })}
      />
    );
  }
}
