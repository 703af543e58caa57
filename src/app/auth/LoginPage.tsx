import { Suspense, useState, type ReactNode } from 'react';
import { canUsePasskeys } from '../second-factor/passkeys';
import { signInByPasskey, type SecondStep } from '../second-factor/secondStepApi';
import { ApiError } from '../session/api';
import { productTitle } from '../brand/productTitle';
import { completeSignIn } from '../session/landing';
import type { Session } from '../session/session';
import { queueToast } from '../session/toastQueue';
import { Icon } from '../icons/Icon';
import { AuthForm } from './AuthForm';
import { AuthLink } from './AuthLink';
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
const SecondStepForm = lazyComponent(() => import('../second-factor/SecondStepForm'));
const FirstFactorForm = lazyComponent(() => import('../second-factor/FirstFactorForm'));

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
  const [busy, setBusy] = useState(false);
  /** An owner signs in with a recovery code although passwords are disabled. */
  const [byCode, setByCode] = useState(false);
  const [typed, setTyped] = useState('');
  const ways = useSignInOptions(typed);
  const closed = byCode ? undefined : requiredProvider(ways);
  const form = useAuthForm(
    { email: '', password: '', recovery_code: '' },
    {
      email: closed?.domain === '' ? optionalCheck(email) : firstError(required('Email'), email),
      ...(!closed && { password: firstError(required('Password'), password) }),
      ...(byCode && { recovery_code: required('Recovery code') }),
    },
    async ({ recovery_code, ...values }) => {
      if (closed) return goToProvider(values.email);
      const answer = await signIn(byCode ? { ...values, recovery_code } : values);
      if ('challenge' in answer) setPending({ step: answer, email: values.email });
      else finishSignIn(answer);
    },
  );
  // The checks depend on the sign-in options, which depend on the typed address: one render later.
  if (form.values.email !== typed) setTyped(form.values.email);

  const other = async (way: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    try {
      await way();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toast({ message: error.message, kind: 'error' });
      setBusy(false);
    }
  };
  const throughProvider = async () => {
    const address = email(typed, {}) === undefined ? typed.trim() : undefined;
    // Without a provider for the whole installation, the address's domain decides.
    if (!address && !ways.installation) document.querySelector<HTMLInputElement>('input[name="email"]')?.focus();
    await goToProvider(ways.company || !ways.installation ? address : undefined);
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
  const offered = (ways.company && !ways.company.closed ? ways.company : ways.installation)?.name ?? 'single sign-on';
  const everybodyElse = closed?.domain === '';
  const canPasskey = canUsePasskeys() && !everybodyElse && !byCode;
  return (
    <AuthForm
      title="Sign in"
      lead={
        everybodyElse ? (
          'With the account of your organisation.'
        ) : (
          <>
            New to {productTitle()}? <AuthLink to="/auth/register">Create an account</AuthLink>
          </>
        )
      }
      form={form}
      submitLabel={closed ? `Continue to ${closed.name}` : 'Sign in'}
      after={
        <>
          {(closed || byCode) && (
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
      {((ways.single_sign_on && !byCode && !everybodyElse) || canPasskey) && (
        <>
          <div className={styles.authOtherWays}>
            {ways.single_sign_on && !byCode && (
              <SignInOption icon="shield" busy={busy} onClick={() => void other(throughProvider)}>
                Continue with {offered}
              </SignInOption>
            )}
            {canPasskey && (
              <SignInOption
                icon="fingerprint"
                busy={busy}
                onClick={() => void other(async () => finishSignIn(await signInByPasskey()))}
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
        hint={byCode ? undefined : providerHint(ways)}
        hintAppears
      />
      {closed ? (
        <Field
          form={{ ...form, values: { ...form.values, password: '' } }}
          name="password"
          label="Password"
          readOnly
          placeholder={closed.domain ? `Not used for ${closed.domain}` : 'Not used here'}
          button={<Icon name="lock" />}
        />
      ) : (
        <PasswordField
          form={form}
          name="password"
          label="Password"
          autoComplete="current-password"
          aside={byCode ? undefined : <AuthLink to="/auth/forgot-password">Forgot Password?</AuthLink>}
        />
      )}
      {byCode && (
        <Field
          form={form}
          name="recovery_code"
          label="Recovery code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
        />
      )}
    </AuthForm>
  );
}

function optionalCheck(check: typeof email): typeof email {
  return (value, values) => (value.trim() === '' ? undefined : check(value, values));
}

interface SignInOptionProps {
  icon: 'shield' | 'fingerprint';
  busy: boolean;
  onClick: () => void;
  children: ReactNode;
}

function SignInOption({ icon, busy, onClick, children }: SignInOptionProps) {
  return (
    <button type="button" className={styles.authOtherWay} aria-disabled={busy || undefined} onClick={onClick}>
      <Icon name={icon} />
      <span>{children}</span>
    </button>
  );
}
