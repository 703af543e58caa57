import { Suspense, useState, type ReactNode } from 'react';
import { canUsePasskeys } from './second-factor/passkeys';
import { signInByPasskey, type SecondStep } from './second-factor/secondStepApi';
import { ApiError } from '../session/api';
import { productTitle } from '../brand/productTitle';
import { completeSignIn } from './completeSignIn';
import type { Session } from '../session/session';
import { queueToast } from '../session/toastQueue';
import { Icon } from '../icons/Icon';
import { AuthForm, AuthLink } from './AuthForm';
import { useAuthToast } from './AuthToasts';
import { signIn } from './authApi';
import { DemoAccounts } from './DemoAccounts';
import { Field, PasswordField } from './Field';
import { firstError, email, password, required } from './rules';
import { goToProvider, type SignInOptions } from './signOnApi';
import { useAuthForm } from './useAuthForm';
import { useSignInOptions } from './useSignInOptions';
import { lazyComponent } from '../states/lazyComponent';
import * as styles from './auth.module.css';

// Loaded on demand: most sign-ins need neither.
const SecondStepForm = lazyComponent(() => import('./second-factor/SecondStepForm'));
const FirstFactorForm = lazyComponent(() => import('./second-factor/FirstFactorForm'));

const recoveryCode = {
  name: 'recovery_code',
  label: 'Recovery code',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  maxLength: 40,
} as const;

function finishSignIn(session: Session): void {
  queueToast({ message: 'Login Successfully!', kind: 'success' });
  completeSignIn(session);
}

/** If passwords are disabled: the provider to use, and its domain (empty: everybody's). */
function requiredProvider({
  company,
  installation,
  password,
}: SignInOptions): { name: string; domain: string } | undefined {
  if (password) return undefined;
  return company?.closed ? company : { name: installation?.name ?? 'single sign-on', domain: '' };
}

/** The hint for an address whose domain has a provider. */
function providerHint({ company }: SignInOptions): string | undefined {
  if (!company) return undefined;
  if (company.closed) return `${company.name} requires single sign-on. You don't need a password.`;
  return `${company.name} offers single sign-on for ${company.domain}.`;
}

