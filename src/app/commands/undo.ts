/** A change that can be taken back. */
interface Undoable {
  /** As the palette names it: `Undo: Status of TC-12 set to Ready for QA`. */
  readonly label: string;
  readonly run: () => void;
}

/** Milliseconds for which a toast offers to take a change back. */
export const undoDuration = 8_000;
/** The event of the window when a change is taken back, by whichever way: its toast leaves. */
export const undoneEvent = 'undone';
const maxUndoable = 20;
const undoable: Undoable[] = [];

/**
 * Offers to take a change back with Ctrl+Z, the last change first. Returns the same as a function, for a button; whichever
 * is used first, it happens once.
 *
 * @example const undo = offerUndo('Status set to Done', () => setStatus(before));
 */
export function offerUndo(label: string, run: () => void): () => void {
  const entry: Undoable = { label, run };
  undoable.push(entry);
  if (undoable.length > maxUndoable) undoable.shift();
  return () => takeBack(entry);
}

/** The change that was made last, if it can be taken back. */
export function lastUndoable(): { label: string; undo: () => void } | undefined {
  const entry = undoable.at(-1);
  return entry && { label: entry.label, undo: () => takeBack(entry) };
}

function takeBack(entry: Undoable): void {
  const index = undoable.indexOf(entry);
  if (index < 0) return;
  undoable.splice(index, 1);
  dispatchEvent(new Event(undoneEvent));
  entry.run();
}

/** Forgets all changes. */
export function forgetUndoable(): void {
  undoable.length = 0;
}
