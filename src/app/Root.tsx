import { useEffect, useState, type ComponentType } from 'react';
import { AuthApp } from './auth/AuthApp';
import { StartupFailure } from './brand/StartupFailure';
import { FrameSkeleton } from './brand/FrameSkeleton';
import { Splash } from './brand/Splash';
import type { PublicScreen } from './product';
import { parseFormPath } from './public-form/formPath';
import { parseSharedPath } from './shared/sharedPaths';
import { signOnPath } from './auth/signOnApi';
import { navigate, usePath, forgetRequestedPath, rememberRequestedPath, requestedPath } from './session/navigation';
import { sessionIdentity, useSession } from './session/session';
import { useViewing } from './session/viewedUser';
import { lazyPage, LoadingFallback, preloadComponent } from './states/lazyComponent';

export interface RootProps {
  /** Loads the signed-in application. It is large, so the sign-in page doesn't wait for it. */
  loadAdmin: () => Promise<{ default: ComponentType }>;
  /** Screens that visitors without an account may see; every other page is behind sign-in. */
  publicScreens: readonly PublicScreen[];
}

/** Whether only signed-in users see the page at a path. */
export function isBehindSignIn(path: string, publicScreens: readonly PublicScreen[]): boolean {
  if (path === '/auth' || path.startsWith('/auth/')) return false;
  return !publicScreens.some(({ start }) => path.startsWith(start)) && !parseFormPath(path) && !parseSharedPath(path);
}

/** Pages that links in mails lead to. */
const codePages: ReadonlySet<string> = new Set([
  '/auth/reset-password',
  '/auth/setup-account',
  '/auth/confirm-address',
]);

const loadSharedRecord: PublicScreen['load'] = () => import('./shared/SharedRecordPage');
const loadPublicForm: PublicScreen['load'] = () => import('./public-form/PublicFormPage');

/** Shows the pages before sign-in or the application, depending on path and session. */
export function Root({ loadAdmin, publicScreens }: RootProps) {
  const path = usePath();
  const session = useSession();
  const viewState = useViewing();
  const [AdminApp] = useState(() => lazyPage(loadAdmin));
  const [publicPages] = useState(() =>
    [...publicScreens.map(({ load }) => load), loadSharedRecord, loadPublicForm].map((load) => lazyPage(load)),
  );

  const onAuthPage = path === '/auth' || path.startsWith('/auth/');
  const bespoke = publicScreens.findIndex(({ start }) => path.startsWith(start));
  const generic = parseFormPath(path) ? publicScreens.length + 1 : parseSharedPath(path) ? publicScreens.length : -1;
  const PublicPage = publicPages[bespoke === -1 ? generic : bespoke];
  // These pages work whether or not the visitor is signed in: they are reached from mails and identity providers.
  const hasCode =
    path === signOnPath ||
    (codePages.has(path) && new URLSearchParams(window.location.search).has('verification_code'));
  // After a sign-in in another tab, continue where this tab was.
  const target = session
    ? onAuthPage && !hasCode && (requestedPath() ?? '/')
    : !onAuthPage && !PublicPage && '/auth/login';

  useEffect(() => {
    if (!target) return;
    if (target === '/auth/login') rememberRequestedPath();
    else forgetRequestedPath();
    navigate(target, { replace: true });
  }, [target]);
  useEffect(() => {
    if (!onAuthPage || session) return;
    // A visitor who starts to fill in the form will need the application soon.
    const events = ['pointerdown', 'keydown'] as const;
    const preload = () => {
      stop();
      preloadComponent(loadAdmin).catch(() => {});
    };
    const stop = () => events.forEach((event) => window.removeEventListener(event, preload));
    events.forEach((event) => window.addEventListener(event, preload));
    return stop;
  }, [onAuthPage, session, loadAdmin]);

  if (target) return <Splash />;
  if (onAuthPage) return <AuthApp />;
  if (PublicPage)
    return (
      <StartupFailure>
        <LoadingFallback fallback={<Splash />}>
          <PublicPage />
        </LoadingFallback>
      </StartupFailure>
    );
  return (
    // A new session, or viewing as another user, starts from scratch: no response of the previous one remains.
    <StartupFailure key={`${sessionIdentity(session)} ${viewState?.as ?? ''}`}>
      <LoadingFallback fallback={<FrameSkeleton />}>
        <AdminApp />
      </LoadingFallback>
    </StartupFailure>
  );
}
