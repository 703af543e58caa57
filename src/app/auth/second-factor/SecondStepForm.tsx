import { useState, type FormEvent } from 'react';
import { Icon } from '../../icons/Icon';
import type { Session } from '../../session/session';
import { SixDigits } from '../SixDigits';
import { StepBack } from './StepBack';
import { canUsePasskeys, promptForPasskey } from './passkeys';
import { fetchStepPasskeyOptions, type SecondStep, type StepMethod } from './secondStepApi';
import { useSecondStep } from './useSecondStep';
import * as authStyles from '../auth.module.css';
import * as styles from './second-factor.module.css';

export interface SecondStepFormProps {
  step: SecondStep;
  email: string;
  onBack: (message?: string) => void;
  onDone: (session: Session) => void;
}

/** The second step of a sign-in: a code from an authenticator app, a recovery code, or a passkey. */
export default function SecondStepForm({ step, email, onBack, onDone }: SecondStepFormProps) {
  const { challenge, methods } = step;
  const first = methods.find((method) => method !== 'passkey' || canUsePasskeys()) ?? 'recovery_code';
  const [currentMethod, setCurrentMethod] = useState<StepMethod>(first);
  const [recovery, setRecovery] = useState('');
  const [trust, setTrust] = useState(false);
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
    onPassed: (answer) => onDone(answer as unknown as Session),
  });
  const isOffered = (method: StepMethod) =>
    methods.includes(method) && method !== currentMethod && (method !== 'passkey' || canUsePasskeys());

  const choose = (next: StepMethod) => {
    setError('');
    setCurrentMethod(next);
    if (next === 'passkey') void send(() => stepBody(next));
  };
  const stepBody = async (stepMethod: StepMethod) => {
    const device = { trust_device: trust };
    if (stepMethod === 'totp') return { ...device, code };
    if (stepMethod === 'recovery_code') return { ...device, recovery_code: recovery };
    return { ...device, passkey: await promptForPasskey(await fetchStepPasskeyOptions(challenge)) };
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (currentMethod === 'totp' && code.length < 6)
      return setError(`Enter all six digits; ${6 - code.length} are missing.`);
    if (currentMethod === 'recovery_code' && recovery.trim() === '')
      return setError('Type one of your recovery codes.');
    void send(() => stepBody(currentMethod));
  };
  return (
    <div className={authStyles.authForm}>
      <form noValidate onSubmit={submit} aria-busy={isBusy} aria-label="Second step">
        <div>
          <StepBack onBack={onBack} />
          <h1>Second step</h1>
          <p className={authStyles.authLead}>
            {currentMethod === 'totp' && 'Type the six digits from your authenticator for '}
            {currentMethod === 'recovery_code' && 'Type one of your recovery codes for '}
            {currentMethod === 'passkey' && 'Use your passkey for '}
            <b>{email}</b>.
          </p>
        </div>
        <div className={styles.stepAnswer}>
          {currentMethod === 'totp' && (
            <SixDigits
              autoFocus
              value={code}
              onChange={setCode}
              invalid={error !== '' && code === ''}
              describedBy="step-error"
            />
          )}
          {currentMethod === 'recovery_code' && (
            <div className={authStyles.authInput} data-error={error ? '' : undefined}>
              <input
                autoFocus
                aria-label="Recovery code"
                aria-describedby="step-error"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={40}
                value={recovery}
                onChange={(event) => setRecovery(event.target.value)}
              />
            </div>
          )}
          <div role="alert" id="step-error">
            {error && (
              <p className={authStyles.authError}>
                <Icon name="warning" size={14} />
                <span>{error}</span>
              </p>
            )}
          </div>
        </div>
        <label className={styles.plainCheck}>
          <input type="checkbox" checked={trust} onChange={(event) => setTrust(event.target.checked)} />
          Trust this device for 30 days
        </label>
        <button type="submit" className={authStyles.authButton} aria-disabled={isBusy || undefined}>
          {currentMethod === 'passkey' ? 'Use the passkey' : 'Confirm'}
        </button>
        {(isOffered('totp') || isOffered('passkey') || isOffered('recovery_code')) && (
          <div className={authStyles.authOr}>or</div>
        )}
        <div className={styles.stepWays}>
          {isOffered('totp') && (
            <button type="button" className={authStyles.authOtherWay} onClick={() => choose('totp')}>
              <Icon name="smartphone" />
              Use your authenticator
            </button>
          )}
          {isOffered('passkey') && (
            <button type="button" className={authStyles.authOtherWay} onClick={() => choose('passkey')}>
              <Icon name="fingerprint" />
              Use a passkey
            </button>
          )}
          {isOffered('recovery_code') && (
            <button type="button" className={authStyles.authOtherWay} onClick={() => choose('recovery_code')}>
              <Icon name="key" />
              Use a recovery code
            </button>
          )}
        </div>
      </form>
    </div>
  );
}
