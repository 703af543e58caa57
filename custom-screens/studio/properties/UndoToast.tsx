import Button from '@mui/material/Button';
import { useCloseNotification } from 'react-admin';

/** What was done, with a way back. */
export function UndoToast({ text, onUndo }: { text: string; onUndo: () => void }) {
  const close = useCloseNotification();
  return (
    <span className="studio-said">
      {text}
      <Button
        size="small"
        variant="text"
        color="info"
        onClick={() => {
          close();
          onUndo();
        }}
      >
        Undo
      </Button>
    </span>
  );
}
