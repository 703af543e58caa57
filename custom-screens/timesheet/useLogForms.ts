import { useNotify } from 'react-admin';
import { canDo } from '../../src/engine/access/can-do';
import type { Definition, ResourceRecord } from '../../src/engine/definitions/definition';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { useOpenDialog } from '../../src/app/dialogs/openDialog';
import { useMayAdd } from '../../src/app/actions/useMayAdd';
import type { TimeLog } from './timesheetApi';

/** A day and, if they were chosen, the start and end time (`HH:mm`). */
interface ChosenTime {
  date: string;
  start?: string;
  end?: string;
}

/** Opens the forms of new and existing logs; `isOwn`: whether the timesheet is the actor's. */
export function useLogForms(definition: Definition, today: string, isOwn: boolean) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext();
  const open = useOpenDialog();
  const notify = useNotify();
  const mayAdd = useMayAdd(definition) && isOwn;
  const mayChange = ({ id, user }: TimeLog) =>
    canDo(actor, definition, 'edit', { id, user_id: user?.id }, evaluationContext);
  return {
    mayAdd,
    mayChange,
    /** Opens the form of a new log; notifies the user if the day is in the future. */
    add: (chosenTime: ChosenTime) => {
      if (!mayAdd) return;
      if (chosenTime.date > today) return notify('Time cannot be logged in the future.', { type: 'warning' });
      open({ kind: 'form', definition, mode: 'create', preset: { ...chosenTime } satisfies ResourceRecord });
    },
    /** Opens a log: for editing if the actor may change it, otherwise read-only. */
    show: (log: TimeLog) =>
      open({ kind: 'form', definition, mode: mayChange(log) ? 'edit' : 'view', id: String(log.id) }),
  };
}
