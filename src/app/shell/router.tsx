import { useEffect, useState, type ReactNode } from 'react';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { FrameSkeleton } from '../brand/FrameSkeleton';

type Router = ReturnType<typeof createBrowserRouter>;

/**
 * The application's router with real paths. It wraps react-admin, whose own router kept the old page for seconds after
 * a redirect (`useTransitions={false}` fixes that). It is created and disposed with the session, so that it does not
 * listen while the pages before sign-in are shown.
 */
export function AppRouter({ children }: { children: ReactNode }) {
  const [router, setRouter] = useState<Router | null>(null);
  const [element] = useState(children);
  useEffect(() => {
    const nextRouter = createBrowserRouter([{ path: '*', element }]);
    setRouter(nextRouter);
    return () => nextRouter.dispose();
  }, [element]);
  return router ? <RouterProvider router={router} useTransitions={false} /> : <FrameSkeleton />;
}
