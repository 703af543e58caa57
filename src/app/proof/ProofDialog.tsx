import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useEffect, useId, useState, type FormEvent } from 'react';
import { Icon } from '../icons/Icon';
import { SixDigits } from '../auth/SixDigits';
import { ApiError, fetchApi } from '../session/api';
import { canUsePasskeys, promptForPasskey } from '../auth/second-factor/passkeys';
import { onProven } from '../session/proof';
import * as labelStyles from '../fields/labels.module.css';
import * as styles from './proof.module.css';
import { signOnPath } from '../auth/signOnApi';

const instructions = {
  password: 'This change affects security. Enter your password to continue.',
  totp: 'This change affects security. Enter the six digits from your authenticator to continue.',
  other: 'This change affects security. Confirm that it is you to continue.',
} as const;

/**
 * Asks the user to confirm their identity: with password, authenticator code, passkey, or their provider in a separate
 * window.
 */
export function ProofDialog({ onClose }: { onClose: (proven: boolean) => void }) {
  const id = useId();
  const [proofOptions, setProofOptions] = useState<ProofOptions | null>(null);
  const [currentMethod, setCurrentMethod] = useState<'password' | 'totp' | 'other'>('password');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    const abortController = new AbortController();
    fetchProofOptions(abortController.signal).then(
      (options) => {
        setProofOptions(options);
        if (!options.methods.includes('password'))
          setCurrentMethod(options.methods.includes('totp') ? 'totp' : 'other');
      },
      (error: unknown) => !abortController.signal.aborted && setFailure((error as Error).message),
    );
    return () => abortController.abort();
  }, []);

  useEffect(() => onProven(() => onClose(true)), [onClose]);

  const send = async (find: () => ProofValues | Promise<ProofValues>) => {
    setIsBusy(true);
    setFailure('');
    try {
      await submitProof(await find());
      onClose(true);
    } catch (error) {
      const { message, errors } = error instanceof ApiError ? error : { message: (error as Error).message, errors: {} };
      setFailure(Object.values(errors)[0] ?? message);
      setCode('');
      setIsBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (isBusy) return;
    if (currentMethod === 'other') return;
    if (currentMethod === 'password' && password === '') return setFailure('Password is required.');
    if (currentMethod === 'totp' && code.length < 6) return setFailure('Enter all six digits.');
    void send(() => (currentMethod === 'password' ? { password } : { code }));
  };
  const isPossible = (method: ProofMethod) => proofOptions?.methods.includes(method) ?? false;
  const note = failure ? `${id}-note` : undefined;
  return (
    <Dialog
      open
      onClose={() => onClose(false)}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-lead`}
      slotProps={{ paper: { sx: { width: 400 } } }}
    >
      <form noValidate onSubmit={submit} className={styles.proofForm}>
        <DialogTitle id={`${id}-title`}>Confirm that it is you</DialogTitle>
        <DialogContent>
          <p id={`${id}-lead`} className={styles.proofLead}>
            {instructions[currentMethod]}
          </p>
          {currentMethod === 'password' && (
            <>
              <div className={labelStyles.fieldLabel}>
                <label htmlFor={id}>Password</label>
              </div>
              <OutlinedInput
                id={id}
                fullWidth
                autoFocus
                type="password"
                autoComplete="current-password"
                value={password}
                error={failure !== ''}
                onChange={(event) => setPassword(event.target.value)}
                slotProps={{ input: { 'aria-describedby': note, maxLength: 1000 } }}
              />
            </>
          )}
          {currentMethod === 'totp' && (
            <SixDigits autoFocus value={code} onChange={setCode} invalid={failure !== ''} describedBy={note} />
          )}
          <div role="alert">
            {failure && (
              <p id={note} className={labelStyles.fieldError}>
                <Icon name="warning" size={14} />
                {failure}
              </p>
            )}
          </div>
          <div className={styles.proofWays}>
            {currentMethod === 'password' && isPossible('totp') && (
              <Button variant="text" startIcon={<Icon name="smartphone" />} onClick={() => setCurrentMethod('totp')}>
                Use your authenticator
              </Button>
            )}
            {isPossible('passkey') && canUsePasskeys() && (
              <Button
                variant="text"
                disabled={isBusy}
                startIcon={<Icon name="fingerprint" />}
                onClick={() => void send(createPasskeyProof)}
              >
                Use a passkey
              </Button>
            )}
            {proofOptions && isPossible('single_sign_on') && (
              <Button
                variant="text"
                autoFocus={currentMethod === 'other'}
                startIcon={<Icon name="shield" />}
                onClick={openProvider}
              >
                Continue with {proofOptions.provider}
              </Button>
            )}
            {currentMethod === 'totp' && isPossible('password') && (
              <Button variant="text" startIcon={<Icon name="key" />} onClick={() => setCurrentMethod('password')}>
                Use your password
              </Button>
            )}
          </div>
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" onClick={() => onClose(false)}>
            Cancel
          </Button>
          {currentMethod !== 'other' && (
            <Button type="submit" variant="contained" aria-disabled={isBusy}>
              Confirm
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The methods to confirm an identity. */
type ProofMethod = 'password' | 'totp' | 'passkey' | 'single_sign_on';

/** The values of a proof of identity. */
type ProofValues = { password: string } | { code: string } | { passkey: unknown };

/** The methods that the signed-in user can confirm their identity with. */
interface ProofOptions {
  methods: ProofMethod[];
  /** The name of the user's identity provider. */
  provider: string | null;
}

/** Loads how the signed-in user can confirm their identity. */
async function fetchProofOptions(signal?: AbortSignal): Promise<ProofOptions> {
  return (await fetchApi<{ data: ProofOptions }>('/me/proof', { signal })).data;
}

/**
 * Opens the user's identity provider in a window; `onProven` is called when they have confirmed their identity there.
 */
function openProvider(): void {
  window.open(`${signOnPath}?proof=1`, 'assay-proof', 'popup,width=520,height=680');
}

/** Confirms the user's identity. Throws `ApiError` with an error per field. */
async function submitProof(values: ProofValues): Promise<void> {
  await fetchApi('/me/proof', { method: 'POST', json: values });
}

/** Confirms the user's identity with a passkey. */
async function createPasskeyProof(): Promise<ProofValues> {
  type Options = Parameters<typeof promptForPasskey>[0];
  const { data } = await fetchApi<{ data: Options }>('/me/proof/passkey', { method: 'POST' });
  return { passkey: await promptForPasskey(data) };
}
