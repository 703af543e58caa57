import type { Definition } from '../definitions/definition';
import { fillTemplate } from '../definitions/labels';
import { formatTotal } from '../formats/numbers';
import { firstOf } from '../values/lookups';

/**
 * The heading of a list: with its total, once known.
 *
 * @example listTitle(testCases, 8700); // 'Test Cases | Total Records: 8,700'
 */
export function listTitle({ titles }: Definition, total: number | undefined): string {
  return total === undefined
    ? firstOf(titles.list.split(' | '))
    : fillTemplate(titles.list, { total: formatTotal(total) });
}
