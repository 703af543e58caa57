import { useEffect, useState, type FormEvent } from 'react';
import { Icon } from '../../icons/Icon';
import type { Session } from '../../session/session';
import { AuthenticatorSetup } from './AuthenticatorSetup';
import { canUsePasskeys, createPasskey } from './passkeys';
import { StepBack } from './StepBack';
import { RecoveryCodes } from './RecoveryCodes';
import type { SecondStepFormProps } from './SecondStepForm';
import { startAuthenticatorSetup, fetchStepPasskeyOptions, type NewAuthenticator } from './secondStepApi';
import { useSecondStep } from './useSecondStep';
import * as styles from '../auth.module.css';

/** Sets up the first factor during the sign-in of a user who must have one; then shows the recovery codes. */
export default function FirstFactorForm({ step, email, onBack, onDone }: SecondStepFormProps) {
  const { challenge } = step;
  const [authenticator, setAuthenticator] = useState<NewAuthenticator | null>(null);
  const [completion, setCompletion] = useState<{ session: Session; codes: readonly string[] } | null>(null);
  const {
    code,
    setCode,
    error,
    setError,
    busy: isBusy,
    send,
  } = useSecondStep({
    challenge,
    onBack,
    onPassed: (answer) => setCompletion({ session: answer as unknown as Session, codes: answer.recovery_codes ?? [] }),
  });
  const [isKept, setIsKept] = useState(false);
  useEffect(() => {
    let isMounted = true;
    startAuthenticatorSetup(challenge).then(
      (newAuthenticator) => isMounted && setAuthenticator(newAuthenticator),
      (cause: unknown) => isMounted && setError((cause as Error).message),
    );
    return () => {
      isMounted = false;
    };
  }, [challenge, setError]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (completion)
      return isKept ? onDone(completion.session) : setError('Save the recovery codes first, then tick the box.');
    if (isBusy) return;
    if (code.length < 6) return setError('Enter all six digits.');
    void send(async () => ({ code }));
  };
  if (completion) {
    return (
      <div className={styles.authForm}>
        <form noValidate onSubmit={submit} aria-label="Recovery codes">
          <div>
            <h1>Save your recovery codes</h1>
            <p className={styles.authLead}>
              They are shown only once. If you lose your phone, sign in with one of them.
            </p>
          </div>
          <RecoveryCodes codes={completion.codes} title="Recovery codes" isKept={isKept} onKept={setIsKept} />
          <button type="submit" className={styles.authButton}>
            Continue
          </button>
          <div role="alert">{error && !isKept && <p className={styles.authError}>{error}</p>}</div>
        </form>
      </div>
    );
  }
  return (
    <div className={styles.authForm} data-wide="">
      <form noValidate onSubmit={submit} aria-busy={isBusy} aria-label="Set up your second step">
        <div>
          <StepBack onBack={onBack} />
          <h1>Set up your second step</h1>
          <p className={styles.authLead}>
            It is required for <b>{email}</b>. From now on you are asked for it after the password.
          </p>
        </div>
        {authenticator && <AuthenticatorSetup {...authenticator} code={code} onCode={setCode} error={error} />}
        {!authenticator && error && <p className={styles.authError}>{error}</p>}
        <button type="submit" className={styles.authButton} aria-disabled={isBusy || undefined}>
          Confirm
        </button>
        {canUsePasskeys() && (
          <>
            <div className={styles.authOr}>or</div>
            <button
              type="button"
              className={styles.authOtherWay}
              onClick={() =>
                void send(async () => ({ passkey: await createPasskey(await fetchStepPasskeyOptions(challenge)) }))
              }
            >
              <Icon name="fingerprint" />
              Use a passkey instead
            </button>
          </>
        )}
      </form>
    </div>
  );
}
