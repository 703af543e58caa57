import { useState } from 'react';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { Choice, ChoiceSource } from './choice';

type Id = Choice['id'];

/** The titles of choices: the source's known ones, and those that were chosen since. */
export function useTitles(source: ChoiceSource) {
  const [chosen, setChosen] = useState<ReadonlyMap<Id, Choice>>(new Map());
  const find = (id: unknown) => chosen.get(id as Id) ?? source.known?.find((choice) => choice.id === id);
  return {
    of: (id: unknown) => find(id)?.title,
    /** The choice with an id; without a title its number, or nothing while it may still be found. */
    choice: (id: unknown, offered: readonly Choice[], searching: boolean): Choice =>
      find(id) ??
      offered.find((choice) => choice.id === id) ?? { id: id as Id, title: searching ? '' : `#${String(id)}` },
    remember: (choices: readonly Choice[]) => {
      setChosen((before) => new Map([...before, ...choices.map((choice) => [choice.id, choice] as const)]));
      source.onChosen?.(choices);
    },
  };
}

/** A choice as a record of its resource, for its chip. */
export function asRecord(target: Definition | undefined, { id, title }: Choice): ResourceRecord {
  return { id, title, ...(target && { [target.titleField]: title }) };
}
