import type { GridApiCommon } from '@mui/x-data-grid';
import type { RefObject } from 'react';
import type { RaRecord } from 'react-admin';
import type { Column, Field } from '../../../engine/definitions/definition';
import { recordTitle, rowActions } from '../../../engine/lists/row-actions';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { useCommands, type Command } from '../../commands/commands';
import { useResourceList } from '../ResourceList';
import { rowActionCommands, setFieldCommands, useRefusedCommands } from '../recordCommands';
import { useRunAction } from '../../actions/useActions';

interface GridCommands {
  api: RefObject<GridApiCommon | null>;
  columns: readonly Column[];
  /** The fields of a record that can be edited in place. */
  fieldsOf: (record: RaRecord) => readonly Field[];
  onEdit: (record: RaRecord, field: Field) => void;
}

const noRecords: readonly RaRecord[] = [];

/**
 * `j` and `k` move between the rows of a grid; `x` selects the row in focus, `e` edits it, `a` and `s` set its person and its
 * state. Its other actions have no keys.
 */
export function useGridCommands({ api, columns, fieldsOf, onEdit }: GridCommands): void {
  const { definition, data: records = noRecords, embedded, selection } = useResourceList();
  const { actor, registry } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const run = useRunAction();
  const withRefused = useRefusedCommands(definition);

  const move = (offset: number) => {
    const cell = focusedCell();
    const index = records.findIndex(({ id }) => String(id) === cell?.id);
    const next = records[cell ? Math.min(records.length - 1, Math.max(0, index + offset)) : 0];
    const field = cell?.field ?? columns[0]?.field;
    if (next && field !== undefined) api.current?.setCellFocus(next.id, field);
  };
  const toggle = ({ id }: RaRecord) => selection.toggle(Number(id), false);
  useCommands(() => {
    const singular = definition.labels.one.toLowerCase();
    const focused = focusedCell();
    const record = focused && records.find(({ id }) => String(id) === focused.id);
    const moveCommands: Command[] = [
      { id: 'next', label: `Next ${singular}`, keys: 'j', isRepeatable: true, keysOnly: true, run: () => move(1) },
      {
        id: 'previous',
        label: `Previous ${singular}`,
        keys: 'k',
        isRepeatable: true,
        keysOnly: true,
        run: () => move(-1),
      },
    ];
    // Without a row in focus, the keys lead to the first one.
    if (!record)
      return [
        ...moveCommands,
        { id: 'select', label: `Select the ${singular} in focus`, keys: 'x', keysOnly: true, run: () => move(0) },
        { id: 'edit', label: `Edit the ${singular} in focus`, keys: 'e', keysOnly: true, run: () => move(0) },
      ];
    const title = recordTitle(definition, record);
    return [
      ...moveCommands,
      ...(selection.selectable
        ? [
            {
              id: 'select',
              label: `Select this ${singular}`,
              icon: 'check',
              keys: 'x',
              recordsText: title,
              run: () => toggle(record),
            },
          ]
        : []),
      ...withRefused(record, [
        ...setFieldCommands(definition, registry, fieldsOf(record), title, (field) => onEdit(record, field)),
        ...rowActionCommands(rowActions(definition, record, actor, evaluationContext), title, (action) =>
          run(action, record),
        ),
      ]),
    ];
  }, !embedded);
}

/** The id and the field of the grid's cell that contains the focus. */
function focusedCell(): { id: string; field: string } | undefined {
  const cell = document.activeElement?.closest<HTMLElement>('[role=gridcell][data-field]');
  const id = cell?.closest<HTMLElement>('[role=row][data-id]')?.dataset.id;
  const field = cell?.dataset.field;
  return id !== undefined && field !== undefined ? { id, field } : undefined;
}
