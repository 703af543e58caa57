import { recordTitleOf } from '../../../engine/lists/titles';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import type { Choice, ChoiceSource } from '../../fields/choices/choice';
import { choicesPageSize } from '../../fields/choices/loadChoices';
import { fetchApi } from '../../session/api';

/** Choices of records, also of those with certain ids. */
export type RecordSource = ChoiceSource & Required<Pick<ChoiceSource, 'find'>>;

/** Records of a resource as choices, found by text or by number. */
export function recordSource(
  definition: Definition,
  knownChoices: readonly Choice[] = [],
  hasNumber = true,
): RecordSource {
  const loadRecords = async (query: Record<string, string>, signal?: AbortSignal) => {
    const parameters = new URLSearchParams({ range: JSON.stringify([0, choicesPageSize - 1]), ...query });
    const answer = await fetchApi<unknown>(`/${definition.name}?${parameters}`, { signal });
    const records = (
      definition.envelope ? (answer as Record<string, unknown>)[definition.envelope] : answer
    ) as ResourceRecord[];
    return records.map((record) => ({ id: record.id as number, title: numberedTitle(definition, record, hasNumber) }));
  };
  return {
    key: ['why', definition.name],
    load: async (text, signal) => {
      const number = /^\s*#?(\d{1,9})\s*$/.exec(text)?.[1];
      const [byNumber, byText] = await Promise.all([
        number ? loadRecords({ id: number }, signal) : [],
        loadRecords(text.trim() ? { q: text.trim() } : {}, signal),
      ]);
      return [...byNumber, ...byText.filter(({ id }) => byNumber.every((choice) => choice.id !== id))];
    },
    find: (ids, signal) => loadRecords({ id: ids.join(',') }, signal),
    knownChoices,
    target: definition,
  };
}

/** A record's title with its number: `#418 Make payment submissions …`. */
function numberedTitle(definition: Definition, record: ResourceRecord, hasNumber: boolean): string {
  const title = recordTitleOf(definition, record);
  return hasNumber && title !== `#${String(record.id)}` ? `#${String(record.id)} ${title}` : title;
}
