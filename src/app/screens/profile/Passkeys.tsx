import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useId, useState, type FormEvent } from 'react';
import { useNotify } from 'react-admin';
import { formatInstant } from '../../../engine/formats/dates';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import { Icon } from '../../icons/Icon';
import { canUsePasskeys } from '../../second-factor/passkeys';
import { RecoveryCodes } from '../../second-factor/RecoveryCodes';
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
  const [naming, setNaming] = useState<Passkey | 'new' | null>(null);
  const [name, setName] = useState('');
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [kept, setKept] = useState(false);
  const [busy, setBusy] = useState(false);

  const run = async (task: () => Promise<string>) => {
    setBusy(true);
    try {
      notify(await task(), { type: 'success' });
      setNaming(null);
      setRemoving(null);
      onChanged();
    } catch (cause) {
      const { message } = cause as Error;
      notify(message, { type: 'error', messageArgs: { _: message } });
    } finally {
      setBusy(false);
    }
  };
  const begin = (one: Passkey | 'new') => {
    setNaming(one);
    setName(one === 'new' ? agentName(navigator.userAgent) : one.name);
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const called = name.trim();
    if (busy || called === '' || !naming) return;
    void run(async () => {
      if (naming !== 'new') {
        await renamePasskey(naming.id, called);
        return 'The passkey was renamed.';
      }
      const { recovery_codes } = await addPasskey(called);
      setCodes(recovery_codes);
      setKept(false);
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
      <Button type="submit" variant="contained" disabled={busy || name.trim() === ''}>
        {label}
      </Button>
      <Button variant="text" color="inherit" onClick={() => setNaming(null)}>
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
          {passkeys.map((one) => (
            <li key={one.id}>
              <Icon name="fingerprint" size={18} />
              {naming !== 'new' && naming?.id === one.id ? (
                form('Rename')
              ) : (
                <>
                  <span className={profileStyles.profileSignIn}>
                    <b>{one.name}</b>
                    <small>
                      Added {formatInstant(one.created_at)}
                      {one.last_used_at ? `, used ${formatInstant(one.last_used_at)}` : ', not used yet'}
                    </small>
                  </span>
                  <IconButton size="small" aria-label={`Rename ${one.name}`} onClick={() => begin(one)}>
                    <Icon name="pencil" />
                  </IconButton>
                  <Button
                    variant="text"
                    color="inherit"
                    aria-label={`Remove ${one.name}`}
                    onClick={() => setRemoving(one)}
                  >
                    Remove
                  </Button>
                </>
              )}
            </li>
          ))}
          <li>
            {naming === 'new' ? (
              form('Add')
            ) : canUsePasskeys() ? (
              <Button variant="text" disabled={busy} startIcon={<Icon name="plus" />} onClick={() => begin('new')}>
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
            <RecoveryCodes codes={codes} title="Save the recovery codes" kept={kept} onKept={setKept} />
            <Button variant="contained" disabled={!kept} onClick={() => setCodes(null)}>
              Done
            </Button>
          </div>
        )}
      </div>
      <ConfirmDialog
        open={removing !== null}
        title="Remove this passkey?"
        question={`${removing?.name ?? ''} will no longer sign you in.`}
        confirmLabel="Remove"
        destructive
        busy={busy}
        onConfirm={() =>
          removing && void run(async () => (await removePasskey(removing.id)) && 'The passkey was removed.')
        }
        onClose={() => setRemoving(null)}
      />
    </section>
  );
}