/** `/auth/login`: single sign-on, a passkey or the password, and then the second step where there is one. */
export function LoginPage() {
  const toast = useAuthToast();
  const [pending, setPending] = useState<{ step: SecondStep; email: string } | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  /** An owner signs in with a recovery code although passwords are disabled. */
  const [byCode, setByCode] = useState(false);
  const [typedEmail, setTypedEmail] = useState('');
  const signInOptions = useSignInOptions(typedEmail);
  const onlyProvider = byCode ? undefined : requiredProvider(signInOptions);
  const form = useAuthForm(
    { email: '', password: '', recovery_code: '' },
    {
      email: onlyProvider?.domain === '' ? optionalCheck(email) : firstError(required('Email'), email),
      ...(!onlyProvider && { password: firstError(required('Password'), password) }),
      ...(byCode && { recovery_code: required('Recovery code') }),
    },
    async ({ recovery_code, ...values }) => {
      if (onlyProvider) return goToProvider(values.email);
      const answer = await signIn(byCode ? { ...values, recovery_code } : values);
      if ('challenge' in answer) setPending({ step: answer, email: values.email });
      else finishSignIn(answer);
    },
  );
  // The checks depend on the sign-in options, which depend on the typed address: one render later.
  if (form.values.email !== typedEmail) setTypedEmail(form.values.email);

  const signInBy = async (signIn: () => Promise<void>) => {
    if (isBusy) return;
    setIsBusy(true);
    try {
      await signIn();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toast({ message: error.message, kind: 'error' });
      setIsBusy(false);
    }
  };
  const throughProvider = async () => {
    const address = email(typedEmail, {}) === undefined ? typedEmail.trim() : undefined;
    // Without a provider for the whole installation, the address's domain decides.
    if (!address && !signInOptions.installation)
      document.querySelector<HTMLInputElement>('input[name="email"]')?.focus();
    await goToProvider(signInOptions.company || !signInOptions.installation ? address : undefined);
  };
  if (pending) {
    const Step = pending.step.kind === 'setup' ? FirstFactorForm : SecondStepForm;
    const back = (message?: string) => {
      setPending(null);
      form.set('password', '');
      if (message) toast({ message, kind: 'error' });
    };
    return (
      <Suspense>
        <Step {...pending} onBack={back} onDone={finishSignIn} />
      </Suspense>
    );
  }
  const providerName =
    (signInOptions.company && !signInOptions.company.closed ? signInOptions.company : signInOptions.installation)
      ?.name ?? 'single sign-on';
  const everybodyElse = onlyProvider?.domain === '';
  const canPasskey = canUsePasskeys() && !everybodyElse && !byCode;
  return (
    <AuthForm
      title="Sign in"
      lead={
        everybodyElse ? (
          'With the account of your organisation.'
        ) : (
          <>
            New to {productTitle()}? <AuthLink path="/auth/register">Create an account</AuthLink>
          </>
        )
      }
      form={form}
      submitLabel={onlyProvider ? `Continue to ${onlyProvider.name}` : 'Sign in'}
      footer={
        <>
          {(onlyProvider || byCode) && (
            <p className={`${styles.authAfter} ${styles.authTrouble}`}>
              {byCode ? 'Back to ' : 'Trouble signing in? Owners can '}
              <button type="button" className={styles.authLink} onClick={() => setByCode(!byCode)}>
                {byCode ? 'single sign-on' : 'use a recovery code'}
              </button>
              .
            </p>
          )}
          {!everybodyElse && (
            <DemoAccounts onUse={({ email, password }) => form.submitWith({ email, password, recovery_code: '' })} />
          )}
        </>
      }
    >
      {((signInOptions.single_sign_on && !byCode && !everybodyElse) || canPasskey) && (
        <>
          <div className={styles.authOtherWays}>
            {signInOptions.single_sign_on && !byCode && (
              <SignInOption icon="shield" isBusy={isBusy} onClick={() => void signInBy(throughProvider)}>
                Continue with {providerName}
              </SignInOption>
            )}
            {canPasskey && (
              <SignInOption
                icon="fingerprint"
                isBusy={isBusy}
                onClick={() => void signInBy(async () => finishSignIn(await signInByPasskey()))}
              >
                Continue with a passkey
              </SignInOption>
            )}
          </div>
          <div className={styles.authOr}>or with your password</div>
        </>
      )}
      <Field
        form={form}
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
        optional={everybodyElse}
        hint={byCode ? undefined : providerHint(signInOptions)}
        hintAppears
      />
      {onlyProvider ? (
        <Field
          form={{ ...form, values: { ...form.values, password: '' } }}
          name="password"
          label="Password"
          readOnly
          placeholder={onlyProvider.domain ? `Not used for ${onlyProvider.domain}` : 'Not used here'}
          button={<Icon name="lock" />}
        />
      ) : (
        <PasswordField
          form={form}
          name="password"
          label="Password"
          autoComplete="current-password"
          labelEnd={byCode ? undefined : <AuthLink path="/auth/forgot-password">Forgot Password?</AuthLink>}
        />
      )}
      {byCode && <Field {...recoveryCode} form={form} />}
    </AuthForm>
  );
}

function optionalCheck(check: typeof email): typeof email {
  return (value, values) => (value.trim() === '' ? undefined : check(value, values));
}

interface SignInOptionProps {
  icon: 'shield' | 'fingerprint';
  isBusy: boolean;
  onClick: () => void;
  children: ReactNode;
}

function SignInOption({ icon, isBusy, onClick, children }: SignInOptionProps) {
  return (
    <button type="button" className={styles.authOtherWay} aria-disabled={isBusy || undefined} onClick={onClick}>
      <Icon name={icon} />
      <span>{children}</span>
    </button>
  );
}
