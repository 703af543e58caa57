import type { RaRecord } from 'react-admin';
import { templateFields } from '../../../engine/definitions/labels';
import type { SwitcherDefinition } from '../../../engine/lists/list-scope';
import { formatNumber } from '../../../engine/formats/numbers';
import { recordTitleOf } from '../../chips/titleOf';
import { initials } from '../../chips/initials';
import type { ChosenScope } from '../../preferences/listScope';

/** The most letters of a short name. */
const maxShort = 4;

/**
 * The fields that the switcher shows of a record.
 *
 * @example switcherFields(projects); // ['name', 'code', 'open_runs']
 */
export function switcherFields({ recordTitle, titleField, menu }: SwitcherDefinition): string[] {
  const { short, counts = [] } = menu.switcher;
  const names = [...templateFields(recordTitle), titleField, short, ...counts.map(({ field }) => field)];
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** A record as the scope of lists. */
export function scopeOf(definition: SwitcherDefinition, record: RaRecord<number>): ChosenScope {
  const title = recordTitleOf(definition, record);
  const { short } = definition.menu.switcher;
  const letters = (short !== undefined && record[short]) || initials(title);
  const names = ['id', ...templateFields(definition.recordTitle)];
  return {
    ...{ resource: definition.name, id: Number(record.id), title },
    short: String(letters).slice(0, maxShort),
    embed: Object.fromEntries(names.map((name) => [name, record[name]])),
  };
}

/**
 * How much there is in a record: its numbers that are not zero.
 *
 * @example countsText(projects, { open_runs: 3 }); // '3 open runs'
 */
export function countsText({ menu }: SwitcherDefinition, record: RaRecord): string {
  const { counts = [] } = menu.switcher;
  const parts = counts.flatMap(({ field, one: noun, many: plural }) => {
    const count = Number(record[field] ?? 0);
    return count === 0 ? [] : [`${formatNumber(count)} ${count === 1 ? noun : plural}`];
  });
  return parts.length > 0 ? parts.join(', ') : counts.length > 0 ? `no ${counts[0]?.many}` : '';
}
