import { Icon } from '../../icons/Icon';

/** The error of a field, announced to screen readers when it appears. */
export function FieldError({ id, message }: { id: string; message: string | undefined }) {
  return (
    <div role="alert" id={id} className="sso-error">
      {message && (
        <p className="field-error">
          <Icon name="warning" size={14} />
          {message}
        </p>
      )}
    </div>
  );
}
