import { useEffect, useState, type ComponentType } from 'react';
import { AuthApp } from './auth/AuthApp';
import { StartupFailure } from './brand/StartupFailure';
import { FrameSkeleton } from './brand/FrameSkeleton';
import { Splash } from './brand/Splash';
import type { PublicScreen } from './PublicScreen';
import { sharedAt } from './shared/sharedPaths';
import { signOnPath } from './auth/signOnCalls';
import { forgetWanted, rememberWanted, wantedPath } from './session/landing';
import { navigate, usePath } from './session/navigation';
import { sessionMark, useSession } from './session/session';
import { useViewing } from './session/viewing';
import { lazyPage, Meanwhile, preloadPart } from './states/lazyPart';

export interface RootProps {
  /** Loads the signed-in application: it is big, and nobody who only signs in should wait for it. */
  loadAdmin: () => Promise<{ default: ComponentType }>;
  /** What a visitor without an account may see; every other page belongs behind the sign-in. */
  publicScreens: readonly PublicScreen[];
}

/** Whether the page of a path is one that only somebody who has signed in sees. */
export function isBehindSignIn(path: string, publicScreens: readonly PublicScreen[]): boolean {
  if (path === '/auth' || path.startsWith('/auth/')) return false;
  return !publicScreens.some(({ start }) => path.startsWith(start)) && !sharedAt(path);
}

/** Pages that the links of mails lead to. */
const codePages: ReadonlySet<string> = new Set([
  '/auth/reset-password',
  '/auth/setup-account',
  '/auth/confirm-address',
]);

const loadSharedRecord: PublicScreen['load'] = () => import('./shared/SharedRecordPage');

/** Chooses between the pages before sign-in and the application, following path and session. */
export function Root({ loadAdmin, publicScreens }: RootProps) {
  const path = usePath();
  const session = useSession();
  const viewing = useViewing();
  const [AdminApp] = useState(() => lazyPage(loadAdmin));
  const [publicPages] = useState(() =>
    [...publicScreens.map(({ load }) => load), loadSharedRecord].map((load) => lazyPage(load)),
  );

  const onAuthPage = path === '/auth' || path.startsWith('/auth/');
  const bespoke = publicScreens.findIndex(({ start }) => path.startsWith(start));
  const PublicPage = publicPages[bespoke === -1 && sharedAt(path) ? publicScreens.length : bespoke];
  // The link of a mail is followed by whoever it was sent to, signed in or not; providers send whoever they like.
  const hasCode =
    path === signOnPath ||
    (codePages.has(path) && new URLSearchParams(window.location.search).has('verification_code'));
  // Whoever was signed in by another tab goes on where this one was.
  const target = session
    ? onAuthPage && !hasCode && (wantedPath() ?? '/dashboard')
    : !onAuthPage && !PublicPage && '/auth/login';

  useEffect(() => {
    if (!target) return;
    if (target === '/auth/login') rememberWanted();
    else forgetWanted();
    navigate(target, { replace: true });
  }, [target]);
  useEffect(() => {
    if (!onAuthPage || session) return;
    // Whoever starts to fill the form will need the rest soon.
    const events = ['pointerdown', 'keydown'] as const;
    const preload = () => {
      stop();
      preloadPart(loadAdmin).catch(() => {});
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
        <Meanwhile fallback={<Splash />}>
          <PublicPage />
        </Meanwhile>
      </StartupFailure>
    );
  return (
    // Another person's session starts from nothing, and so does seeing the program as another: no answer that the last
    // one saw is left.
    <StartupFailure key={`${sessionMark(session)} ${viewing?.as ?? ''}`}>
      <Meanwhile fallback={<FrameSkeleton />}>
        <AdminApp />
      </Meanwhile>
    </StartupFailure>
  );
}
