import { navigate } from '../session/navigation';
import { readSession } from '../session/session';
import { queueToast } from '../session/toastQueue';
import { AuthForm, AuthLink } from './AuthForm';
import { confirmAddress } from './authApi';
import { useAuthToast } from './AuthToasts';
import { Field } from './Field';
import { firstError, lettersAndDigits, required } from './rules';
import { useAuthForm } from './useAuthForm';
import * as styles from './auth.module.css';

/**
 * `/auth/confirm-address`: the link in the mail to a new owner leads here. Confirming takes a click, so that mail
 * scanners that follow links don't confirm.
 */
export function ConfirmAddressPage() {
  const toast = useAuthToast();
  const code = new URLSearchParams(window.location.search).get('verification_code') ?? '';
  const form = useAuthForm(
    { verification_code: code },
    { verification_code: firstError(required('Verification Code'), lettersAndDigits) },
    async (values) => {
      const { status, message } = await confirmAddress(values.verification_code);
      if (!status) return toast({ message, kind: 'error' });
      // A signed-in user continues in the application, which shows the toast.
      if (readSession()) queueToast({ message, kind: 'success' });
      else toast({ message, kind: 'success' });
      navigate('/auth/login');
    },
  );
  return (
    <AuthForm
      title="Confirm your address"
      lead="Enter the code from the email we sent you. Then you can invite your team."
      form={form}
      submitLabel="Confirm My Address"
      footer={
        <p className={styles.authAfter}>
          <AuthLink path="/auth/login">Back to sign in</AuthLink>
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
    </AuthForm>
  );
}
