import { Icon } from '../../icons/Icon';
import * as labelStyles from '../../fields/labels.module.css';
import * as styles from './single-sign-on.module.css';

/** The error of a field, announced to screen readers when it appears. */
export function FieldError({ id, message }: { id: string; message: string | undefined }) {
  return (
    <div role="alert" id={id} className={styles.ssoError}>
      {message && (
        <p className={labelStyles.fieldError}>
          <Icon name="warning" size={14} />
          {message}
        </p>
      )}
    </div>
  );
}
