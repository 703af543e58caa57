import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Icon } from '../icons/Icon';

interface NewerVersionBarProps {
  text: string;
  onLoadTheirs?: () => void;
  onKeepEditing?: () => void;
  className?: string;
}

/** Says above the fields that the record was changed elsewhere, and asks which version to continue with. */
export function NewerVersionBar({ text, onLoadTheirs, onKeepEditing, className }: NewerVersionBarProps) {
  return (
    <Alert
      severity="warning"
      role="status"
      className={className}
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
