import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { canList, choicesFilter, type FilterInput } from '../../../engine/lists/filter-inputs';
import { hasMeaningfulOrder } from '../../../engine/lists/relevance';
import { requireValue } from '../../../engine/values/lookups';
import { useDefinitions } from '../../data/DefinitionsContext';
import type { Choice, ChoiceSource } from '../../fields/choices/choice';
import { nearHeadings } from '../../fields/choices/choiceTexts';
import { loadChoices, loadListedChoices, optionSource } from '../../fields/choices/loadChoices';
import { recentlyChosen, rememberChosen } from '../../fields/choices/recentChoices';
import { useApi } from '../../session/apiClient';

const yesNo = optionSource([
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]);
const emptySource: ChoiceSource = { key: ['nothing'], load: () => Promise.resolve([]) };

/**
 * The choices of a filter input: options of the definition, records of their own list, or the choices of the form's
 * field if the user may not list those records.
 */
export function useFilterChoices(
  definition: Definition,
  input: FilterInput,
  values: Readonly<ResourceRecord>,
): ChoiceSource {
  const { registry, actor } = useDefinitions();
  const ask = useApi();
  if (input.kind === 'flag') return yesNo;
  if (input.kind === 'options') return optionSource(input.field?.options ?? []);
  if (input.kind !== 'records') return emptySource;

  const target = registry.get(input.to);
  const isNear = target !== undefined && !hasMeaningfulOrder(target);
  const recentIds = () => (isNear ? recentlyChosen(actor.id, target.name) : []);
  const commonSource: Partial<ChoiceSource> = {
    target,
    ...(isNear && {
      groups: nearHeadings(target),
      onChosen: (_: unknown, addedChoices: readonly Choice[]) => rememberChosen(actor.id, target.name, addedChoices),
    }),
  };
  // Records refer to deleted ones as long as these keep their names.
  const referredBy =
    target?.delete.keep && input.field?.to === input.to ? `${definition.name}.${input.field?.name}` : undefined;
  if (!target || !canList(input.to, registry, actor)) {
    const { name: field } = requireValue(input.field, `the field of the filter ${input.label}`);
    const query = { resource: definition.name, field, referredBy };
    return {
      ...commonSource,
      key: [definition.name, 'choices', field],
      load: (text, signal) =>
        loadChoices(
          { ...query, text, recentIds: Object.hasOwn(definition.fields, 'near') ? [] : recentIds() },
          signal,
          ask,
        ),
      find: (ids, signal) => loadChoices({ ...query, ids }, signal, ask),
    };
  }
  const resource = target.name;
  const filter = choicesFilter(input, values);
  return {
    ...commonSource,
    key: [resource, 'offered', filter, referredBy],
    load: (text, signal) =>
      loadListedChoices(
        { resource, filter, referredBy, text, recentIds: Object.hasOwn(target.fields, 'near') ? [] : recentIds() },
        signal,
        ask,
      ),
    find: (ids, signal) => loadListedChoices({ resource, filter: { id: ids }, referredBy }, signal, ask),
  };
}
