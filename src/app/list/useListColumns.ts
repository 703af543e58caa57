import { useMemo } from 'react';
import type { Definition } from '../../engine/definitions/definition';
import { choicesOfShown, readableColumns, type ColumnChoice } from '../../engine/lists/columns';
import type { ListState } from '../../engine/lists/list-state';
import { useDefinitions } from '../data/DefinitionsContext';
import { useColumnChoices } from '../preferences/useColumnChoices';

/** The columns of a list: those of its address, such as of a saved view, or else the user's choice. */
export function useListColumns(
  definition: Definition,
  { columns }: Pick<ListState, 'columns'>,
): { choices: readonly ColumnChoice[] | null; pending: boolean } {
  const { actor } = useDefinitions();
  const { choices, pending } = useColumnChoices(definition.name, !columns);
  const shownChoices = useMemo(
    () => columns && choicesOfShown(readableColumns(definition, actor), columns),
    [actor, columns, definition],
  );
  return shownChoices ? { choices: shownChoices, pending: false } : { choices, pending };
}
