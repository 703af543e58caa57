import type { AuthProvider } from 'react-admin';
import { endsSession } from '../session/apiError';
import { fetchApi } from '../session/api';
import { forgetWanted } from '../session/landing';
import { navigate } from '../session/navigation';
import { sessionHeader } from '../session/renewal';
import { clearSession, readSession } from '../session/session';

/**
 * Ends the session here and on the server, and does not wait for the server: whoever signs out is out. The pages before
 * sign-in follow the session by themselves, so react-admin is told not to redirect.
 */
async function logout(): Promise<false> {
  if (readSession()) {
    const told = fetchApi('/logout', { method: 'POST', headers: sessionHeader }).catch(() => {});
    await Promise.race([told, new Promise((done) => setTimeout(done, 2000))]);
    // Signing in again begins at the start, maybe as somebody else.
    navigate('/auth/login');
    forgetWanted();
    clearSession();
  }
  return false;
}

/** What react-admin asks about the session. Signing in happens outside of it. */
export const authProvider: AuthProvider = {
  login: () => Promise.reject(new Error('Sign-in has a page of its own.')),
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
