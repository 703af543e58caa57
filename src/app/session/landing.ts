import { currentProduct } from '../product';
import { navigate } from './navigation';
import { setDefaultViews, saveSession, type Session, type SignInFacts } from './session';

const requestedPathKey = 'assay.wanted';

/** Remembers, for this tab, the address that was opened while signed out. */
export function rememberRequestedPath(): void {
  const { pathname, search, hash } = window.location;
  if (pathname !== '/' && !isBeforeSignIn(pathname))
    sessionStorage.setItem(requestedPathKey, `${pathname}${search}${hash}`);
}

const isBeforeSignIn = (path: string) => path === '/auth' || path.startsWith('/auth/');

/** Forgets the remembered address. */
export function forgetRequestedPath(): void {
  sessionStorage.removeItem(requestedPathKey);
}

/** The remembered address as a path of this application; null if there is none, or if it leads elsewhere. */
export function requestedPath(): string | null {
  const storedPath = sessionStorage.getItem(requestedPathKey);
  if (storedPath === null || !URL.canParse(storedPath, window.location.origin)) return null;
  const { origin, pathname, search, hash } = new URL(storedPath, window.location.origin);
  // A path that begins with two slashes names another host.
  if (origin !== window.location.origin || pathname.startsWith('//') || isBeforeSignIn(pathname)) return null;
  return `${pathname}${search}${hash}`;
}

/** Saves the new session and goes to the address opened before sign-in, unless the product leads elsewhere first. */
export function completeSignIn(answer: Session): void {
  const answerFacts: Session & SignInFacts = { ...answer };
  setDefaultViews();
  const { facts = [], firstPath } = currentProduct();
  const { token, token_type, user, role, sign_in_id, expires_at } = answerFacts;
  const session: Session = { token, token_type, user, role, sign_in_id, expires_at };
  const path = firstPath?.(answerFacts) ?? requestedPath() ?? '/';
  forgetRequestedPath();
  // The path first: observers of the session must not be on a sign-in page any more.
  navigate(path);
  saveSession({ ...session, ...Object.fromEntries(facts.map((name) => [name, answerFacts[name]])) });
}
