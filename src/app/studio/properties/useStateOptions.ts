import { skipToken, useQuery } from '@tanstack/react-query';
import { useDataProvider, type RaRecord } from 'react-admin';
import type { SelectOption } from '../../../engine/definitions/definition';
import type { FieldSource } from '../../../engine/language/source';
import { writtenTypeOf } from '../../../engine/field-types';
import { isGranted } from '../../../engine/access/access-decision';
import { useDefinitions } from '../../data/DefinitionsContext';
import { allFields } from './fieldOptions';
import { useDraftPart } from '../draft';
import type { Option } from './ChoiceProperty';

/** So many records are offered as states; others can be typed. */
const offeredStates = 100;

/** The states of a field: the options of a select, or the names of the records that a relation refers to. */
export interface StateOptions {
  readonly options: readonly Option[];
  /** Others can be typed: a definition may name records that other installations have. */
  readonly free: boolean;
}

/**
 * The states that a field of the draft can have.
 *
 * @example useStateOptions('stage_id').options[0]; // { value: 'Lead', label: 'Lead' }
 */
export function useStateOptions(name: string): StateOptions {
  const { registry, actor } = useDefinitions();
  const dataProvider = useDataProvider();
  const field = useDraftPart(({ source }): Partial<FieldSource> => allFields(source)[name] ?? {});
  const { to: targetName, transitionsBy: titleField = 'name' } = field;
  const isRelation = writtenTypeOf(field).holds === 'record';
  const target = registry.get(isRelation ? targetName : undefined);
  const { data = [] } = useQuery({
    queryKey: [target?.name, 'getList', 'states', titleField],
    queryFn:
      target && Object.hasOwn(target.fields, titleField) && isGranted(actor, target.name, 'list')
        ? async ({ signal }) => {
            const page = await dataProvider.getList<RaRecord>(target.name, {
              pagination: { page: 1, perPage: offeredStates },
              signal,
            });
            return page.data.flatMap((record): string[] =>
              typeof record[titleField] === 'string' ? [record[titleField]] : [],
            );
          }
        : skipToken,
    meta: { quiet: true },
  });
  if (!isRelation)
    return {
      options: (field.options ?? []).map(({ value, label }: Pick<SelectOption, 'value'> & { label?: string }) => ({
        value,
        label: label ?? String(value),
      })),
      free: false,
    };
  const writtenStates = [
    field.initial ?? [],
    ...(field.transitions ?? []).flatMap(({ from: source, to: next }) => [source, next]),
  ];
  const names = new Set([...data, ...writtenStates.flat().map(String)].filter((name) => name !== ''));
  return { options: [...names].map((value) => ({ value, label: value })), free: true };
}
