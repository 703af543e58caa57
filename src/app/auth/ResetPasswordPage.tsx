import { StrengthMeter } from '../passwords/StrengthMeter';
import { navigate } from '../session/navigation';
import { AuthForm } from './AuthForm';
import { AuthLink } from './AuthLink';
import { resetPassword } from './authCalls';
import { useAuthToast } from './AuthToasts';
import { Field, PasswordField } from './Field';
import { all, lettersAndDigits, password, passwordMessage, required, sameAs } from './rules';
import { useForm } from './useForm';

const done = 'Password reset successfully! Please login with new password.';
const words = {
  reset: { title: 'Choose a new password', lead: 'Enter the code from the mail we sent you, and a new password.' },
  setup: { title: 'Set up your account', lead: 'Choose a password for your new account to finish the invitation.' },
};

/** `/auth/reset-password`, and with `isSetup` the first visit of an invited person, `/auth/setup-account`. */
export function ResetPasswordPage({ isSetup = false }: { isSetup?: boolean }) {
  const toast = useAuthToast();
  const code = new URLSearchParams(window.location.search).get('verification_code') ?? '';
  const form = useForm(
    { verification_code: code, new_password: '', confirm_password: '' },
    {
      verification_code: all(required('Verification Code'), lettersAndDigits),
      new_password: all(required('New Password'), password),
      confirm_password: all(
        required('Confirm Password'),
        password,
        sameAs('new_password', 'The two passwords do not match.'),
      ),
    },
    async (values) => {
      const { status, message } = await resetPassword(values, isSetup);
      toast(status ? { message: done, kind: 'success' } : { message, kind: 'error' });
      navigate('/auth/login');
    },
  );
  return (
    <AuthForm
      {...words[isSetup ? 'setup' : 'reset']}
      form={form}
      submitLabel="Reset My Password"
      after={
        <p className="auth-after">
          Already have an account? <AuthLink to="/auth/login">Login</AuthLink>
        </p>
      }
    >
      <Field
        form={form}
        name="verification_code"
        label="Verification Code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={code === ''}
      />
      <PasswordField
        form={form}
        name="new_password"
        label="New Password"
        autoComplete="new-password"
        hint={passwordMessage}
        autoFocus={code !== ''}
      />
      <StrengthMeter password={form.values.new_password} />
      <PasswordField form={form} name="confirm_password" label="Confirm Password" autoComplete="new-password" />
    </AuthForm>
  );
}
