import { newPasswordProblem, passwordHint } from '../passwords/newPassword';
import { StrengthMeter } from '../passwords/StrengthMeter';
import { completeSignIn } from './completeSignIn';
import { navigate } from '../session/navigation';
import { queueToast } from '../session/toastQueue';
import { AuthForm, AuthLink } from './AuthForm';
import { register } from './authApi';
import { useAuthToast } from './AuthToasts';
import { Field, PasswordField } from './Field';
import { firstError, maxLength, email, personalValues, required } from './rules';
import { useAuthForm } from './useAuthForm';
import * as styles from './auth.module.css';

const success = { message: 'Registered Successfully!', kind: 'success' } as const;

/** `/auth/register`. */
export function RegisterPage() {
  const toast = useAuthToast();
  const form = useAuthForm(
    { first_name: '', last_name: '', site_name: '', email: '', password: '', phone_number: '' },
    {
      first_name: required('First Name'),
      last_name: required('Last Name'),
      site_name: required('Company Name'),
      email: firstError(required('Email'), email),
      password: firstError(required('Password'), (value, values) => newPasswordProblem(value, personalValues(values))),
      phone_number: maxLength('Phone Number', 15),
    },
    async (values) => {
      const session = await register(values);
      if (session) {
        queueToast(success);
        completeSignIn(session);
      } else {
        toast(success);
        navigate('/auth/login');
      }
    },
  );
  return (
    <AuthForm
      title="Create an account"
      lead={
        <>
          Already have an account? <AuthLink path="/auth/login">Sign in</AuthLink>
        </>
      }
      form={form}
      submitLabel="Register"
    >
      <div className={styles.authPair}>
        <Field form={form} name="first_name" label="First Name" autoComplete="given-name" autoFocus />
        <Field form={form} name="last_name" label="Last Name" autoComplete="family-name" />
      </div>
      <Field form={form} name="site_name" label="Company Name" autoComplete="organization" />
      <Field form={form} name="email" label="Email" type="email" autoComplete="username" />
      <PasswordField form={form} name="password" label="Password" autoComplete="new-password" hint={passwordHint()} />
      <StrengthMeter password={form.values.password} personal={personalValues(form.values)} />
      <Field
        form={form}
        name="phone_number"
        label="Phone Number"
        type="tel"
        autoComplete="tel"
        inputMode="tel"
        optional
      />
    </AuthForm>
  );
}
