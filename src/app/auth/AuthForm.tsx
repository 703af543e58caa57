import type { FormEvent, ReactNode } from 'react';
import { Icon } from '../icons/Icon';
import * as styles from './auth.module.css';

export interface AuthFormProps {
  title: string;
  /** The sentence below the title. */
  lead: ReactNode;
  form: { onSubmit: (event: FormEvent<HTMLFormElement>) => void; isBusy: boolean; failure: string | undefined };
  submitLabel: string;
  children: ReactNode;
  /** Shown below the form. */
  footer?: ReactNode;
}

/** A form before sign-in: title, fields, one button, and the error below it. */
export function AuthForm({ title, lead, form, submitLabel, children, footer }: AuthFormProps) {
  return (
    <div className={styles.authForm}>
      <form noValidate onSubmit={form.onSubmit} aria-busy={form.isBusy} aria-label={title}>
        <div>
          <h1>{title}</h1>
          <p className={styles.authLead}>{lead}</p>
        </div>
        {children}
        <button type="submit" className={styles.authButton} aria-disabled={form.isBusy || undefined}>
          {submitLabel}
        </button>
        <div role="alert">
          {form.failure && (
            <div className={styles.authFailure}>
              <Icon name="warning" />
              <span>{form.failure}</span>
            </div>
          )}
        </div>
      </form>
      {footer}
    </div>
  );
}
