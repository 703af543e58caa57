import { Icon } from '../../icons/Icon';
import * as labelStyles from '../../fields/labels.module.css';
import * as styles from './single-sign-on.module.css';

interface FieldErrorProps {
  id: string;
  message: string | undefined;
  /** In a row of inputs that wraps: the error has a line of its own, at the distance of lines. */
  ownLine?: boolean;
}

/** The error of a field, announced to screen readers when it appears. */
export function FieldError({ id, message, ownLine = false }: FieldErrorProps) {
  return (
    <div role="alert" id={id} className={styles.ssoError} style={ownLine ? { flexBasis: '100%' } : undefined}>
      {message && (
        <p className={labelStyles.fieldError} style={ownLine ? { marginTop: 0 } : undefined}>
          <Icon name="warning" size={14} />
          {message}
        </p>
      )}
    </div>
  );
}
