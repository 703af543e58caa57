import type { RowActionCall } from '../definitions/definition';
import { fillTemplate } from '../definitions/labels';

/** The `data` of a call's response. */
export type CallAnswer = Readonly<Record<string, unknown>>;

/**
 * The message after a call: its template with properties of the answer, of lists their lengths; undefined without one.
 *
 * @example toastOfCall(call, { created: [{ id: 7 }, { id: 8 }] }); // 'Labels made: 2', of "Labels made: {created}"
 */
export function toastOfCall({ toast }: RowActionCall, answer: CallAnswer): string | undefined {
  if (toast === undefined) return undefined;
  const values = Object.entries(answer).map(([name, value]) => [name, Array.isArray(value) ? value.length : value]);
  return fillTemplate(toast, Object.fromEntries(values) as Record<string, unknown>);
}
