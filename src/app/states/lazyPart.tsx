import { Component, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';
import './states.css';

/** The code of a part could not be loaded. */
class NotLoaded extends Error {}

/** Milliseconds after which code that does not come is given up. */
const patience = 30_000;

/**
 * A part whose code is loaded when it is first shown. Unlike with `lazy` alone, code that does not come is given up
 * after a while, and what stands in its place offers to try again: a form around it keeps what was typed. `Meanwhile`,
 * which gets the same properties, is shown until the code is there; without it a `Suspense` is needed around.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as React's own `lazy` has it
export function lazyPart<Part extends ComponentType<any>>(
  load: () => Promise<{ default: Part }>,
  Meanwhile?: Part,
): Part {
  let isLost = false;
  const lose = () => {
    isLost = true;
  };
  const begin = () => lazy(() => within(load(), lose));
  let current = begin();
  const renew = () => {
    if (isLost) current = begin();
    isLost = false;
  };
  function LazyPart(props: Record<string, unknown>) {
    const [, setAttempt] = useState(0);
    const Shown = current as unknown as ComponentType<Record<string, unknown>>;
    const Before = Meanwhile as unknown as ComponentType<Record<string, unknown>> | undefined;
    const meanwhile = Before && <Before {...props} />;
    const again = () => {
      renew();
      setAttempt((count) => count + 1);
    };
    return (
      <Boundary onAgain={again} onGone={renew} meanwhile={meanwhile}>
        {meanwhile ? (
          <Suspense fallback={meanwhile}>
            <Shown {...props} />
          </Suspense>
        ) : (
          <Shown {...props} />
        )}
      </Boundary>
    );
  }
  return LazyPart as unknown as Part;
}

function within<T>(loading: Promise<T>, onLost: () => void): Promise<T> {
  return new Promise((done, fail) => {
    const lose = (cause: unknown) => {
      onLost();
      fail(new NotLoaded(String(cause)));
    };
    const late = setTimeout(() => lose('It did not come in time.'), patience);
    void loading.then(done, lose).finally(() => clearTimeout(late));
  });
}

interface BoundaryProps {
  onAgain: () => void;
  /** The part is shown no more: the next time it is loaded again. */
  onGone: () => void;
  meanwhile: ReactNode;
  children: ReactNode;
}

/** Shows in place of a part that it could not be loaded. Whatever else goes wrong in it is not its matter. */
class Boundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch() {
    window.addEventListener('online', this.again);
  }

  override componentWillUnmount() {
    window.removeEventListener('online', this.again);
    this.props.onGone();
  }

  private readonly again = () => {
    window.removeEventListener('online', this.again);
    this.setState({ error: null });
    this.props.onAgain();
  };

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (!(error instanceof NotLoaded)) throw error;
    const lost = (
      <div className="part-lost" role="alert">
        <p>This part could not be loaded. The connection may be lost, or a new version was installed.</p>
        <button type="button" onClick={this.again}>
          Try again
        </button>
        <button type="button" onClick={() => window.location.reload()}>
          Reload the page
        </button>
      </div>
    );
    return (
      <>
        {lost}
        {this.props.meanwhile}
      </>
    );
  }
}
