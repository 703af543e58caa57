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

/**
 * Two answers as one: lists are joined, numbers added; of anything else the later one counts.
 *
 * @example addAnswers({ kept: [1] }, { kept: [2] }); // { kept: [1, 2] }
 */
export function addAnswers(one: CallAnswer, other: CallAnswer): CallAnswer {
  const added = Object.entries(other).map(([name, value]) => {
    const before = one[name];
    if (Array.isArray(before) && Array.isArray(value))
      return [name, [...(before as unknown[]), ...(value as unknown[])]];
    if (typeof before === 'number' && typeof value === 'number') return [name, before + value];
    return [name, value];
  });
  return { ...one, ...(Object.fromEntries(added) as CallAnswer) };
}
