import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { DialogHead } from '../../src/app/dialogs/DialogHead';
import { formatDate, isDate } from '../../src/engine/formats/dates';
import { useFigures } from '../../src/app/charts/useFigures';
import { DateInput } from '../../src/app/fields/date/DateInput';
import { Icon } from '../../src/app/icons/Icon';
import { FailedState } from '../../src/app/states/FailedState';
import type { DueTask } from './figures';
import { useEndDates } from './useEndDates';
import * as labelStyles from '../../src/app/fields/labels.module.css';
import * as statesStyles from '../../src/app/states/states.module.css';
import * as styles from './deadlines.module.css';

interface DeadlinesDialogProps {
  day: string;
  /** Whether the day is before today. */
  isPastDate: boolean;
  /** The day that all of its tasks were dragged to. */
  target?: string;
  onClose: () => void;
}

/** The open tasks that end on a day; selected tasks can be moved to another end date. */
export function DeadlinesDialog({ day, isPastDate, target, onClose }: DeadlinesDialogProps) {
  const id = useId();
  const { data, error, refetch } = useFigures<DueTask[]>(`/dashboard/deadlines?date=${day}`, ['tasks']);
  const { field, movable, move } = useEndDates();
  const [selection, setSelection] = useState<ReadonlySet<number> | null>(null);
  const [targetDay, setTargetDay] = useState<unknown>(target);
  const [isSaving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const movableTasks = movable(data ?? []);
  // Tasks that were dragged, or a single task, are selected already.
  const preset = target !== undefined || movableTasks.length === 1 ? movableTasks.map((task) => task.id) : [];
  const selectedIds = selection ?? new Set(preset);
  const tasks = movableTasks.filter((task) => selectedIds.has(task.id));
  const isReady = tasks.length > 0 && typeof targetDay === 'string' && isDate(targetDay) && targetDay !== day;
  const choose = (task: DueTask) => {
    const next = new Set(selectedIds);
    if (!next.delete(task.id)) next.add(task.id);
    setSelection(next);
  };
  const save = async () => {
    if (!isReady || isSaving) return;
    setSaving(true);
    const problem = await move(tasks, day, targetDay);
    setSaving(false);
    setRefusal(problem);
    if (problem === undefined) onClose();
  };
  return (
    <Dialog
      open
      aria-labelledby={id}
      onClose={onClose}
      slotProps={{ paper: { sx: { width: 500, maxWidth: 'calc(100% - 32px)' } } }}
    >
      <DialogHead id={id} onClose={onClose}>
        Task deadlines On: {formatDate(day)}
      </DialogHead>
      {isPastDate && (
        <p className={styles.dashDuePast} role="note" data-late={(data?.length ?? 0) > 0 || undefined}>
          <Icon name="clock" />
          {data && data.length > 0
            ? 'This day is past. Its open tasks are late, and the calendar does not count them.'
            : 'This day is past.'}
        </p>
      )}
      {error && !data ? (
        <FailedState title="The tasks could not be loaded" message={error.message} onRetry={() => void refetch()} />
      ) : (
        <div className={styles.dashDue}>
          <Box component="table" sx={{ width: '100%', borderCollapse: 'collapse', fontSize: 13 }}>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Status</th>
              </tr>
            </thead>
            <tbody>
              {!data && (
                <tr>
                  <td colSpan={2}>
                    <span className={statesStyles.skeleton} aria-hidden="true" />
                  </td>
                </tr>
              )}
              {data?.map((task) => (
                <tr key={task.id}>
                  <td>
                    <span>
                      {movableTasks.includes(task) && (
                        <Checkbox
                          size="small"
                          checked={selectedIds.has(task.id)}
                          onChange={() => choose(task)}
                          slotProps={{ input: { 'aria-label': `Move ${task.name}` } }}
                        />
                      )}
                      <Link to={`/tasks/${task.id}`}>{task.name}</Link>
                    </span>
                  </td>
                  <td>{task.status}</td>
                </tr>
              ))}
              {data?.length === 0 && (
                <tr>
                  <td colSpan={2}>No open task ends on this day.</td>
                </tr>
              )}
            </tbody>
          </Box>
        </div>
      )}
      {refusal !== undefined && (
        <p className={labelStyles.fieldError} style={{ margin: '8px 20px' }} id={`${id}-error`} role="alert">
          <Icon name="warning" size={14} />
          {refusal}
        </p>
      )}
      {movableTasks.length > 0 && (
        <DialogActions className={styles.dashDueMove}>
          <label id={`${id}-to-label`} htmlFor={`${id}-to`}>
            Move to
          </label>
          <DateInput
            id={`${id}-to`}
            field={field}
            value={targetDay}
            onChange={setTargetDay}
            size="small"
            invalid={refusal !== undefined}
            describedBy={refusal === undefined ? undefined : `${id}-error`}
          />
          <Button variant="contained" disabled={!isReady || isSaving} onClick={() => void save()}>
            {tasks.length > 1 ? `Move ${tasks.length} tasks` : 'Move task'}
          </Button>
        </DialogActions>
      )}
    </Dialog>
  );
}
