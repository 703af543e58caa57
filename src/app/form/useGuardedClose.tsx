import { useState, type ReactNode } from 'react';
import { LeaveGuard } from './LeaveGuard';
import { LeaveQuestion } from './LeaveQuestion';

interface GuardedClose {
  /** Closes the dialog, or asks first where something in it is not saved. */
  close: () => void;
  /** To be told whenever the form within begins or ceases to hold something unsaved. */
  onDirty: (dirty: boolean) => void;
  /** To be shown beside the dialog. */
  question: ReactNode;
}

const always = () => true;

/** Keeps a dialog with a form from being closed, or left with the browser, before one said what becomes of the input. */
export function useGuardedClose(onClose: () => void): GuardedClose {
  const [dirty, onDirty] = useState(false);
  const [asking, setAsking] = useState(false);
  return {
    close: () => (dirty ? setAsking(true) : onClose()),
    onDirty,
    question: (
      <>
        {dirty && <LeaveGuard guards={always} />}
        <LeaveQuestion open={asking} onLeave={onClose} onStay={() => setAsking(false)} />
      </>
    ),
  };
}
