import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { ActionsContext, useActions } from '../actions/useActions';
import type { MenuAction } from '../list/ActionMenu';
import { historyAction, useOfferedActions } from './offeredActions';
import { RecordActions } from './RecordActions';
import { usePrint } from './usePrint';

/** The actions of a stored record above its form: requests, its page for reading, calls, its printed page and its history. */
export default function FormBar({ definition, record }: { definition: Definition; record: ResourceRecord }) {
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
      <RecordActions {...{ definition, record, second }} actions={rest} />
      {actions.dialogs}
    </ActionsContext>
  );
}
