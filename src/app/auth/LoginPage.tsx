import { enter } from '../session/landing';
import { leaveToast } from '../session/toastHandover';
import { AuthForm } from './AuthForm';
import { AuthLink } from './AuthLink';
import { signIn } from './authCalls';
import { DemoAccounts } from './DemoAccounts';
import { Field, PasswordField } from './Field';
import { all, email, password, required } from './rules';
import { useForm } from './useForm';

/** `/auth/login`. */
export function LoginPage() {
  const form = useForm(
    { email: '', password: '' },
    { email: all(required('Email'), email), password: all(required('Password'), password) },
    async (values) => {
      const session = await signIn(values);
      leaveToast({ message: 'Login Successfully!', kind: 'success' });
      enter(session);
    },
  );
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
