import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Icon } from '../icons/Icon';
import * as styles from '../screens/permissions/permissions.module.css';

interface NewerVersionBarProps {
  text: string;
  onLoadTheirs?: () => void;
  onKeepEditing?: () => void;
}

/** Says above the fields that the record was changed elsewhere, and asks which version to continue with. */
export function NewerVersionBar({ text, onLoadTheirs, onKeepEditing }: NewerVersionBarProps) {
  return (
    <Alert
      severity="warning"
      role="status"
      className={styles.newerBar}
      icon={<Icon name="warning" />}
      action={
        onLoadTheirs && (
          <>
            <Button variant="text" size="small" onClick={onLoadTheirs}>
              Load theirs
            </Button>
            <Button variant="text" size="small" onClick={onKeepEditing}>
              Keep editing
            </Button>
          </>
        )
      }
    >
      {text}
    </Alert>
  );
}
