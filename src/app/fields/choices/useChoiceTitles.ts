import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import type { Choice, ChoiceSource } from './choice';

type Id = Choice['id'];

/**
 * Resolves the titles of chosen `ids`: known to the source, chosen in this form, or loaded from the source.
 *
 * @example const titleOf = useChoiceTitles(source, [4, 7]);
 */
export function useChoiceTitles(source: ChoiceSource, ids: readonly Id[]) {
  const [chosenById, setChosenById] = useState<ReadonlyMap<Id, Choice>>(new Map());
  const knownChoice = (id: Id) => chosenById.get(id) ?? source.knownChoices?.find((choice) => choice.id === id);
  const knownChoices = ids.map(knownChoice);
  const isUnique = (choice: Choice | undefined) =>
    choice !== undefined &&
    (choice.detail !== undefined || knownChoices.filter((candidate) => candidate?.title === choice.title).length === 1);
  // Choices with equal titles are loaded too, together, so that the response tells them apart.
  const unknownIds = ids.filter(
    (_, index) => knownChoices[index] === undefined || (source.find && !isUnique(knownChoices[index])),
  );
  const { data, isFetching } = useQuery({
    queryKey: ['choices', ...source.key, 'titles', unknownIds],
    queryFn: ({ signal }) => (source.find ? source.find(unknownIds, signal) : source.load('', signal)),
    enabled: unknownIds.length > 0 && source.blocked === undefined && !source.loading,
    meta: { quiet: true },
  });
  return {
    /** The choice with an id. Without a title its number, or an empty title while loading. */
    choice: (id: Id): Choice => {
      const [knownOne, loadedChoice] = [knownChoice(id), data?.find((choice) => choice.id === id)];
      if (knownOne)
        return knownOne.detail === undefined && loadedChoice?.detail
          ? { ...knownOne, detail: loadedChoice.detail }
          : knownOne;
      return loadedChoice ?? { id, title: isFetching ? '' : `#${id}` };
    },
    /** Remembers titles of chosen choices; `addedChoices` are those that were just added. */
    remember: (choices: readonly Choice[], addedChoices = choices) => {
      setChosenById(
        (chosenBefore) => new Map([...chosenBefore, ...choices.map((choice) => [choice.id, choice] as const)]),
      );
      source.onChosen?.(choices, addedChoices);
    },
  };
}

/** A choice as a record of its resource, for its chip. */
export function asRecord(target: Definition | undefined, { id, title }: Choice): ResourceRecord {
  return { id, title, ...(target && { [target.titleField]: title }) };
}
