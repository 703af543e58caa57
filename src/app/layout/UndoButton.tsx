import Button from '@mui/material/Button';
import { useCloseNotification } from 'react-admin';

/** The undo button of a toast: the `action` of `notify`'s options. */
export function UndoButton({ onUndo }: { onUndo: () => void }) {
  const close = useCloseNotification();
  return (
    <Button
      size="small"
      variant="text"
      onClick={() => {
        close();
        onUndo();
      }}
    >
      Undo
    </Button>
  );
}
