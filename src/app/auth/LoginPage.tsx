import { lazy, Suspense, useState } from 'react';
import { canUsePasskeys } from '../second-factor/passkeys';
import { signInByPasskey, type SecondStep } from '../second-factor/stepCalls';
import { ApiError } from '../session/api';
import { enter } from '../session/landing';
import type { Session } from '../session/session';
import { leaveToast } from '../session/toastHandover';
import { Icon } from '../icons/Icon';
import { AuthForm } from './AuthForm';
import { AuthLink } from './AuthLink';
import { useAuthToast } from './AuthToasts';
import { signIn } from './authCalls';
import { DemoAccounts } from './DemoAccounts';
import { Field, PasswordField } from './Field';
import { all, email, password, required } from './rules';
import { useForm } from './useForm';

// Most sign-ins need neither.
const SecondStepForm = lazy(() => import('../second-factor/SecondStepForm'));
const FirstFactorForm = lazy(() => import('../second-factor/FirstFactorForm'));

function done(session: Session): void {
  leaveToast({ message: 'Login Successfully!', kind: 'success' });
  enter(session);
}

/** `/auth/login`: the password or a passkey, and then the second step where there is one. */
export function LoginPage() {
  const toast = useAuthToast();
  const [pending, setPending] = useState<{ step: SecondStep; email: string } | null>(null);
  const [byPasskey, setByPasskey] = useState(false);
  const form = useForm(
    { email: '', password: '' },
    { email: all(required('Email'), email), password: all(required('Password'), password) },
    async (values) => {
      const answer = await signIn(values);
      if ('challenge' in answer) setPending({ step: answer, email: values.email });
      else done(answer);
    },
  );
  const continueByPasskey = async () => {
    setByPasskey(true);
    try {
      done(await signInByPasskey());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toast({ message: error.message, kind: 'error' });
      setByPasskey(false);
    }
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
        <Step {...pending} onBack={back} onDone={done} />
      </Suspense>
    );
  }
  return (
    <AuthForm
      title="Sign in"
      lead={
        <>
          New to Assay? <AuthLink to="/auth/register">Create an account</AuthLink>
        </>
      }
      form={form}
      submitLabel="Sign in"
      after={
        <DemoAccounts onUse={(account) => form.submitWith({ email: account.email, password: account.password })} />
      }
    >
      {canUsePasskeys() && (
        <>
          <button
            type="button"
            className="auth-other-way"
            aria-disabled={byPasskey || undefined}
            onClick={() => void (byPasskey || continueByPasskey())}
          >
            <Icon name="fingerprint" />
            Continue with a passkey
          </button>
          <div className="auth-or">or with your password</div>
        </>
      )}
      <Field form={form} name="email" label="Email" type="email" autoComplete="username" autoFocus />
      <PasswordField
        form={form}
        name="password"
        label="Password"
        autoComplete="current-password"
        aside={<AuthLink to="/auth/forgot-password">Forgot Password?</AuthLink>}
      />
    </AuthForm>
  );
}
