import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo, useCallback, useState } from 'react';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { filterInputs } from '../../../engine/lists/filter-inputs';
import { useDefinitions } from '../../data/DefinitionsContext';
import { phone } from '../../theme/overrides';
import { ListFrame } from '../ListFrame';
import { useRecords } from '../useRecords';
import { parseListState, type ListState } from '../../../engine/lists/list-state';
import type { ChangeList } from '../useListState';

interface EmbeddedListProps {
  definition: Definition;
  /** Filters that limit the list to the surrounding record. Keep the object stable between renders. */
  fixedValues: Readonly<ResourceRecord>;
  onAdd: () => void;
}

/** The list of a resource within another record's form: grid only, with filters that are not in the address. */
export function EmbeddedList({ definition: fullDefinition, fixedValues, onAdd }: EmbeddedListProps) {
  const { registry, actor } = useDefinitions();
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const definition = useMemo(
    () => ({ ...fullDefinition, list: { ...fullDefinition.list, views: ['list' as const], tabs: [] } }),
    [fullDefinition],
  );
  const [state, change] = useLocalListState(definition);
  const records = useRecords(definition.name, state, fixedValues);
  const inputs = useMemo(
    () => filterInputs(definition, registry, actor).filter(({ keys }) => !keys.some((key) => key in fixedValues)),
    [definition, registry, actor, fixedValues],
  );
  const view = isPhone ? 'cards' : 'list';
  return <ListFrame {...{ definition, state, change, inputs, records, view, isPhone, fixedValues, onAdd }} embedded />;
}

/** The state of an embedded list: local, not in the address. */
function useLocalListState(definition: Definition): [ListState, ChangeList] {
  const [state, setState] = useState(() => parseListState([], definition));
  return [state, useCallback<ChangeList>((make) => setState(make), [])];
}
