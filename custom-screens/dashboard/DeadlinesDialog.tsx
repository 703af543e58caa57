import Dialog from '@mui/material/Dialog';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import { useId } from 'react';
import { Link } from 'react-router';
import { formatDate } from '../../src/engine/formats/dates';
import { useFigures } from '../../src/app/charts/useFigures';
import { Icon } from '../../src/app/icons/Icon';
import { FailedState } from '../../src/app/states/FailedState';
import type { DueTask } from './figures';

/** The open tasks that end on a day. */
export function DeadlinesDialog({ day, onClose }: { day: string; onClose: () => void }) {
  const id = useId();
  const { data, error, refetch } = useFigures<DueTask[]>(`/dashboard/deadlines?date=${day}`, ['tasks']);
  return (
    <Dialog
      open
      aria-labelledby={id}
      onClose={onClose}
      slotProps={{ paper: { sx: { width: 500, maxWidth: 'calc(100% - 32px)' } } }}
    >
      <DialogTitle component="h2">
        <span id={id}>Task deadlines On: {formatDate(day)}</span>
        <IconButton aria-label="Close" sx={{ ml: 'auto' }} onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </DialogTitle>
      {error && !data ? (
        <FailedState title="The tasks could not be loaded" message={error.message} onRetry={() => void refetch()} />
      ) : (
        <div className="dash-due">
          <table>
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
                    <span className="skeleton" aria-hidden="true" />
                  </td>
                </tr>
              )}
              {data?.map((task) => (
                <tr key={task.id}>
                  <td>
                    <Link to={`/tasks/${task.id}`}>{task.name}</Link>
                  </td>
                  <td>{task.status}</td>
                </tr>
              ))}
              {data?.length === 0 && (
                <tr>
                  <td colSpan={2}>No open task ends on this day any more.</td>
                </tr>
              )}
            </tbody>
          </table>
        </div>
      )}
    </Dialog>
  );
}
