import { useId, useState, type InputHTMLAttributes, type ReactNode } from 'react';
import { Icon } from '../icons/Icon';
import type { FormState } from './useForm';

export interface FieldProps<Name extends string> extends Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'autoComplete' | 'autoFocus' | 'inputMode' | 'maxLength' | 'autoCapitalize' | 'spellCheck'
> {
  name: Name;
  label: string;
  form: FormState<Name>;
  optional?: boolean;
  hint?: string;
  /** Stands at the label's end; the keyboard comes to it after the input. */
  aside?: ReactNode;
  /** Stands inside the input at its end. */
  button?: ReactNode;
}

/** A labelled text field with its hint and its error. */
export function Field<Name extends string>({
  name,
  label,
  form,
  optional,
  hint,
  aside,
  button,
  ...input
}: FieldProps<Name>) {
  const id = useId();
  const error = form.errors[name];
  return (
    <div className="auth-field">
      <label htmlFor={id}>{label}</label>
      <div className="auth-input" data-error={error ? '' : undefined}>
        <input
          id={id}
          name={name}
          type="text"
          value={form.values[name]}
          required={!optional}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? `${id}-note` : undefined}
          onChange={(event) => form.set(name, event.target.value)}
          onBlur={() => form.leave(name)}
          {...input}
        />
        {button}
      </div>
      {optional && <span className="auth-aside auth-optional">optional</span>}
      {aside && <span className="auth-aside">{aside}</span>}
      {(error || hint) && (
        <p id={`${id}-note`} className={error ? 'auth-error' : 'auth-hint'}>
          {error && <Icon name="warning" size={14} />}
          <span>{error ?? hint}</span>
        </p>
      )}
    </div>
  );
}

/** A password's field, with a button that shows what was typed. */
export function PasswordField<Name extends string>(props: Omit<FieldProps<Name>, 'type' | 'button'>) {
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      button={
        <button type="button" className="auth-icon-button" aria-pressed={shown} onClick={() => setShown(!shown)}>
          <Icon name={shown ? 'eye-off' : 'eye'} />
          <span className="unseen">Show password</span>
        </button>
      }
    />
  );
}
