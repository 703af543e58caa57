import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { Choice, ChoiceSource } from './choice';

type Id = Choice['id'];

/**
 * Resolves the titles of chosen `ids`: known to the source, chosen in this form, or loaded from the source.
 *
 * @example const titleOf = useChoiceTitles(source, [4, 7]);
 */
export function useChoiceTitles(source: ChoiceSource, ids: readonly Id[]) {
  const [chosen, setChosen] = useState<ReadonlyMap<Id, Choice>>(new Map());
  const known = (id: Id) => chosen.get(id) ?? source.known?.find((choice) => choice.id === id);
  const titled = ids.map(known);
  const isUnique = (one: Choice | undefined) =>
    one !== undefined &&
    (one.detail !== undefined || titled.filter((other) => other?.title === one.title).length === 1);
  // Choices with equal titles are loaded too, together, so that the response tells them apart.
  const unnamed = ids.filter((_, index) => titled[index] === undefined || (source.find && !isUnique(titled[index])));
  const { data, isFetching } = useQuery({
    queryKey: ['choices', ...source.key, 'titles', unnamed],
    queryFn: ({ signal }) => (source.find ? source.find(unnamed, signal) : source.load('', signal)),
    enabled: unnamed.length > 0 && source.blocked === undefined && !source.loading,
    meta: { quiet: true },
  });
  return {
    /** The choice with an id. Without a title its number, or an empty title while loading. */
    choice: (id: Id): Choice => {
      const [one, found] = [known(id), data?.find((choice) => choice.id === id)];
      if (one) return one.detail === undefined && found?.detail ? { ...one, detail: found.detail } : one;
      return found ?? { id, title: isFetching ? '' : `#${id}` };
    },
    /** Remembers titles of chosen choices; `added` are those that were just added. */
    remember: (choices: readonly Choice[], added = choices) => {
      setChosen((before) => new Map([...before, ...choices.map((choice) => [choice.id, choice] as const)]));
      source.onChosen?.(choices, added);
    },
  };
}

/** A choice as a record of its resource, for its chip. */
export function asRecord(target: Definition | undefined, { id, title }: Choice): ResourceRecord {
  return { id, title, ...(target && { [target.titleField]: title }) };
}
