import { navigate } from '../session/navigation';
import { readSession } from '../session/session';
import { leaveToast } from '../session/toastHandover';
import { AuthForm } from './AuthForm';
import { AuthLink } from './AuthLink';
import { confirmAddress } from './authCalls';
import { useAuthToast } from './AuthToasts';
import { Field } from './Field';
import { all, lettersAndDigits, required } from './rules';
import { useForm } from './useForm';

/** `/auth/confirm-address`: where the link in the mail to a new owner leads. One click, so that no mail scanner confirms. */
export function ConfirmAddressPage() {
  const toast = useAuthToast();
  const code = new URLSearchParams(window.location.search).get('verification_code') ?? '';
  const form = useForm(
    { verification_code: code },
    { verification_code: all(required('Verification Code'), lettersAndDigits) },
    async (values) => {
      const { status, message } = await confirmAddress(values.verification_code);
      if (!status) return toast({ message, kind: 'error' });
      // Whoever is signed in goes on in the application, which shows what was left for it.
      if (readSession()) leaveToast({ message, kind: 'success' });
      else toast({ message, kind: 'success' });
      navigate('/auth/login');
    },
  );
  return (
    <AuthForm
      title="Confirm your address"
      lead="With the code from the mail we sent you. Then your company can invite the rest of the team."
      form={form}
      submitLabel="Confirm My Address"
      after={
        <p className="auth-after">
          <AuthLink to="/auth/login">Back to Login</AuthLink>
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
