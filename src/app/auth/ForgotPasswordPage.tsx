import { navigate } from '../session/navigation';
import { AuthForm } from './AuthForm';
import { AuthLink } from './AuthLink';
import { requestReset } from './authCalls';
import { useAuthToast } from './AuthToasts';
import { Field } from './Field';
import { all, email, required } from './rules';
import { useForm } from './useForm';

const sent = 'Email sent successfully! Please check your mail box to reset your password.';

/** `/auth/forgot-password`. */
export function ForgotPasswordPage() {
  const toast = useAuthToast();
  const form = useForm({ email: '' }, { email: all(required('Email'), email) }, async (values) => {
    const { status, message } = await requestReset(values.email);
    if (!status) return toast({ message, kind: 'error' });
    toast({ message: sent, kind: 'success' });
    navigate('/auth/reset-password');
  });
  return (
    <AuthForm
      title="Forgot your password?"
      lead="Enter your email address and we'll send you a code to choose a new password."
      form={form}
      submitLabel="SEND"
      after={
        <p className="auth-after">
          <AuthLink to="/auth/login">Back to sign in</AuthLink>
        </p>
      }
    >
      <Field form={form} name="email" label="Email" type="email" autoComplete="username" autoFocus />
    </AuthForm>
  );
}
