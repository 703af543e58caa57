import type { GridColDef } from '@mui/x-data-grid';
import { formatInstant } from '../../../engine/formats/dates';
import { discardMail, outboxKey, retryMail, type OutboxMail } from './api';
import { ActionList, type RowAction } from '../lists/ActionList';
import { JobStateLabel } from './JobStateLabel';
import * as styles from '../lists/lists.module.css';

const columns: GridColDef<OutboxMail>[] = [
  { field: 'label', headerName: 'Occasion', flex: 1, minWidth: 130 },
  {
    field: 'name',
    headerName: 'Recipient',
    flex: 1,
    minWidth: 140,
    renderCell: ({ row }) => <RecipientCell mail={row} />,
  },
  { field: 'created_at', headerName: 'Created on', width: 150, renderCell: ({ row }) => formatInstant(row.created_at) },
  { field: 'state', headerName: 'State', width: 120, renderCell: ({ row }) => <JobStateLabel state={row.state} /> },
  { field: 'attempts', headerName: 'Attempts', width: 90, align: 'right', headerAlign: 'right' },
  {
    field: 'reason',
    headerName: 'Last error',
    flex: 1.4,
    minWidth: 140,
    renderCell: ({ row }) => <ReasonCell mail={row} />,
  },
];

/** Emails that are not sent yet, and those that failed for good: the reason, and a retry. */
export default function Outbox() {
  return (
    <ActionList<OutboxMail>
      title="Outbox"
      path={outboxKey}
      emptyText="All emails were sent. Emails that wait or failed are listed here."
      columns={columns}
      nameOf={mailName}
      isChanging={({ state }) => state === 'waiting'}
      actionsOf={rowActions}
      renderCard={(mail) => (
        <>
          <b>{mail.label}</b>
          <JobStateLabel state={mail.state} />
          <ReasonCell mail={mail} />
          <p>
            {mail.name ?? mail.address}, {formatInstant(mail.created_at)}
            {mail.attempts > 0 && `, ${mail.attempts} attempt${mail.attempts === 1 ? '' : 's'}`}
          </p>
        </>
      )}
    />
  );
}

const mailName = ({ label, name, address }: OutboxMail) => `${label} to ${name ?? address}`;

function rowActions(mail: OutboxMail): RowAction[] {
  return [
    { label: 'Retry now', run: () => retryMail(mail.id) },
    {
      label: 'Discard',
      run: () => discardMail(mail.id),
      question: `Discard ${mailName(mail)}? It will not be sent.`,
      destructive: true,
    },
  ];
}

function RecipientCell({ mail: { name, address } }: { mail: OutboxMail }) {
  return (
    <span className={styles.actCell}>
      <span>{name ?? address}</span>
      {name && <small>{address}</small>}
    </span>
  );
}

function ReasonCell({ mail: { reason, next_at } }: { mail: OutboxMail }) {
  return (
    <span className={styles.actCell} title={reason ?? undefined}>
      <span>{reason ?? (next_at ? 'On its way' : '')}</span>
      {reason && next_at && <small>Next try {formatInstant(next_at)}</small>}
    </span>
  );
}
