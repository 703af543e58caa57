import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Stack from '@mui/material/Stack';
import { useId, useState, type FormEvent } from 'react';
import { formatInstant } from '../../../engine/formats/dates';
import { requireValue } from '../../../engine/values/lookups';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import { Icon } from '../../icons/Icon';
import type { SingleSignOnApi, ApplyChange, Domain, SingleSignOnSettings } from './api';
import { CopyableText } from '../../dialogs/CopyableText';
import { FieldError } from './FieldError';
import * as formStyles from '../../form/form.module.css';
import * as profileStyles from '../profile/profile.module.css';
import * as securityStyles from '../profile/security.module.css';
import * as styles from './single-sign-on.module.css';

interface DomainsProps {
  settings: SingleSignOnSettings;
  calls: SingleSignOnApi;
  change: ApplyChange;
  isBusy: boolean;
  /** Whether the user is an administrator of the installation, who can confirm a domain without a DNS record. */
  administrator: boolean;
}

/** The company's email domains: added here, and verified by a DNS record that only their owner can set. */
export function Domains({ settings: { domains }, calls, change, isBusy, administrator }: DomainsProps) {
  const id = useId();
  const [domain, setDomain] = useState('');
  const [error, setError] = useState('');
  const [domainToRemove, setDomainToRemove] = useState<Domain | null>(null);
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (domain.trim() === '') return setError('Domain is required.');
    void change(() => calls.addDomain(domain.trim()), 'The domain was added. Verify it next.').then((errors) => {
      setError(errors?.domain ?? '');
      if (!errors) setDomain('');
    });
  };
  const check = (emailDomain: Domain) =>
    void change(() => calls.checkDomain(emailDomain.id), `${emailDomain.domain} was verified.`);
  return (
    <section className={formStyles.formSection} aria-labelledby={`${id}-title`}>
      <div className={formStyles.formPurpose}>
        <h2 id={`${id}-title`}>Domains</h2>
        <p>People with an address of these domains sign in through your provider. Verify that you own each of them.</p>
      </div>
      <ul className={`${profileStyles.profileSignIns} ${styles.ssoDomains}`}>
        {domains.map((emailDomain) => (
          <li key={emailDomain.id}>
            <div className={styles.ssoDomain}>
              <Icon name="mail" size={18} />
              <span className={profileStyles.profileSignIn} style={{ flexBasis: 120 }}>
                <b style={{ overflowWrap: 'anywhere' }}>{emailDomain.domain}</b>
                <small>
                  {emailDomain.proven_at
                    ? `Verified ${formatInstant(emailDomain.proven_at)}${emailDomain.proven_by === 'administrator' ? ' by the administrator' : ''}`
                    : 'Add this record at your DNS provider, then check it.'}
                </small>
              </span>
              <Stack component="span" direction="row" sx={{ gap: 1, alignItems: 'center', ml: 'auto' }}>
                {emailDomain.proven_at ? (
                  <span className={securityStyles.securityState} data-state="On" style={{ margin: 0 }}>
                    Verified
                  </span>
                ) : (
                  <Button
                    variant="outlined"
                    disabled={isBusy}
                    aria-label={`${administrator ? 'Confirm' : 'Check'} ${emailDomain.domain}`}
                    onClick={() => check(emailDomain)}
                  >
                    {administrator ? 'Confirm' : 'Check'}
                  </Button>
                )}
                <Button
                  variant="text"
                  color="inherit"
                  disabled={isBusy}
                  aria-label={`Remove ${emailDomain.domain}`}
                  onClick={() => setDomainToRemove(emailDomain)}
                >
                  Remove
                </Button>
              </Stack>
            </div>
            {!emailDomain.proven_at && (
              <dl className={styles.ssoRecord}>
                <dt>Type</dt>
                <dd>TXT</dd>
                <dt>Name</dt>
                <dd>
                  <CopyableText text={emailDomain.record.name} label="name" />
                </dd>
                <dt>Value</dt>
                <dd>
                  <CopyableText text={emailDomain.record.value} label="value" />
                </dd>
              </dl>
            )}
          </li>
        ))}
        <li>
          <form className={securityStyles.securityNaming} noValidate onSubmit={add} aria-label="Add a domain">
            <OutlinedInput
              size="small"
              value={domain}
              error={error !== ''}
              placeholder="example.com"
              onChange={(event) => setDomain(event.target.value)}
              slotProps={{
                input: {
                  'aria-label': 'Domain',
                  'aria-describedby': `${id}-error`,
                  maxLength: 253,
                  autoCapitalize: 'none',
                  spellCheck: false,
                },
              }}
            />
            <Button type="submit" variant="outlined" disabled={isBusy}>
              Add domain
            </Button>
            <FieldError id={`${id}-error`} message={error} ownLine />
          </form>
        </li>
      </ul>
      <ConfirmDialog
        open={domainToRemove !== null}
        title={`Remove ${domainToRemove?.domain ?? ''}?`}
        question="People with its addresses will no longer be sent to your provider. Those who have signed in before still can."
        confirmLabel="Remove"
        destructive
        isBusy={isBusy}
        onConfirm={() => {
          const emailDomain = requireValue(domainToRemove, 'the domain to remove');
          void change(() => calls.removeDomain(emailDomain.id), 'The domain was removed.').then(() =>
            setDomainToRemove(null),
          );
        }}
        onClose={() => setDomainToRemove(null)}
      />
    </section>
  );
}
