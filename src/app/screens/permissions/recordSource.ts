import { recordTitleOf } from '../../../engine/lists/titles';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import type { Choice, ChoiceSource } from '../../choices/choice';
import { choicesPageSize } from '../../choices/loadChoices';
import { fetchApi } from '../../session/api';

/** Records of a resource as choices, found by text or by number. */
export function recordSource(definition: Definition, known: readonly Choice[] = [], numbered = true): ChoiceSource {
  const listed = async (query: Record<string, string>, signal?: AbortSignal) => {
    const parameters = new URLSearchParams({ range: JSON.stringify([0, choicesPageSize - 1]), ...query });
    const answer = await fetchApi<unknown>(`/${definition.name}?${parameters}`, { signal });
    const records = (
      definition.envelope ? (answer as Record<string, unknown>)[definition.envelope] : answer
    ) as ResourceRecord[];
    return records.map((record) => ({ id: record.id as number, title: numberedTitle(definition, record, numbered) }));
  };
  return {
    key: ['why', definition.name],
    load: async (text, signal) => {
      const number = /^\s*#?(\d{1,9})\s*$/.exec(text)?.[1];
      const [byNumber, byText] = await Promise.all([
        number ? listed({ id: number }, signal) : [],
        listed(text.trim() ? { q: text.trim() } : {}, signal),
      ]);
      return [...byNumber, ...byText.filter(({ id }) => byNumber.every((one) => one.id !== id))];
    },
    find: (ids, signal) => listed({ id: ids.join(',') }, signal),
    known,
    target: definition,
  };
}

/** A record's title with its number: `#418 Make payment submissions …`. */
function numberedTitle(definition: Definition, record: ResourceRecord, numbered: boolean): string {
  const title = recordTitleOf(definition, record);
  return numbered && title !== `#${String(record.id)}` ? `#${String(record.id)} ${title}` : title;
}
