import type { Definition } from '../definitions/definition';
import { fillTemplate } from '../definitions/labels';
import { formatNumber } from '../formats/numbers';

/** The heading of a list: with its total, once known. */
export function listTitle({ titles }: Definition, total: number | undefined): string {
  return total === undefined ? titles.list.split(' | ')[0]! : fillTemplate(titles.list, { total: formatNumber(total) });
}
