import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useId, useState, type FormEvent } from 'react';
import { useNotify } from 'react-admin';
import { formatInstant } from '../../../engine/formats/dates';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import { Icon } from '../../icons/Icon';
import { canUsePasskeys } from '../../auth/second-factor/passkeys';
import { RecoveryCodes } from '../../auth/second-factor/RecoveryCodes';
import { agentName } from './agentName';
import { addPasskey, removePasskey, renamePasskey, type Factors, type Passkey } from './factorsApi';
import * as formStyles from '../../form/form.module.css';
import * as profileStyles from './profile.module.css';
import * as styles from './security.module.css';

interface PasskeysProps {
  factors: Factors;
  onChanged: () => void;
}

/** The user's passkeys: add, rename and remove them. */
export function Passkeys({ factors: { passkeys }, onChanged }: PasskeysProps) {
  const id = useId();
  const notify = useNotify();
  const [namedPasskey, setNamedPasskey] = useState<Passkey | 'new' | null>(null);
  const [name, setName] = useState('');
  const [passkeyToRemove, setPasskeyToRemove] = useState<Passkey | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [areCodesKept, setCodesKept] = useState(false);
  const [isBusy, setIsBusy] = useState(false);

  const run = async (task: () => Promise<string>) => {
    setIsBusy(true);
    try {
      notify(await task(), { type: 'success' });
      setNamedPasskey(null);
      setPasskeyToRemove(null);
      onChanged();
    } catch (cause) {
      const { message } = cause as Error;
      notify(message, { type: 'error', messageArgs: { _: message } });
    } finally {
      setIsBusy(false);
    }
  };
  const begin = (passkey: Passkey | 'new') => {
    setNamedPasskey(passkey);
    setName(passkey === 'new' ? agentName(navigator.userAgent) : passkey.name);
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const newName = name.trim();
    if (isBusy || newName === '' || !namedPasskey) return;
    void run(async () => {
      if (namedPasskey !== 'new') {
        await renamePasskey(namedPasskey.id, newName);
        return 'The passkey was renamed.';
      }
      const { recovery_codes } = await addPasskey(newName);
      setCodes(recovery_codes);
      setCodesKept(false);
      return 'The passkey was added.';
    });
  };
  const form = (label: string) => (
    <form className={styles.securityNaming} noValidate onSubmit={save}>
      <OutlinedInput
        size="small"
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
        slotProps={{ input: { 'aria-label': 'Name of the passkey', maxLength: 60 } }}
      />
      <Button type="submit" variant="contained" disabled={isBusy || name.trim() === ''}>
        {label}
      </Button>
      <Button variant="text" color="inherit" onClick={() => setNamedPasskey(null)}>
        Cancel
      </Button>
    </form>
  );
  return (
    <section className={formStyles.formSection} aria-labelledby={id}>
      <div className={formStyles.formPurpose}>
        <h2 id={id}>Passkeys</h2>
        <p>Sign in with a finger, a face or a key.</p>
      </div>
      <div>
        <ul className={profileStyles.profileSignIns}>
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <Icon name="fingerprint" size={18} />
              {namedPasskey !== 'new' && namedPasskey?.id === passkey.id ? (
                form('Rename')
              ) : (
                <>
                  <span className={profileStyles.profileSignIn}>
                    <b>{passkey.name}</b>
                    <small>
                      Added {formatInstant(passkey.created_at)}
                      {passkey.last_used_at ? `, used ${formatInstant(passkey.last_used_at)}` : ', not used yet'}
                    </small>
                  </span>
                  <IconButton size="small" aria-label={`Rename ${passkey.name}`} onClick={() => begin(passkey)}>
                    <Icon name="pencil" />
                  </IconButton>
                  <Button
                    variant="text"
                    color="inherit"
                    aria-label={`Remove ${passkey.name}`}
                    onClick={() => setPasskeyToRemove(passkey)}
                  >
                    Remove
                  </Button>
                </>
              )}
            </li>
          ))}
          <li>
            {namedPasskey === 'new' ? (
              form('Add')
            ) : canUsePasskeys() ? (
              <Button variant="text" disabled={isBusy} startIcon={<Icon name="plus" />} onClick={() => begin('new')}>
                Add a passkey
              </Button>
            ) : (
              <span className={profileStyles.profileSignIn}>
                <small>This browser cannot use passkeys here: they need an encrypted (https) address.</small>
              </span>
            )}
          </li>
        </ul>
        {codes && (
          <div className={`${styles.securityCard} ${styles.securityCodes}`}>
            <RecoveryCodes codes={codes} title="Save the recovery codes" isKept={areCodesKept} onKept={setCodesKept} />
            <Button variant="contained" disabled={!areCodesKept} onClick={() => setCodes(null)}>
              Done
            </Button>
          </div>
        )}
      </div>
      <ConfirmDialog
        open={passkeyToRemove !== null}
        title="Remove this passkey?"
        question={`${passkeyToRemove?.name ?? ''} will no longer sign you in.`}
        confirmLabel="Remove"
        destructive
        isBusy={isBusy}
        onConfirm={() =>
          passkeyToRemove &&
          void run(async () => (await removePasskey(passkeyToRemove.id)) && 'The passkey was removed.')
        }
        onClose={() => setPasskeyToRemove(null)}
      />
    </section>
  );
}
