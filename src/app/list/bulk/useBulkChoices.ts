import { hashKey, keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDataProvider, type RaRecord } from 'react-admin';
import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import { formatNumber } from '../../../engine/formats/numbers';
import { parentFieldsOf } from '../../../engine/forms/dependent-fields';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import type { Choice, ChoiceSource } from '../../fields/choices/choice';
import { optionSource } from '../../fields/choices/loadChoices';
import { loadSharedChoices, sharedSource } from '../../fields/choices/sharedChoices';
import { fieldChoices, parentValues } from '../../form/fieldChoices';
import { useFormTitles } from '../../form/useFormTitles';
import { useApi } from '../../session/apiClient';

interface BulkChoicesOptions {
  readonly definition: Definition;
  readonly field: Field;
  /** The selected records, as a list has them. */
  readonly records: readonly RaRecord[];
  /** The other values that all of them get. */
  readonly changes: ResourceRecord;
}

interface BulkChoices {
  /** Undefined for fields without choices. */
  readonly source: ChoiceSource | undefined;
  /** The choices that are not offered, and why; empty: all are. */
  readonly note: string;
}

/** How many kinds of records are compared; what else a record refuses is said when it is saved. */
const maxSources = 20;
const maxNames = 3;
const noChoices: readonly Choice[] = [];
const noRecord: ResourceRecord = {};

/**
 * The choices of a field that are allowed for all selected records: those that each one's form would offer, which may
 * depend on its other fields and on its state.
 *
 * @example const { source, note } = useBulkChoices({ definition, field, records, changes: {} });
 */
export function useBulkChoices({ definition, field, records, changes }: BulkChoicesOptions): BulkChoices {
  const { registry, actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const dataProvider = useDataProvider();
  const ask = useApi();
  const titles = useFormTitles(noRecord);
  const parents = parentFieldsOf(field);
  const isDependent = parents.length > 0 || field.transitions !== undefined || field.to === definition.name;
  const names = ['id', 'site_id', field.name, ...(field.embed ? [field.embed] : []), ...parents];
  const params = {
    pagination: { page: 1, perPage: records.length },
    sort: { field: 'id', order: 'ASC' as const },
    filter: { id: records.map(({ id }) => id) },
    meta: { fields: names },
  };
  // A list has only some of the fields on which choices may depend.
  const { data: storedRecords, isPending } = useQuery({
    queryKey: [definition.name, 'getList', params],
    queryFn: async ({ signal }) => (await dataProvider.getList<RaRecord>(definition.name, { ...params, signal })).data,
    enabled: isDependent,
    placeholderData: keepPreviousData,
  });
  const byKey = new Map<string, ChoiceSource>();
  const missingFields: Field[] = [];
  for (const record of isDependent ? (storedRecords ?? records.slice(0, 1)) : [noRecord]) {
    const values = { ...Object.fromEntries(names.map((name) => [name, record[name]])), ...changes };
    const { missingParent } = parentValues(definition, field, values);
    if (missingParent) missingFields.push(missingParent);
    const services = { ask, person: actor.id, evaluationContext: { ...evaluationContext, record } };
    const source =
      fieldChoices(definition, registry, field, values, titles, services) ??
      (field.options && optionSource(field.options));
    if (source) byKey.set(hashKey(source.key), source);
  }
  const sources = [...byKey.values()].slice(0, maxSources);
  const sharedChoices = useQuery({
    queryKey: ['choices', 'of several', ...sources.map(({ key }) => key)],
    queryFn: ({ signal }) => loadSharedChoices(sources, '', signal),
    enabled: sources.length > 1 && sources.every(({ blocked }) => blocked === undefined),
    meta: { quiet: true },
  });
  const [first] = sources;
  if (!first) return { source: undefined, note: '' };
  if (isDependent && isPending) return { source: { ...first, blocked: undefined, loading: true }, note: '' };
  const [missingField] = missingFields;
  if (missingField) {
    const subject =
      missingFields.length === records.length
        ? 'The selected have'
        : `${formatNumber(missingFields.length)} of the selected ${missingFields.length === 1 ? 'has' : 'have'}`;
    return { source: { ...first, blocked: `${subject} no ${missingField.label.toLowerCase()}` }, note: '' };
  }
  return { source: sharedSource(sources), note: excludedNote(sharedChoices.data?.excluded ?? noChoices) };
}

/** Names some of the choices that are not offered, and how many there are. */
function excludedNote(excluded: readonly Choice[]): string {
  if (excluded.length === 0) return '';
  const names = excluded.slice(0, maxNames).map(({ title }) => title);
  const otherCount = excluded.length - names.length;
  const phrases =
    otherCount > 0 ? [...names, `${formatNumber(otherCount)} ${otherCount === 1 ? 'other' : 'others'}`] : names;
  return `Not offered, as not possible for all of the selected: ${phrases.join(', ')}.`;
}
