import type { GridColDef } from '@mui/x-data-grid';
import { formatNumber } from '../../../engine/formats/numbers';
import { formatInstant } from '../../../engine/formats/dates';
import { cancelJob, isUnfinished, jobsKey, retryJob, type Job } from './api';
import { ActionList, type RowAction } from '../lists/ActionList';
import { PersonName } from '../lists/PersonName';
import { JobStateLabel } from './JobStateLabel';
import { Progress } from './Progress';
import * as styles from '../lists/lists.module.css';

const columns: GridColDef<Job>[] = [
  { field: 'title', headerName: 'Job', flex: 1, minWidth: 160, renderCell: ({ row }) => <TitleCell job={row} /> },
  {
    field: 'user',
    headerName: 'Started by',
    width: 160,
    renderCell: ({ row: { user } }) => user && <PersonName name={user.name} />,
  },
  { field: 'created_at', headerName: 'Started on', width: 150, renderCell: ({ row }) => formatInstant(row.created_at) },
  { field: 'state', headerName: 'State', width: 120, renderCell: ({ row }) => <JobStateLabel state={row.state} /> },
  {
    field: 'message',
    headerName: 'Progress',
    flex: 1,
    minWidth: 180,
    renderCell: ({ row }) => <ProgressCell job={row} />,
  },
];

/** Background jobs: failed ones with the reason and a retry, running ones with their progress. */
export default function Jobs() {
  return (
    <ActionList<Job>
      title="Jobs"
      path={jobsKey}
      emptyText="Imports and other background work are listed here."
      columns={columns}
      nameOf={({ title }) => title}
      isChanging={isUnfinished}
      actionsOf={rowActions}
      renderCard={(job) => (
        <>
          <b>{job.title}</b>
          <JobStateLabel state={job.state} />
          <ProgressCell job={job} />
          <p>
            {job.label}
            {job.user && ` by ${job.user.name}`}, {formatInstant(job.created_at)}
          </p>
        </>
      )}
    />
  );
}

function rowActions({ id, title, can_cancel, can_retry }: Job): RowAction[] {
  return [
    ...(can_retry ? [{ label: 'Retry', run: () => retryJob(id) }] : []),
    ...(can_cancel
      ? [
          {
            label: 'Cancel',
            run: () => cancelJob(id),
            question: `Cancel ${title}? What is already stored stays.`,
            destructive: true,
          },
        ]
      : []),
  ];
}

function TitleCell({ job: { title, label } }: { job: Job }) {
  return (
    <span className={styles.actCell} title={title}>
      <span>{title}</span>
      <small>{label}</small>
    </span>
  );
}

function ProgressCell({ job }: { job: Job }) {
  const { done: doneCount, total, message, title } = job;
  if (job.state === 'running') return <Progress value={doneCount} total={total} label={title} />;
  return (
    <span className={styles.actCell} title={message ?? undefined}>
      <span>{message ?? (doneCount > 0 ? 'Continues in a moment' : '')}</span>
      {total !== null && job.state !== 'done' && (
        <small className="num">
          {formatNumber(doneCount)} of {formatNumber(total)}
        </small>
      )}
    </span>
  );
}
