import { navigate } from '../session/navigation';
import { AuthForm, AuthLink } from './AuthForm';
import { requestPasswordReset } from './authApi';
import { useAuthToast } from './AuthToasts';
import { Field } from './Field';
import { firstError, email, required } from './rules';
import { useAuthForm } from './useAuthForm';
import * as styles from './auth.module.css';

const sentMessage = 'Email sent successfully! Please check your mail box to reset your password.';

/** `/auth/forgot-password`. */
export function ForgotPasswordPage() {
  const toast = useAuthToast();
  const form = useAuthForm({ email: '' }, { email: firstError(required('Email'), email) }, async (values) => {
    const { status, message } = await requestPasswordReset(values.email);
    if (!status) return toast({ message, kind: 'error' });
    toast({ message: sentMessage, kind: 'success' });
    navigate('/auth/reset-password');
  });
  return (
    <AuthForm
      title="Forgot your password?"
      lead="Enter your email address and we'll send you a code to choose a new password."
      form={form}
      submitLabel="SEND"
      footer={
        <p className={styles.authAfter}>
          <AuthLink path="/auth/login">Back to sign in</AuthLink>
        </p>
      }
    >
      <Field form={form} name="email" label="Email" type="email" autoComplete="username" autoFocus />
    </AuthForm>
  );
}
