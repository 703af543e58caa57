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
 * @example switcherFields(projects); // ['name', 'code']
 */
export function switcherFields({ recordTitle, titleField, menu }: SwitcherDefinition): string[] {
  const names = [...templateFields(recordTitle), titleField, menu.switcher.short];
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

/** How many records point to each record of the switcher, by its id; one map for each of its counts. */
export type ScopeCounts = readonly (ReadonlyMap<number, number> | undefined)[];

/**
 * How much there is in a record: its counts that are known and not zero.
 *
 * @example countsText(projects, 4, [new Map([[4, 3]])]); // '3 open runs'
 */
export function countsText({ menu }: SwitcherDefinition, id: number, counts: ScopeCounts): string {
  const knownCounts = menu.switcher.counts.flatMap((count, index) => {
    const numbers = counts[index];
    return numbers ? [{ ...count, number: numbers.get(id) ?? 0 }] : [];
  });
  const parts = knownCounts
    .filter(({ number }) => number > 0)
    .map(({ number, one: noun, many: plural }) => `${formatNumber(number)} ${number === 1 ? noun : plural}`);
  const [first] = knownCounts;
  return parts.length > 0 ? parts.join(', ') : first ? `no ${first.many}` : '';
}
