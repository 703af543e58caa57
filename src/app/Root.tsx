import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react';
import { AuthApp } from './auth/AuthApp';
import { StartupFailure } from './brand/StartupFailure';
import { Splash } from './brand/Splash';
import { navigate, usePath } from './session/navigation';
import { useSession } from './session/session';

export interface RootProps {
  /** Loads the signed-in application: it is big, and nobody who only signs in should wait for it. */
  loadAdmin: () => Promise<{ default: ComponentType }>;
  /** How the paths begin that need no session. */
  publicPaths: string[];
}

/** Chooses between the pages before sign-in and the application, following path and session. */
export function Root({ loadAdmin, publicPaths }: RootProps) {
  const path = usePath();
  const session = useSession();
  const [AdminApp] = useState(() => lazy(loadAdmin));

  const onAuthPage = path === '/auth' || path.startsWith('/auth/');
  const isPublic = publicPaths.some((start) => path.startsWith(start));
  const target = session ? onAuthPage && '/dashboard' : !onAuthPage && !isPublic && '/auth/login';

  useEffect(() => {
    if (target) navigate(target, { replace: true });
  }, [target]);
  useEffect(() => {
    if (!onAuthPage || session) return;
    // Whoever starts to fill the form will need the rest soon.
    const events = ['pointerdown', 'keydown'] as const;
    const preload = () => {
      stop();
      loadAdmin().catch(() => {});
    };
    const stop = () => events.forEach((event) => window.removeEventListener(event, preload));
    events.forEach((event) => window.addEventListener(event, preload));
    return stop;
  }, [onAuthPage, session, loadAdmin]);

  if (target) return <Splash />;
  if (onAuthPage) return <AuthApp />;
  return (
    // Another person's session starts from nothing: no answer that the last one saw is left.
    <StartupFailure key={session?.token}>
      <Suspense fallback={<Splash />}>
        <AdminApp />
      </Suspense>
    </StartupFailure>
  );
}
