import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useId, useState } from 'react';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import type { SingleSignOnApi, ApplyChange, Provider, SingleSignOnSettings } from './api';
import { FieldError } from './FieldError';
import * as formStyles from '../../form/form.module.css';
import * as securityStyles from '../profile/security.module.css';
import * as styles from './single-sign-on.module.css';

interface LocalSignInProps {
  settings: SingleSignOnSettings;
  provider: Provider;
  calls: SingleSignOnApi;
  change: ApplyChange;
  isBusy: boolean;
}

/** Whether passwords and passkeys can be used to sign in, and the identities that are linked to users. */
export function LocalSignIn({ settings, provider, calls, change, isBusy }: LocalSignInProps) {
  const id = useId();
  const [confirming, setAsked] = useState<'close' | 'forget' | null>(null);
  const [email, setEmail] = useState('');
  const [fault, setFault] = useState<string>();
  const address = email.trim();
  const { may_close, elsewhere: outsideCount, joined: linkedCount, recovery_codes_left: codes, domains } = settings;
  const { name, local_closed: isClosed } = provider;
  const isVerified = domains.some(({ proven_at }) => proven_at !== null);
  const obstacle = isVerified
    ? !may_close && `Sign in through ${name} yourself first, so that you do not lock yourself out.`
    : 'Verify a domain first.';
  const run = (task: () => ReturnType<SingleSignOnApi['read']>, words: string) =>
    void change(task, words).then((errors) => {
      setAsked(null);
      setFault(errors?.email);
    });
  return (
    <section className={formStyles.formSection} aria-labelledby={`${id}-title`}>
      <div className={formStyles.formPurpose}>
        <h2 id={`${id}-title`}>Passwords</h2>
        <p>How else people of your domains can sign in.</p>
        <span className={securityStyles.securityState} data-state={isClosed ? 'On' : 'Off'}>
          {isClosed ? 'Disabled' : 'Enabled'}
        </span>
      </div>
      <div className={securityStyles.securityCard}>
        <div className={securityStyles.securityRow}>
          <span>
            <b>
              {isClosed ? `Only ${name} can be used to sign in` : 'Passwords and passkeys can be used to sign in too'}
            </b>
            <small>
              {isClosed
                ? 'Owners can sign in with their password and a recovery code if the provider is down.'
                : obstacle || 'Disabling them ends all sign-ins that did not go through the provider.'}
            </small>
          </span>
          {isClosed ? (
            <Button
              variant="outlined"
              disabled={isBusy}
              onClick={() => run(() => calls.close(false), 'Passwords and passkeys are enabled again.')}
            >
              Enable them
            </Button>
          ) : (
            <Button variant="outlined" disabled={isBusy || Boolean(obstacle)} onClick={() => setAsked('close')}>
              Disable them
            </Button>
          )}
        </div>
        <p className={styles.ssoQuiet}>
          {outsideCount === 0
            ? 'Every active person has an address of these domains.'
            : `${outsideCount === 1 ? 'One active person has an address' : `${outsideCount} active people have addresses`} of other domains: they can still use passwords.`}
          {codes === 0 && ' You have no recovery codes: set up a second factor in your profile to get some.'}
        </p>
        <Box className={securityStyles.securityRow} sx={{ pt: 3.5, borderTop: '1px solid var(--line)' }}>
          <span>
            <b>
              {linkedCount === 1 ? '1 person has signed in' : `${linkedCount} people have signed in`} through the
              provider
            </b>
            <small>Each is identified by the provider’s id for them, even if their address changes.</small>
            <OutlinedInput
              size="small"
              value={email}
              error={fault !== undefined}
              placeholder="All, or one email address"
              onChange={(event) => setEmail(event.target.value)}
              slotProps={{
                input: { 'aria-label': 'Whom to forget', 'aria-describedby': `${id}-forget`, autoComplete: 'off' },
              }}
            />
            <FieldError id={`${id}-forget`} message={fault} />
          </span>
          <Button
            variant="text"
            color="inherit"
            disabled={isBusy || linkedCount === 0}
            onClick={() => setAsked('forget')}
          >
            {address === '' ? 'Forget them' : 'Forget this person'}
          </Button>
        </Box>
      </div>
      <ConfirmDialog
        open={confirming === 'close'}
        title="Disable passwords and passkeys?"
        question={`People of your domains will sign in only through ${name}. Their other sign-ins end now, including those of scripts.`}
        confirmLabel="Disable them"
        destructive
        isBusy={isBusy}
        width={400}
        onConfirm={() => run(() => calls.close(true), 'Passwords and passkeys are disabled.')}
        onClose={() => setAsked(null)}
      />
      <ConfirmDialog
        open={confirming === 'forget'}
        title={address === '' ? 'Forget linked people?' : `Forget ${address}?`}
        question="At their next sign-in, people are linked by their verified address again. Do this after accounts have changed at the provider."
        confirmLabel={address === '' ? 'Forget them' : 'Forget this person'}
        destructive
        isBusy={isBusy}
        width={400}
        onConfirm={() =>
          run(() => calls.forget(address || undefined), 'People are linked again at their next sign-in.')
        }
        onClose={() => setAsked(null)}
      />
    </section>
  );
}
