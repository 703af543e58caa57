import { useEffect, useState, type ReactNode } from 'react';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { FrameSkeleton } from '../brand/FrameSkeleton';

type Router = ReturnType<typeof createBrowserRouter>;

/**
 * The application's router: real paths, and a router of ours around react-admin, whose own one left the old page
 * standing for seconds after a redirect (`useTransitions={false}` is the cure). It is made anew with the session and
 * taken down with it, so that it never listens while the pages before sign-in are shown.
 */
export function AppRouter({ children }: { children: ReactNode }) {
  const [router, setRouter] = useState<Router | null>(null);
  const [element] = useState(children);
  useEffect(() => {
    const made = createBrowserRouter([{ path: '*', element }]);
    setRouter(made);
    return () => made.dispose();
  }, [element]);
  return router ? <RouterProvider router={router} useTransitions={false} /> : <FrameSkeleton />;
}
