import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import Stack from '@mui/material/Stack';
import { useId, useState, type FormEvent } from 'react';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import type { SingleSignOnApi, ApplyChange, SingleSignOnSettings } from './api';
import { CopyableText } from '../../dialogs/CopyableText';
import { FieldError } from './FieldError';
import * as labelStyles from '../../fields/labels.module.css';
import * as formStyles from '../../form/form.module.css';
import * as secondFactorStyles from '../../auth/second-factor/second-factor.module.css';
import * as securityStyles from '../profile/security.module.css';
import * as styles from './single-sign-on.module.css';

interface ProviderFormProps {
  settings: SingleSignOnSettings;
  calls: SingleSignOnApi;
  change: ApplyChange;
  isBusy: boolean;
}

const labels = { name: 'Name', issuer: 'Issuer', client_id: 'Client ID' } as const;
type Text = keyof typeof labels | 'client_secret';

/** The company's provider: its address, Assay's credentials there, and how far it is trusted. */
export function ProviderForm({ settings, calls, change, isBusy }: ProviderFormProps) {
  const id = useId();
  const { provider, company, choices, redirect_uri } = settings;
  const [values, setValues] = useState({
    name: provider?.name ?? company.name,
    issuer: provider?.issuer ?? '',
    client_id: provider?.client_id ?? '',
    client_secret: '',
  });
  const [role, setRole] = useState(provider?.new_people_role ?? 0);
  const [trusts, setTrusts] = useState(provider?.trusts_second_factor ?? false);
  const [trustsAddresses, setTrustsAddresses] = useState(provider?.trusts_addresses ?? false);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [isRemoving, setIsRemoving] = useState(false);

  const save = (event: FormEvent) => {
    event.preventDefault();
    const missingNames = (Object.keys(labels) as (keyof typeof labels)[]).filter((name) => values[name].trim() === '');
    if (missingNames.length > 0) {
      setErrors(Object.fromEntries(missingNames.map((name) => [name, `${labels[name]} is required.`])));
      return document.getElementById(`${id}-${missingNames[0]}`)?.focus();
    }
    const { client_secret, ...rest } = values;
    const request = {
      ...rest,
      trusts_second_factor: trusts,
      trusts_addresses: trustsAddresses,
      new_people_role: role || null,
      ...(client_secret && { client_secret }),
    };
    void change(() => calls.save(request), 'The provider is connected. Test it by signing in in another window.').then(
      (fieldErrors) => setErrors(fieldErrors ?? {}),
    );
  };
  const fieldProps = (name: Text) => ({
    id: `${id}-${name}`,
    value: values[name],
    error: errors[name],
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  });
  return (
    <section className={formStyles.formSection} aria-labelledby={`${id}-title`}>
      <div className={formStyles.formPurpose}>
        <h2 id={`${id}-title`}>Provider</h2>
        <p>The OpenID Connect provider that knows your people: Keycloak, Entra ID, Google, Okta, …</p>
        <span className={securityStyles.securityState} data-state={provider ? 'On' : 'Off'}>
          {provider ? 'Connected' : 'Not connected'}
        </span>
      </div>
      <form className={securityStyles.securityCard} noValidate onSubmit={save} aria-label="Provider">
        <div className={styles.ssoRedirect}>
          <b>Register this redirect URI there</b>
          <CopyableText text={redirect_uri} label="redirect URI" />
        </div>
        <div className={styles.ssoFields}>
          <ProviderField
            {...fieldProps('name')}
            label={labels.name}
            maxLength={60}
            hint="As the sign-in page calls it: Continue to …"
          />
          <ProviderField
            {...fieldProps('issuer')}
            label={labels.issuer}
            placeholder="https://login.example.com/realms/main"
          />
          <ProviderField {...fieldProps('client_id')} label={labels.client_id} />
          <ProviderField
            {...fieldProps('client_secret')}
            label="Client secret"
            type="password"
            autoComplete="new-password"
            hint={
              provider?.has_secret
                ? 'A secret is stored and never shown. Type another one to replace it.'
                : 'Leave it empty for a public client.'
            }
          />
        </div>
        <div>
          <div className={labelStyles.fieldLabel}>
            <label id={`${id}-role`}>People who sign in for the first time</label>
          </div>
          <Select
            fullWidth
            value={role}
            onChange={(event) => setRole(Number(event.target.value))}
            labelId={`${id}-role`}
          >
            <MenuItem value={0}>Need an invitation</MenuItem>
            {choices.map((choice) => (
              <MenuItem key={choice.id} value={choice.id}>
                Are added as {choice.role_name}
              </MenuItem>
            ))}
          </Select>
          <FieldError id={`${id}-role-error`} message={errors.new_people_role} />
        </div>
        <label className={secondFactorStyles.plainCheck}>
          <input type="checkbox" checked={trusts} onChange={(event) => setTrusts(event.target.checked)} />
          Do not ask for a second factor where the provider states that it did (amr: mfa)
        </label>
        <label className={secondFactorStyles.plainCheck}>
          <input
            type="checkbox"
            checked={trustsAddresses}
            onChange={(event) => setTrustsAddresses(event.target.checked)}
          />
          Trust addresses of your domains where the provider does not say whether it has verified them (email_verified)
        </label>
        <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 2 }}>
          <Button type="submit" variant="contained" disabled={isBusy}>
            {provider ? 'Save' : 'Connect'}
          </Button>
          {provider && (
            <Button variant="text" color="inherit" disabled={isBusy} onClick={() => setIsRemoving(true)}>
              Remove provider
            </Button>
          )}
        </Stack>
      </form>
      <ConfirmDialog
        open={isRemoving}
        title="Remove the provider?"
        question="Nobody can sign in through it any longer, and passwords are enabled again. People without a password can set one with Forgot Password."
        confirmLabel="Remove"
        destructive
        isBusy={isBusy}
        onConfirm={() => void change(calls.remove, 'The provider was removed.').then(() => setIsRemoving(false))}
        onClose={() => setIsRemoving(false)}
      />
    </section>
  );
}

interface ProviderFieldProps {
  id: string;
  label: string;
  value: string;
  error: string | undefined;
  hint?: string;
  placeholder?: string;
  type?: 'text' | 'password';
  autoComplete?: 'off' | 'new-password';
  maxLength?: number;
  onChange: (value: string) => void;
}

/** One of the provider's texts, with its error or else its hint. */
function ProviderField(props: ProviderFieldProps) {
  const { id, label, value, error, hint, placeholder, type = 'text', autoComplete = 'off', maxLength = 2000 } = props;
  const hasHint = hint !== undefined && !error;
  return (
    <div>
      <div className={labelStyles.fieldLabel}>
        <label htmlFor={id}>{label}</label>
      </div>
      <OutlinedInput
        id={id}
        fullWidth
        type={type}
        value={value}
        error={Boolean(error)}
        placeholder={placeholder}
        onChange={(event) => props.onChange(event.target.value)}
        slotProps={{
          input: {
            'aria-describedby': `${id}-note`,
            autoComplete,
            autoCapitalize: 'none',
            spellCheck: false,
            maxLength,
          },
        }}
      />
      {hasHint && (
        <p className={labelStyles.fieldHint} id={`${id}-note`}>
          {hint}
        </p>
      )}
      <FieldError id={hasHint ? `${id}-alert` : `${id}-note`} message={error} />
    </div>
  );
}
