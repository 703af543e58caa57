import Button from '@mui/material/Button';
import type { Definition } from '../../engine/definitions/definition';
import type { FilterInput } from '../../engine/lists/filter-inputs';
import type { ListState } from '../../engine/lists/list-state';
import { Icon } from '../icons/Icon';
import { EmptyState } from '../states/EmptyState';
import { AddButton } from './AddButton';
import { useMayAdd } from './useMayAdd';
import type { ChangeList } from './useListState';

interface EmptyListProps {
  definition: Definition;
  state: ListState;
  change: ChangeList;
  inputs: readonly FilterInput[];
}

/** Says that there is nothing, and what to do next: another filter, or the first record. */
export function EmptyList({ definition, state, change }: EmptyListProps) {
  const mayAdd = useMayAdd(definition);
  const one = definition.labels.one.toLowerCase();
  const filtered = Object.keys(state.filters).length > 0;
  const narrowed = filtered || state.q !== '';
  const what = filtered ? 'Remove a filter' : 'Search for something else';
  const sentence = narrowed
    ? `No ${state.filters.archive === 1 ? 'archived ' : ''}${one} ${state.q ? `with “${state.q}” ` : ''}is in this list. ${what}${mayAdd ? `, or add a ${one}` : ''}.`
    : definition.list.empty;
  return (
    <div className="list-empty">
      <EmptyState
        sentence={sentence}
        action={
          <>
            {narrowed && (
              <Button
                variant="outlined"
                startIcon={<Icon name="close" />}
                onClick={() => change((old) => ({ ...old, filters: {}, q: '', page: 1 }))}
              >
                {filtered ? 'Clear filters' : 'Clear search'}
              </Button>
            )}
            <AddButton definition={definition} />
          </>
        }
      />
    </div>
  );
}
