import { createContext, use, useEffect, useEffectEvent, useState, type ComponentType, type ReactNode } from 'react';
import { useLostConnection, useReconnection } from '../session/connection';
import type { StateActionsProps } from './StateActions';
import * as styles from './states.module.css';

/** Loads a component, as `import` does. */
// oxlint-disable-next-line typescript/no-explicit-any -- as React's own `lazy` has it
type Load<Part extends ComponentType<any>> = () => Promise<{ default: Part }>;

/** The timeout for loading code, in milliseconds. */
const loadTimeout = 30_000;

/** Loaded components by their loader: rendered at once from then on. */
const loadedComponents = new Map<unknown, unknown>();
const loading = new Map<unknown, Promise<unknown>>();

interface LazyCode {
  load: () => Promise<{ default: unknown }>;
  /** Whether something of the same size is shown until the code has loaded. */
  hasStandIn: boolean;
}

/** By lazy component, its code. */
const lazyCode = new WeakMap<object, LazyCode>();

/**
 * Loads the code of a lazy component before it is rendered, as far as it is one. Returns what to wait for so that
 * nothing around the component moves later: undefined if it is loaded, or has its size before. Never rejects.
 *
 * @example await preloadLazy(inputOf(field).Input);
 */
export function preloadLazy(component: object): Promise<void> | undefined {
  const code = lazyCode.get(component);
  if (!code || loadedComponents.has(code.load)) return undefined;
  // The component that renders it says that it could not be loaded.
  const pendingLoad = preloadComponent(code.load as Load<ComponentType>).then(
    () => {},
    () => {},
  );
  return code.hasStandIn ? undefined : pendingLoad;
}

const FallbackContext = createContext<ReactNode>(null);

