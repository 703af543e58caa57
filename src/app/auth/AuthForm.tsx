import type { FormEvent, ReactNode } from 'react';
import { Icon } from '../icons/Icon';
import * as styles from './auth.module.css';
import { navigate } from '../session/navigation';

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

/** A link between the pages before sign-in. Clicks with a modifier key are left to the browser. */
export function AuthLink({ path, children }: { path: string; children: ReactNode }) {
  return (
    <a
      href={path}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        navigate(path);
      }}
    >
      {children}
    </a>
  );
}
