import { describeHistoryValue, type FieldChange } from './field-changes';

/** Longer values are not told: that the field was changed says enough. */
const maxLength = 80;

/**
 * Changes in a few words for a message, one line per field: what a field was and is now where that is short, otherwise
 * the name of the field alone. Days and numbers are written for the reader in force (`writeFor`).
 *
 * @example describeChanges(fieldChangesOf(deals, entry)); // ['Stage: Open → Won', 'Notes']
 */
export function describeChanges(changes: readonly FieldChange[]): string[] {
  return changes.map((change) => {
    const [oldText, newText] = [describeHistoryValue(change, 'old'), describeHistoryValue(change, 'new')];
    const isShort = [oldText, newText].every((text) => text.length <= maxLength && !text.includes('\n'));
    if (!isShort || oldText === newText) return change.field.label;
    return `${change.field.label}: ${oldText || 'empty'} → ${newText || 'empty'}`;
  });
}
