import { StrengthMeter } from '../passwords/StrengthMeter';
import { enter } from '../session/landing';
import { navigate } from '../session/navigation';
import { leaveToast } from '../session/toastHandover';
import { AuthForm } from './AuthForm';
import { AuthLink } from './AuthLink';
import { register } from './authCalls';
import { useAuthToast } from './AuthToasts';
import { Field, PasswordField } from './Field';
import { all, atMost, email, password, passwordMessage, personalValues, required } from './rules';
import { useForm } from './useForm';

const success = { message: 'Registered Successfully!', kind: 'success' } as const;

/** `/auth/register`. */
export function RegisterPage() {
  const toast = useAuthToast();
  const form = useForm(
    { first_name: '', last_name: '', site_name: '', email: '', password: '', phone_number: '' },
    {
      first_name: required('First Name'),
      last_name: required('Last Name'),
      site_name: required('Company Name'),
      email: all(required('Email'), email),
      password: all(required('Password'), password),
      phone_number: atMost('Phone Number', 15),
    },
    async (values) => {
      const session = await register(values);
      if (session) {
        leaveToast(success);
        enter(session);
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
          Already have an account? <AuthLink to="/auth/login">Sign in</AuthLink>
        </>
      }
      form={form}
      submitLabel="Register"
    >
      <div className="auth-pair">
        <Field form={form} name="first_name" label="First Name" autoComplete="given-name" autoFocus />
        <Field form={form} name="last_name" label="Last Name" autoComplete="family-name" />
      </div>
      <Field form={form} name="site_name" label="Company Name" autoComplete="organization" />
      <Field form={form} name="email" label="Email" type="email" autoComplete="username" />
      <PasswordField form={form} name="password" label="Password" autoComplete="new-password" hint={passwordMessage} />
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
