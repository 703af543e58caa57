import Button from '@mui/material/Button';
import { useCloseNotification } from 'react-admin';

/** Takes back what a toast says was done: the `action` of `notify`'s options. */
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
