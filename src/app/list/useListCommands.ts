import { useCommands } from '../commands/commands';
import type { Definition } from '../../engine/definitions/definition';
import { useAddRecord } from './useAddRecord';
import { useMayAdd } from '../actions/useMayAdd';

/** The id of the button that has the focus after a filter is gone. */
export const filtersButtonId = 'list-filters';

/** The id of the search box. */
export const searchBoxId = 'list-search';

/** The commands of any list: `/` searches, `n` adds. */
export function useListCommands(definition: Definition): void {
  const { run } = useAddRecord(definition);
  const mayAdd = useMayAdd(definition);
  useCommands(() => [
    {
      id: 'search',
      label: `Search ${definition.labels.many.toLowerCase()}`,
      keys: '/',
      keysOnly: true,
      run: () => document.getElementById(searchBoxId)?.focus(),
    },
    ...(mayAdd ? [{ id: 'add', label: definition.titles.add, icon: 'plus', keys: 'n', run }] : []),
  ]);
}
