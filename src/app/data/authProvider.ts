import type { AuthProvider } from 'react-admin';
import { endsSession } from '../session/apiError';
import { fetchApi } from '../session/api';
import { navigate, forgetRequestedPath } from '../session/navigation';
import { sessionHeader } from '../session/renewal';
import { clearSession, readSession } from '../session/session';

/**
 * Ends the session in this browser and on the server, waiting at most two seconds for the server. The pages before
 * sign-in follow the session themselves, so react-admin must not redirect.
 */
async function logout(): Promise<false> {
  if (readSession()) {
    const logoutRequest = fetchApi('/logout', { method: 'POST', headers: sessionHeader }).catch(() => {});
    await Promise.race([logoutRequest, new Promise((resolve) => setTimeout(resolve, 2000))]);
    // The next sign-in may be another person: don't return them to this page.
    navigate('/auth/login');
    forgetRequestedPath();
    clearSession();
  }
  return false;
}

/** react-admin's view of the session. Sign-in happens outside of it. */
export const authProvider: AuthProvider = {
  login: () => Promise.reject(new Error('Sign-in has its own page.')),
  logout,
  checkAuth: () => (readSession() ? Promise.resolve() : Promise.reject(new Error('Unauthenticated.'))),
  checkError: (error: unknown) => (endsSession(error) ? Promise.reject(error) : Promise.resolve()),
  getPermissions: () => Promise.resolve(undefined),
  getIdentity: () => {
    const session = readSession();
    return session
      ? Promise.resolve({ id: session.user.id, fullName: session.user.name })
      : Promise.reject(new Error('Unauthenticated.'));
  },
};
