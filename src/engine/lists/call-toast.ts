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
export function addAnswers(first: CallAnswer, second: CallAnswer): CallAnswer {
  const entries = Object.entries(second).map(([name, value]) => {
    const firstValue = first[name];
    if (Array.isArray(firstValue) && Array.isArray(value))
      return [name, [...(firstValue as unknown[]), ...(value as unknown[])]];
    if (typeof firstValue === 'number' && typeof value === 'number') return [name, firstValue + value];
    return [name, value];
  });
  return { ...first, ...(Object.fromEntries(entries) as CallAnswer) };
}
