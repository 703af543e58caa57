import Button from '@mui/material/Button';
import { useCloseNotification } from 'react-admin';
import { useEffect } from 'react';
import { undoneEvent } from './undo';

/** The undo button of a toast: the `action` of `notify`'s options. */
export function UndoButton({ onUndo }: { onUndo: () => void }) {
  const close = useCloseNotification();
  useEffect(() => {
    addEventListener(undoneEvent, close);
    return () => removeEventListener(undoneEvent, close);
  }, [close]);
  return (
    <Button
      size="small"
      onClick={() => {
        close();
        onUndo();
      }}
    >
      Undo
    </Button>
  );
}
