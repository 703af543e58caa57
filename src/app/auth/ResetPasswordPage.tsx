import { useEffect, useState } from 'react';
import { newPasswordProblem, passwordHint } from '../passwords/newPassword';
import { StrengthMeter } from '../passwords/StrengthMeter';
import { homePath } from '../product';
import { navigate } from '../session/navigation';
import { readSession } from '../session/session';
import { queueToast } from '../session/toastQueue';
import { AuthForm, AuthLink } from './AuthForm';
import { fetchCodeOwner, resetPassword, type CodeOwner } from './authApi';
import { useAuthToast } from './AuthToasts';
import { Field, PasswordField } from './Field';
import { firstError, lettersAndDigits, required, sameAs } from './rules';
import { useAuthForm } from './useAuthForm';
import * as styles from './auth.module.css';

const successMessage = 'Password reset successfully! Please login with new password.';
const texts = {
  reset: { title: 'Choose a new password', lead: 'Enter the code from the email we sent you and a new password.' },
  setup: { title: 'Set up your account', lead: 'Choose a password for your new account to finish the invitation.' },
};

/**
 * For a signed-in user, the account that the code belongs to; a user who follows their own link is redirected to the
 * home page. Undefined while loading; null if nobody is signed in or the account could not be loaded.
 */
function useOtherAccount(code: string): CodeOwner | null | undefined {
  const [session] = useState(readSession);
  const [owner, setOwner] = useState<CodeOwner | null | undefined>(session ? undefined : null);
  useEffect(() => {
    if (!session) return;
    fetchCodeOwner(code).then(
      (codeOwner) => {
        if (codeOwner && codeOwner.email !== session.user.email) return setOwner(codeOwner);
        if (!codeOwner) queueToast({ message: 'This link is no longer valid.', kind: 'error' });
        navigate(homePath(), { replace: true });
      },
      () => setOwner(null),
    );
  }, [code, session]);
  return owner;
}

/** `/auth/reset-password`; with `isSetup` the first visit of an invited user, `/auth/setup-account`. */
export function ResetPasswordPage({ isSetup = false }: { isSetup?: boolean }) {
  const toast = useAuthToast();
  const code = new URLSearchParams(window.location.search).get('verification_code') ?? '';
  const owner = useOtherAccount(code);
  const form = useAuthForm(
    { verification_code: code, new_password: '', confirm_password: '' },
    {
      verification_code: firstError(required('Verification Code'), lettersAndDigits),
      new_password: firstError(required('New Password'), (value) => newPasswordProblem(value)),
      confirm_password: firstError(
        required('Confirm Password'),
        (value) => newPasswordProblem(value),
        sameAs('new_password', 'The two passwords do not match.'),
      ),
    },
    async (values) => {
      const { status, message } = await resetPassword(values, isSetup);
      if (owner) {
        queueToast({
          message: status ? `The password of ${owner.name} was set.` : message,
          kind: status ? 'success' : 'error',
        });
        return navigate(homePath());
      }
      toast(status ? { message: successMessage, kind: 'success' } : { message, kind: 'error' });
      navigate('/auth/login');
    },
  );
  if (owner === undefined) return null;
  const { title, lead } = texts[isSetup ? 'setup' : 'reset'];
  const signedIn = owner && readSession()?.user.name;
  return (
    <AuthForm
      title={title}
      lead={
        owner ? `You are signed in as ${signedIn}. This sets the password of ${owner.name} (${owner.email}).` : lead
      }
      form={form}
      submitLabel={isSetup ? 'Set password' : 'Reset My Password'}
      footer={
        <p className={styles.authAfter}>
          Already have an account? <AuthLink path="/auth/login">Login</AuthLink>
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
        hint={passwordHint()}
        autoFocus={code !== ''}
      />
      <StrengthMeter password={form.values.new_password} />
      <PasswordField form={form} name="confirm_password" label="Confirm Password" autoComplete="new-password" />
    </AuthForm>
  );
}
