import Button from '@mui/material/Button';
import { useCloseNotification } from 'react-admin';
import { useEffect } from 'react';

interface UndoButtonProps {
  readonly takeBack: () => void;
  /** Calls back when the change cannot be taken back any more, as after Ctrl+Z: the toast leaves then. */
  readonly onEnd?: (listener: () => void) => () => void;
}

/** The undo button of a toast: the `action` of `notify`'s options. */
export function UndoButton({ takeBack, onEnd }: UndoButtonProps) {
  const close = useCloseNotification();
  useEffect(() => onEnd?.(close), [onEnd, close]);
  return (
    <Button
      size="small"
      variant="text"
      onClick={() => {
        close();
        takeBack();
      }}
    >
      Undo
    </Button>
  );
}
