import { Component, type ReactNode } from 'react';
import { Logo } from './Logo';
import { productName } from './name';
import './brand.css';

/** Stands in where the application could not be loaded or broke down, and offers to load the page anew. */
export class StartupFailure extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="splash">
        <Logo size={40} />
        <div role="alert">
          <h1>{productName} could not be loaded</h1>
          <p>
            The connection may have been lost, or a new version has been installed. Changes that were not confirmed may
            not be saved.
          </p>
        </div>
        <button type="button" onClick={() => window.location.reload()}>
          Try again
        </button>
      </main>
    );
  }
}
