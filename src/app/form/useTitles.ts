import { useCallback, useState } from 'react';
import type { Field, ResourceRecord } from '../../engine/definitions/definition';
import { useDefinitions } from '../admin/DefinitionsContext';
import { embedsOf, titleOf } from '../chips/titleOf';
import type { Choice } from '../choices/choice';

/** The titles of related records that a form knows: those embedded in its record, and those chosen since. */
export interface FormTitles {
  of(field: Field): readonly Choice[];
  titleOf(field: Field, id: unknown): string | undefined;
  add(field: Field, choices: readonly Choice[]): void;
}

export function useTitles(record: ResourceRecord): FormTitles {
  const { registry } = useDefinitions();
  const [chosen, setChosen] = useState<Readonly<Record<string, readonly Choice[]>>>({});
  const of = (field: Field): readonly Choice[] => {
    const target = field.to === undefined ? undefined : registry.get(field.to);
    const embedded = field.to === undefined ? [] : embedsOf(field, record);
    return [
      ...(chosen[field.name] ?? []),
      ...embedded.map((embed) => ({ id: embed.id as number, title: titleOf(target, embed) })),
    ];
  };
  return {
    of,
    titleOf: (field, id) => of(field).find((choice) => choice.id === id)?.title,
    add: useCallback((field: Field, choices: readonly Choice[]) => {
      setChosen((before) => ({ ...before, [field.name]: [...choices, ...(before[field.name] ?? [])] }));
    }, []),
  };
}
