import { useNotify } from 'react-admin';
import { mayDo } from '../../src/engine/access/may-do';
import type { Definition, ResourceRecord } from '../../src/engine/definitions/definition';
import { useDefinitions } from '../../src/app/admin/DefinitionsContext';
import { useSurroundings } from '../../src/app/admin/useSurroundings';
import { useOpenDialog } from '../../src/app/dialogs/openDialog';
import { useMayAdd } from '../../src/app/list/useMayAdd';
import type { Log } from './figures';

/** A day and, if they were chosen, the start and end time (`HH:mm`). */
interface Chosen {
  date: string;
  start?: string;
  end?: string;
}

/** Opens the forms of new and existing logs; `own`: whether the timesheet is the actor's. */
export function useLogging(definition: Definition, today: string, own: boolean) {
  const { actor } = useDefinitions();
  const surroundings = useSurroundings();
  const open = useOpenDialog();
  const notify = useNotify();
  const mayAdd = useMayAdd(definition) && own;
  const mayChange = ({ id, user }: Log) => mayDo(actor, definition, 'edit', { id, user_id: user?.id }, surroundings);
  return {
    mayAdd,
    mayChange,
    /** Opens the form of a new log; notifies the user if the day is in the future. */
    add: (chosen: Chosen) => {
      if (!mayAdd) return;
      if (chosen.date > today) return notify('Time cannot be logged in the future.', { type: 'warning' });
      open({ kind: 'form', definition, mode: 'create', preset: { ...chosen } satisfies ResourceRecord });
    },
    /** Opens a log: for editing if the actor may change it, otherwise read-only. */
    show: (log: Log) => open({ kind: 'form', definition, mode: mayChange(log) ? 'edit' : 'view', id: String(log.id) }),
  };
}