/** Shows `fallback` for lazy components below while their code loads. */
export function LoadingFallback({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  return <FallbackContext value={fallback}>{children}</FallbackContext>;
}

/**
 * Loads a component's code, once; later lazy components with the same loader render at once. Rejects as `load` does, or
 * after a timeout.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- as above
export function preloadComponent<Part extends ComponentType<any>>(load: Load<Part>): Promise<unknown> {
  const currentLoad = loading.get(load);
  if (currentLoad) return currentLoad;
  const newLoad = withTimeout(load()).then(
    (module) => loadedComponents.set(load, module.default),
    (error: unknown) => {
      loading.delete(load);
      throw error;
    },
  );
  loading.set(load, newLoad);
  return newLoad;
}

/**
 * A component whose code is loaded when it is first rendered. If loading fails, an error with a retry button is shown
 * in its place: a form around it keeps its values. `Instead`, which gets the same props, or else the surrounding
 * fallback is shown until the code has loaded. Not React's `lazy`: after each fallback of a `Suspense` React waits 300
 * ms before it shows the loaded component, and lazy components are nested.
 *
 * @example const Chart = lazyComponent(() => import('./Chart').then((module) => ({ default: module.Chart })));
 */
// oxlint-disable-next-line typescript/no-explicit-any -- as above
export function lazyComponent<Part extends ComponentType<any>>(load: Load<Part>, Instead?: Part): Part {
  return createLazyComponent(load, Instead, LoadFailed);
}

/** A lazy component that is a whole screen: while there is no connection, a screen of its own says so. */
// oxlint-disable-next-line typescript/no-explicit-any -- as above
export function lazyScreen<Part extends ComponentType<any>>(load: Load<Part>): Part {
  return createLazyComponent(load, undefined, (props) => <LoadFailed {...props} isScreen />);
}

type OfflineScreen = ComponentType<{ title?: string } & StateActionsProps>;
let CurrentOfflineScreen: OfflineScreen = ({ title }) => (
  <div role="alert">
    <h2>{title ?? 'There is no connection.'}</h2>
  </div>
);

/** Sets what is shown in place of what cannot be loaded without a connection: the bar that says that it is lost has its code. */
export const setOfflineScreen = (screen: OfflineScreen): void => {
  CurrentOfflineScreen = screen;
};

/** In place of what cannot be loaded without a connection. */
export const NotOpened: OfflineScreen = (props) => <CurrentOfflineScreen {...props} />;

/**
 * A lazy component that only says more than `placeholder`, which stays in its place if the code cannot be loaded.
 *
 * @example const OfflineBar = lazyDetail(() => import('./OfflineBar').then(toDefault), SinceWhen);
 */
// oxlint-disable-next-line typescript/no-explicit-any -- as above
export function lazyDetail<Part extends ComponentType<any>>(load: Load<Part>, placeholder: Part): Part {
  return createLazyComponent(load, placeholder, ({ standIn }) => standIn);
}

/** A lazy component whose failed load is thrown as an error. */
// oxlint-disable-next-line typescript/no-explicit-any -- as above
export function lazyPage<Part extends ComponentType<any>>(load: Load<Part>): Part {
  return createLazyComponent(load, undefined, ({ error }) => {
    throw error;
  });
}

interface LoadFailedProps {
  error: unknown;
  standIn: ReactNode;
  onAgain: () => void;
}

// oxlint-disable-next-line typescript/no-explicit-any -- as above
function createLazyComponent<Part extends ComponentType<any>>(
  load: Load<Part>,
  Instead: Part | undefined,
  OnLost: ComponentType<LoadFailedProps>,
): Part {
  type Any = ComponentType<Record<string, unknown>>;
  const loadedPart = () => loadedComponents.get(load) as Any | undefined;
  function LazyPart(props: Record<string, unknown>) {
    const fallback = use(FallbackContext);
    const [Shown, setShown] = useState(loadedPart);
    const [error, setError] = useState<unknown>(null);
    const [attempt, setAttempt] = useState(0);
    useEffect(() => {
      if (Shown) return;
      let isShown = true;
      preloadComponent(load).then(
        () => isShown && setShown(loadedPart),
        (cause: unknown) => isShown && setError(cause ?? new Error('Loading failed.')),
      );
      return () => {
        isShown = false;
      };
    }, [Shown, attempt]);
    if (Shown)
      return (
        <FallbackContext value={null}>
          <Shown {...props} />
        </FallbackContext>
      );
    const Before = Instead as unknown as Any | undefined;
    const standIn = Before ? <Before {...props} /> : fallback;
    if (error === null) return standIn;
    const retry = () => {
      setError(null);
      setAttempt((count) => count + 1);
    };
    return <OnLost error={error} standIn={standIn} onAgain={retry} />;
  }
  lazyCode.set(LazyPart, { load, hasStandIn: Instead !== undefined });
  return LazyPart as unknown as Part;
}

function withTimeout<T>(pendingLoad: Promise<T>): Promise<T> {
  return new Promise((resolve, fail) => {
    const timer = setTimeout(() => fail(new Error('Loading timed out.')), loadTimeout);
    void pendingLoad.then(resolve, fail).finally(() => clearTimeout(timer));
  });
}

/** Says that a component could not be loaded, and retries on request or when the connection is back. */
function LoadFailed({ standIn, onAgain, isScreen }: LoadFailedProps & { isScreen?: boolean }) {
  const isLost = useLostConnection() !== null;
  const tryAgain = useEffectEvent(onAgain);
  useEffect(() => {
    window.addEventListener('online', tryAgain);
    return () => window.removeEventListener('online', tryAgain);
  }, []);
  useReconnection(onAgain);
  if (isLost && isScreen) return <NotOpened />;
  if (isLost)
    return (
      <>
        <p className={styles.partLost} role="status">
          There is no connection. This part appears when it is back; what you entered is kept.
        </p>
        {standIn}
      </>
    );
  return (
    <>
      <div className={styles.partLost} role="alert">
        <p>This part could not be loaded. The connection may be lost, or a new version was installed.</p>
        <button type="button" onClick={onAgain}>
          Try again
        </button>
        <button type="button" onClick={() => window.location.reload()}>
          Reload the page
        </button>
      </div>
      {standIn}
    </>
  );
}
