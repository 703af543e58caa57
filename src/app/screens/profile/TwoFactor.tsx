import Button from '@mui/material/Button';
import { useId, useState, type FormEvent } from 'react';
import { useNotify } from 'react-admin';
import { formatDate, formatInstant } from '../../../engine/formats/dates';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import { ApiError } from '../../session/api';
import { AuthenticatorSetup } from '../../second-factor/AuthenticatorSetup';
import { RecoveryCodes } from '../../second-factor/RecoveryCodes';
import type { NewAuthenticator } from '../../second-factor/secondStepApi';
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
  const [kept, setKept] = useState(false);
  const [busy, setBusy] = useState(false);
  const [removing, setRemoving] = useState(false);
  const { authenticator_since: since, recovery_codes_left: left, passkeys, required } = factors;

  const run = async (task: () => Promise<void>) => {
    setBusy(true);
    setError('');
    try {
      await task();
    } catch (cause) {
      const { message } = cause as Error;
      const wrong = cause instanceof ApiError ? cause.errors.code : undefined;
      if (wrong) setError(wrong);
      else notify(message, { type: 'error', messageArgs: { _: message } });
      setCode('');
    } finally {
      setBusy(false);
    }
  };
  const begin = () => run(async () => setSetup(await startAuthenticatorSetup()));
  const show = (made: readonly string[] | null) => {
    setCodes(made);
    setKept(false);
  };
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
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
      setRemoving(false);
      await removeAuthenticator();
      notify('The authenticator was removed.', { type: 'success' });
      onChanged();
    });
  const state = since ? 'On' : setup ? 'Being set up' : 'Off';
  const asked =
    required && `Required by your ${required.by}${required.from ? ` from ${formatDate(required.from)}` : ''}.`;
  return (
    <section className={formStyles.formSection} aria-labelledby={id}>
      <div className={formStyles.formPurpose}>
        <h2 id={id}>Two-factor</h2>
        <p>A second step after the password. {asked}</p>
        <span className={styles.securityState} data-state={state}>
          {state}
        </span>
      </div>
      <div className={styles.securityCard}>
        {setup && (
          <form noValidate onSubmit={confirm} aria-label="Set up an authenticator">
            <AuthenticatorSetup {...setup} code={code} onCode={setCode} error={error}>
              <Button type="submit" variant="outlined" disabled={code.length < 6 || busy}>
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
              <b>{since ? 'Authenticator' : 'No authenticator yet'}</b>
              <small>
                {since ? `In use since ${formatInstant(since)}` : 'An app on your phone that shows six digits.'}
              </small>
            </span>
            <Button variant={since ? 'text' : 'contained'} disabled={busy} onClick={() => void begin()}>
              {since ? 'Replace' : 'Set up'}
            </Button>
            {since && (
              <Button variant="text" color="inherit" disabled={busy} onClick={() => setRemoving(true)}>
                Remove
              </Button>
            )}
          </div>
        )}
        {codes && (
          <div className={styles.securityPart}>
            <RecoveryCodes codes={codes} title="3. Save the recovery codes" kept={kept} onKept={setKept} />
            <Button variant="contained" disabled={!kept} onClick={() => setCodes(null)}>
              Done
            </Button>
          </div>
        )}
        {!codes && (since || passkeys.length > 0) && (
          <div className={`${styles.securityRow} ${styles.securityPart}`}>
            <span>
              <b>Recovery codes</b>
              <small>{left === 1 ? '1 code is left' : `${left} codes are left`}; a new set replaces the old one.</small>
            </span>
            <Button
              variant="text"
              disabled={busy}
              onClick={() => void run(async () => show((await createRecoveryCodes()).recovery_codes))}
            >
              New codes
            </Button>
          </div>
        )}
      </div>
      <ConfirmDialog
        open={removing}
        title="Remove the authenticator?"
        question={passkeys.length > 0 ? 'Your passkeys stay the second step.' : 'Your password alone will sign you in.'}
        confirmLabel="Remove"
        destructive
        onConfirm={() => void remove()}
        onClose={() => setRemoving(false)}
      />
    </section>
  );
}
