import { useNotify } from 'react-admin';
import type { Field } from '../../engine/definitions/definition';
import { formatNumber } from '../../engine/formats/numbers';
import { isLongerThan } from '../../engine/values/is-longer-than';

/** The parts of a paste event that are read, of the browser or of React. */
type PasteEvent = Pick<ClipboardEvent, 'clipboardData' | 'preventDefault' | 'target'>;

/**
 * Refuses pasted text that is longer than a field takes, before it is laid out and read, and says so. Returns a function
 * that takes a paste event and gives whether it was refused. A sheet that is pasted into rows is left to them.
 *
 * @example const refusePaste = usePasteLimit(field); // <div onPaste={refusePaste}>
 */
export function usePasteLimit({ label, maxLength }: Field): (event: PasteEvent) => boolean {
  const notify = useNotify();
  return (event) => {
    const text = event.clipboardData?.getData('text/plain') || event.clipboardData?.getData('text/html') || '';
    if (maxLength === undefined || !isLongerThan(text, maxLength)) return false;
    if ((event.target as Element).closest('[data-row-grid]')) return false;
    event.preventDefault();
    const message = `Nothing was pasted: the text has ${formatNumber(text.length)} characters, ${label} at most ${formatNumber(maxLength)}.`;
    notify(message, { type: 'warning', messageArgs: { _: message } });
    return true;
  };
}
