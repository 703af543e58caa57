import { useQuery } from '@tanstack/react-query';
import { useDataProvider, type RaRecord } from 'react-admin';
import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import type { ChoiceSource } from '../../fields/choices/choice';
import { optionSource } from '../../fields/choices/loadChoices';
import { fieldChoices } from '../../form/fieldChoices';
import { useFormTitles } from '../../form/useFormTitles';
import { useApi } from '../../session/apiClient';

interface CellChoicesOptions {
  definition: Definition;
  field: Field;
  /** As a list has it. */
  record: RaRecord;
  /** Values that are entered together with this one. */
  changes?: ResourceRecord;
}

/**
 * The choices of a field that the form of this record would offer.
 *
 * @example const { choices } = useChoices(useCellChoices({ definition, field, record }), text, true);
 */
export function useCellChoices({ definition, field, record, changes }: CellChoicesOptions): ChoiceSource {
  const dataProvider = useDataProvider();
  const isDependent = field.to !== undefined || field.transitions !== undefined;
  // A list has only some of the fields on which choices may depend.
  const { data: storedRecord, isPending } = useQuery({
    queryKey: [definition.name, 'getOne', { id: String(record.id) }, 'inline'],
    queryFn: async () => (await dataProvider.getOne<RaRecord>(definition.name, { id: record.id })).data,
    enabled: isDependent,
  });
  const source = useChoicesOf(definition, { ...(storedRecord ?? record), ...changes })(field);
  return isDependent && isPending ? { ...source, loading: true } : source;
}

/**
 * Returns a function with the choices that the form of a whole record would offer for one of its fields.
 *
 * @example const source = useChoicesOf(definition, record)(definition.fields.status_id);
 */
export function useChoicesOf(definition: Definition, record: ResourceRecord): (field: Field) => ChoiceSource {
  const { registry, actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const ask = useApi();
  const titles = useFormTitles(record);
  const services = { ask, person: actor.id, evaluationContext: { ...evaluationContext, record } };
  return (field) =>
    fieldChoices(definition, registry, field, record, titles, services) ?? optionSource(field.options ?? []);
}
