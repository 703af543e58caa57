import { currentProduct } from '../product';
import { navigate, forgetRequestedPath, requestedPath } from '../session/navigation';
import { setDefaultViews, saveSession, type Session, type SignInFacts } from '../session/session';

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
