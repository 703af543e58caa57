import Button from '@mui/material/Button';
import { useId, useState, type FormEvent } from 'react';
import { useNotify } from 'react-admin';
import { formatDate, formatInstant } from '../../../engine/formats/dates';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import { ApiError } from '../../session/api';
import { AuthenticatorSetup } from '../../auth/second-factor/AuthenticatorSetup';
import { RecoveryCodes } from '../../auth/second-factor/RecoveryCodes';
import type { NewAuthenticator } from '../../auth/second-factor/secondStepApi';
import {
  startAuthenticatorSetup,
  confirmAuthenticator,
  createRecoveryCodes,
  removeAuthenticator,
  type Factors,
} from './factorsApi';
import * as formStyles from '../../form/form.module.css';
import * as styles from './security.module.css';

interface TwoFactorProps {
  factors: Factors;
  onChanged: () => void;
}

/** The authenticator and the recovery codes: their state, and their setup in three steps. */
export function TwoFactor({ factors, onChanged }: TwoFactorProps) {
  const id = useId();
  const notify = useNotify();
  const [setup, setSetup] = useState<NewAuthenticator | null>(null);
  const [code, setCode] = useState('');
  const [error, setError] = useState('');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [areCodesKept, setCodesKept] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [isRemoving, setIsRemoving] = useState(false);
  const { authenticator_since: activeSince, recovery_codes_left: left, passkeys, required: requirement } = factors;

  const run = async (task: () => Promise<void>) => {
    setIsBusy(true);
    setError('');
    try {
      await task();
    } catch (cause) {
      const { message } = cause as Error;
      const codeError = cause instanceof ApiError ? cause.errors.code : undefined;
      if (codeError) setError(codeError);
      else notify(message, { type: 'error', messageArgs: { _: message } });
      setCode('');
    } finally {
      setIsBusy(false);
    }
  };
  const begin = () => run(async () => setSetup(await startAuthenticatorSetup()));
  const show = (newCodes: readonly string[] | null) => {
    setCodes(newCodes);
    setCodesKept(false);
  };
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (code.length < 6) return setError('Enter all six digits.');
    void run(async () => {
      const { recovery_codes } = await confirmAuthenticator(code);
      setSetup(null);
      setCode('');
      show(recovery_codes);
      notify('The authenticator is in use.', { type: 'success' });
      onChanged();
    });
  };
  const remove = () =>
    run(async () => {
      setIsRemoving(false);
      await removeAuthenticator();
      notify('The authenticator was removed.', { type: 'success' });
      onChanged();
    });
  const state = activeSince ? 'On' : setup ? 'Being set up' : 'Off';
  const requirementText =
    requirement &&
    `Required by your ${requirement.by}${requirement.from ? ` from ${formatDate(requirement.from)}` : ''}.`;
  return (
    <section className={formStyles.formSection} aria-labelledby={id}>
      <div className={formStyles.formPurpose}>
        <h2 id={id}>Two-factor</h2>
        <p>A second step after the password. {requirementText}</p>
        <span className={styles.securityState} data-state={state}>
          {state}
        </span>
      </div>
      <div className={styles.securityCard}>
        {setup && (
          <form noValidate onSubmit={confirm} aria-label="Set up an authenticator">
            <AuthenticatorSetup {...setup} code={code} onCode={setCode} error={error}>
              <Button type="submit" variant="outlined" disabled={code.length < 6 || isBusy}>
                Confirm
              </Button>
              <Button variant="text" color="inherit" onClick={() => setSetup(null)}>
                Cancel
              </Button>
            </AuthenticatorSetup>
          </form>
        )}
        {!setup && (
          <div className={styles.securityRow}>
            <span>
              <b>{activeSince ? 'Authenticator' : 'No authenticator yet'}</b>
              <small>
                {activeSince
                  ? `In use since ${formatInstant(activeSince)}`
                  : 'An app on your phone that shows six digits.'}
              </small>
            </span>
            <Button variant={activeSince ? 'text' : 'contained'} disabled={isBusy} onClick={() => void begin()}>
              {activeSince ? 'Replace' : 'Set up'}
            </Button>
            {activeSince && (
              <Button variant="text" color="inherit" disabled={isBusy} onClick={() => setIsRemoving(true)}>
                Remove
              </Button>
            )}
          </div>
        )}
        {codes && (
          <div className={styles.securityPart}>
            <RecoveryCodes
              codes={codes}
              title="3. Save the recovery codes"
              isKept={areCodesKept}
              onKept={setCodesKept}
            />
            <Button variant="contained" disabled={!areCodesKept} onClick={() => setCodes(null)}>
              Done
            </Button>
          </div>
        )}
        {!codes && (activeSince || passkeys.length > 0) && (
          <div className={`${styles.securityRow} ${styles.securityPart}`}>
            <span>
              <b>Recovery codes</b>
              <small>{left === 1 ? '1 code is left' : `${left} codes are left`}; a new set replaces the old one.</small>
            </span>
            <Button
              variant="text"
              disabled={isBusy}
              onClick={() => void run(async () => show((await createRecoveryCodes()).recovery_codes))}
            >
              New codes
            </Button>
          </div>
        )}
      </div>
      <ConfirmDialog
        open={isRemoving}
        title="Remove the authenticator?"
        question={passkeys.length > 0 ? 'Your passkeys stay the second step.' : 'Your password alone will sign you in.'}
        confirmLabel="Remove"
        destructive
        onConfirm={() => void remove()}
        onClose={() => setIsRemoving(false)}
      />
    </section>
  );
}
