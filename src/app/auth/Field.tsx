import { useId, useState, type InputHTMLAttributes, type ReactNode } from 'react';
import { Icon } from '../icons/Icon';
import type { AuthFormState } from './useAuthForm';
import * as styles from './auth.module.css';

export interface FieldProps<Name extends string> extends Pick<
  InputHTMLAttributes<HTMLInputElement>,
  | 'type'
  | 'autoComplete'
  | 'autoFocus'
  | 'inputMode'
  | 'maxLength'
  | 'autoCapitalize'
  | 'spellCheck'
  | 'readOnly'
  | 'placeholder'
> {
  name: Name;
  label: string;
  form: AuthFormState<Name>;
  optional?: boolean;
  hint?: string;
  /** The hint changes while the user types: it has an icon and is announced to screen readers. */
  hintAppears?: boolean;
  /** Shown at the end of the label; after the input in tab order. */
  labelEnd?: ReactNode;
  /** Shown inside the input, at its end. */
  button?: ReactNode;
}

/** A labelled text field with its hint and its error. */
export function Field<Name extends string>({
  name,
  label,
  form,
  optional,
  hint,
  hintAppears,
  labelEnd,
  button,
  ...input
}: FieldProps<Name>) {
  const id = useId();
  const error = form.errors[name];
  const note = (error || hint) && (
    <p id={`${id}-note`} className={error ? styles.authError : styles.authHint}>
      {(error || hintAppears) && <Icon name={error ? 'warning' : 'info'} size={14} />}
      <span>{error ?? hint}</span>
    </p>
  );
  return (
    <div className={styles.authField}>
      <label htmlFor={id}>{label}</label>
      <div
        className={styles.authInput}
        data-error={error ? '' : undefined}
        data-read-only={input.readOnly ? '' : undefined}
      >
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
      {optional && <span className={`${styles.authAside} ${styles.authOptional}`}>optional</span>}
      {labelEnd && <span className={styles.authAside}>{labelEnd}</span>}
      {hintAppears ? <div role="status">{note}</div> : note}
    </div>
  );
}

/** A password's field, with a button that shows what was typed. */
export function PasswordField<Name extends string>(props: Omit<FieldProps<Name>, 'type' | 'button'>) {
  const [isVisible, setVisible] = useState(false);
  return (
    <Field
      {...props}
      type={isVisible ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      button={
        <button
          type="button"
          className={styles.authIconButton}
          aria-pressed={isVisible}
          onClick={() => setVisible(!isVisible)}
        >
          <Icon name={isVisible ? 'eye-off' : 'eye'} />
          <span className="unseen">Show password</span>
        </button>
      }
    />
  );
}
