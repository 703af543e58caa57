import { Component, type ReactNode } from 'react';
import { Logo } from './Logo';
import { productTitle } from './productTitle';
import * as styles from './brand.module.css';

/** Replaces an application that could not be loaded or crashed, and offers to reload the page. */
export class StartupFailure extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className={styles.splash}>
        <Logo size={40} />
        <div role="alert">
          <h1>{productTitle()} could not be loaded</h1>
          <p>The connection was lost, or a new version was installed. Unsaved changes may be lost.</p>
        </div>
        <button type="button" onClick={() => window.location.reload()}>
          Try again
        </button>
      </main>
    );
  }
}
