import { Suspense, useEffect, useRef, useState } from 'react';
import type { SecondStep } from './second-factor/secondStepApi';
import { ApiError } from '../session/api';
import { completeSignIn } from './completeSignIn';
import { navigate } from '../session/navigation';
import { notifyProven } from '../session/proof';
import { queueToast } from '../session/toastQueue';
import type { Session } from '../session/session';
import { AuthForm, AuthLink } from './AuthForm';
import { finishProof, finishSignOn, startProofAtProvider, signOnPath } from './signOnApi';
import { lazyComponent } from '../states/lazyComponent';
import * as styles from './auth.module.css';

const SecondStepForm = lazyComponent(() => import('./second-factor/SecondStepForm'));
const FirstFactorForm = lazyComponent(() => import('./second-factor/FirstFactorForm'));

type PageState =
  | { kind: 'waiting' }
  | { kind: 'step'; step: SecondStep; email: string }
  | { kind: 'proven' }
  | { kind: 'failed'; message: string; proof: boolean };

/** Takes the provider's parameters out of the address at once, so that they are not stored or sent anywhere. */
function takeCallbackParameters(): Record<string, string> {
  const query = Object.fromEntries(new URLSearchParams(window.location.search));
  window.history.replaceState(null, '', signOnPath);
  const { state, code, iss, error, error_description, proof } = query;
  const parameters = { state, code, iss, error, error_description, proof };
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
}

function finishSignIn(session: Session): void {
  queueToast({ message: 'Login Successfully!', kind: 'success' });
  completeSignIn(session);
}

/**
 * `/auth/single-sign-on`: where providers redirect browsers to, to sign in or (in a separate window) to confirm the
 * user's identity.
 */
export function SingleSignOnPage() {
  const hasBegun = useRef(false);
  const [pageState, setPageState] = useState<PageState>({ kind: 'waiting' });
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    const { proof: proofStart, ...parameters } = takeCallbackParameters();
    const proof = proofStart !== undefined || parameters.state?.startsWith('proof.') === true;
    const task = async () => {
      if (proofStart !== undefined) return startProofAtProvider();
      if (parameters.state === undefined) return navigate('/auth/login', { replace: true });
      if (!proof) {
        const answer = await finishSignOn(parameters);
        if ('step' in answer) setPageState({ kind: 'step', ...answer });
        else finishSignIn(answer);
        return;
      }
      await finishProof(parameters);
      notifyProven();
      setPageState({ kind: 'proven' });
      window.close();
    };
    task().catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      setPageState({ kind: 'failed', message: Object.values(error.errors)[0] ?? error.message, proof });
    });
  }, []);

  if (pageState.kind === 'step') {
    const Step = pageState.step.kind === 'setup' ? FirstFactorForm : SecondStepForm;
    const back = (message?: string) =>
      message ? setPageState({ kind: 'failed', message, proof: false }) : navigate('/auth/login');
    return (
      <Suspense>
        <Step step={pageState.step} email={pageState.email} onBack={back} onDone={finishSignIn} />
      </Suspense>
    );
  }
  if (pageState.kind === 'failed') {
    const onSubmit = (event: { preventDefault: () => void }) => {
      event.preventDefault();
      if (!pageState.proof) return navigate('/auth/login');
      window.close();
    };
    return (
      <AuthForm
        title={pageState.proof ? 'Identity not confirmed' : 'You are not signed in'}
        lead={
          pageState.proof
            ? 'Close this window and try again in the other one.'
            : 'Your identity provider could not sign you in:'
        }
        form={{ onSubmit, isBusy: false, failure: pageState.message }}
        submitLabel={pageState.proof ? 'Close this window' : 'Back to sign in'}
      >
        {null}
      </AuthForm>
    );
  }
  return (
    <div className={styles.authForm} role="status">
      <h1>{pageState.kind === 'proven' ? 'Confirmed' : 'One moment'}</h1>
      <p className={styles.authLead}>
        {pageState.kind === 'proven'
          ? 'You can close this window and continue in the other one.'
          : 'Checking with your identity provider.'}
      </p>
      {pageState.kind === 'waiting' && (
        <p className={styles.authAfter}>
          <AuthLink path="/auth/login">Back to sign in</AuthLink>
        </p>
      )}
    </div>
  );
}
