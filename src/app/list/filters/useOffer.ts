import { useDataProvider } from 'react-admin';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { canList, choicesFilter, type FilterInput } from '../../../engine/lists/filter-inputs';
import { choiceOrder } from '../../../engine/lists/choice-order';
import { recordTitle } from '../../../engine/lists/row-actions';
import { useDefinitions } from '../../admin/DefinitionsContext';
import type { Choice, ChoiceSource } from '../../choices/choice';
import { loadChoices, optionSource, pageOfChoices } from '../../choices/loadChoices';
import { useAsk } from '../../session/ask';

const yesNo = optionSource([
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]);
const nothing: ChoiceSource = { key: ['nothing'], load: () => Promise.resolve([]) };

/**
 * Where an input's choices come from: options from the definition; records from their own list, or from what the field
 * of the form may be set to where that list is not open to the actor, or where it is asked for.
 */
export function useOffer(
  definition: Definition,
  input: FilterInput,
  values: Readonly<ResourceRecord>,
  asInForm = false,
): ChoiceSource {
  const { registry, actor } = useDefinitions();
  const dataProvider = useDataProvider();
  const ask = useAsk();
  if (input.kind === 'flag') return yesNo;
  if (input.kind === 'options') return optionSource(input.field?.options ?? []);
  if (input.kind !== 'records') return nothing;

  const target = registry.get(input.to!);
  if (!target || asInForm || !canList(input.to, registry, actor)) {
    const field = input.field!.name;
    return {
      key: [definition.name, 'choices', field],
      load: (text, signal) => loadChoices({ resource: definition.name, field, text }, signal, ask),
      target,
    };
  }
  const filter = choicesFilter(input, values);
  return {
    key: [target.name, 'offered', filter],
    target,
    load: async (text, signal) => {
      const { data } = await dataProvider.getList(target.name, {
        pagination: { page: 1, perPage: pageOfChoices },
        sort: { ...choiceOrder(target) },
        filter: text === '' ? filter : { ...filter, q: text },
        signal,
      });
      return data.map((record): Choice => ({ id: Number(record.id), title: recordTitle(target, record) }));
    },
  };
}
