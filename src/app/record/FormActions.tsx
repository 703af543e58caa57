import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { ActionsContext, useActions } from '../actions/useActions';
import { PageActions } from '../layout/page';
import type { MenuAction } from '../list/ActionMenu';
import { OthersHere } from '../presence/OthersHere';
import { historyAction, useOfferedActions } from './offeredActions';
import { RecordActions } from './RecordActions';
import { usePrint } from './usePrint';

interface FormActionsProps {
  definition: Definition;
  /** The stored record. */
  record: ResourceRecord;
  /** The user has changed something that is not stored yet. */
  editing: boolean;
}

/** The bar above a stored record's form: who else is there, requests and calls, its page for reading, and its history. */
export function FormActions({ definition, record, editing }: FormActionsProps) {
  const actions = useActions(definition, undefined);
  const offeredActions = useOfferedActions(definition, record);
  const reading: MenuAction[] = definition.page
    ? [{ name: 'read', label: 'Read', icon: 'panel', screen: `/${definition.name}/{id}/view` }]
    : [];
  const [second, ...rest] = [
    ...offeredActions.filter(({ request }) => request !== undefined),
    ...reading,
    ...offeredActions.filter(({ calls }) => calls !== undefined),
    ...usePrint(definition, record),
    ...historyAction(definition),
  ];
  return (
    <ActionsContext value={actions}>
      <PageActions>
        <OthersHere {...{ definition, record, editing }} />
        <RecordActions {...{ definition, record, second }} actions={rest} />
      </PageActions>
      {actions.dialogs}
    </ActionsContext>
  );
}
