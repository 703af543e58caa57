import { useCallback, useRef, useState } from 'react';
import type { Field, ResourceRecord } from '../../engine/definitions/definition';
import { useDefinitions } from '../data/DefinitionsContext';
import { embedsOf, recordTitleOf } from '../chips/titleOf';
import type { Choice } from '../fields/choices/choice';

/** Titles of related records that a form knows: embedded in its record, or chosen since. */
export interface FormTitles {
  choicesOf(field: Field): readonly Choice[];
  titleOf(field: Field, id: unknown): string | undefined;
  /** Like `titleOf`, but includes choices made since the last render. */
  latest(field: Field, id: unknown): string | undefined;
  add(field: Field, choices: readonly Choice[]): void;
}

type ChosenTitles = Readonly<Record<string, readonly Choice[]>>;

/**
 * The titles of a record's related records, and of those chosen since.
 *
 * @example useFormTitles(record).titleOf(definition.fields.project_id, 7); // 'Website'
 */
export function useFormTitles(record: ResourceRecord): FormTitles {
  const { registry } = useDefinitions();
  const [chosenTitles, setChosenTitles] = useState<ChosenTitles>({});
  const newest = useRef<ChosenTitles>({});
  const choicesOf = (field: Field, titles = chosenTitles): readonly Choice[] => {
    const target = registry.get(field.to);
    const embedded = field.to === undefined ? [] : embedsOf(field, record);
    return [
      ...(titles[field.name] ?? []),
      ...embedded.map((embed) => ({ id: embed.id as number, title: recordTitleOf(target, embed) })),
    ];
  };
  return {
    choicesOf: (field) => choicesOf(field),
    titleOf: (field, id) => choicesOf(field).find((choice) => choice.id === id)?.title,
    latest: (field, id) => choicesOf(field, newest.current).find((choice) => choice.id === id)?.title,
    add: useCallback((field: Field, choices: readonly Choice[]) => {
      newest.current = { ...newest.current, [field.name]: [...choices, ...(newest.current[field.name] ?? [])] };
      setChosenTitles(newest.current);
    }, []),
  };
}
