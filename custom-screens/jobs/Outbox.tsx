import type { GridColDef } from '@mui/x-data-grid';
import { formatInstant } from '../../src/engine/formats/dates';
import { discardMail, outboxRoom, retryMail, type OutboxMail } from './calls';
import { ActList, type RowAct } from '../lists/ActList';
import { JobMark } from './JobMark';

const columns: GridColDef<OutboxMail>[] = [
  { field: 'label', headerName: 'Occasion', flex: 1, minWidth: 130 },
  { field: 'name', headerName: 'Recipient', flex: 1, minWidth: 140, renderCell: ({ row }) => <Recipient mail={row} /> },
  { field: 'created_at', headerName: 'Created On', width: 150, renderCell: ({ row }) => formatInstant(row.created_at) },
  { field: 'state', headerName: 'State', width: 120, renderCell: ({ row }) => <JobMark state={row.state} /> },
  { field: 'attempts', headerName: 'Attempts', width: 90, align: 'right', headerAlign: 'right' },
  {
    field: 'reason',
    headerName: 'Last Error',
    flex: 1.4,
    minWidth: 140,
    renderCell: ({ row }) => <Reason mail={row} />,
  },
];

/** Emails that are not sent yet, and those that failed for good: the reason, and a retry. */
export default function Outbox() {
  return (
    <ActList<OutboxMail>
      title="Outbox"
      room={outboxRoom}
      sentence="All emails were sent. Emails that wait or failed are listed here."
      columns={columns}
      nameOf={nameOf}
      isMoving={({ state }) => state === 'waiting'}
      actsOf={actsOf}
      card={(mail) => (
        <>
          <b>{mail.label}</b>
          <JobMark state={mail.state} />
          <Reason mail={mail} />
          <p>
            {mail.name ?? mail.address}, {formatInstant(mail.created_at)}
            {mail.attempts > 0 && `, ${mail.attempts} attempt${mail.attempts === 1 ? '' : 's'}`}
          </p>
        </>
      )}
    />
  );
}

const nameOf = ({ label, name, address }: OutboxMail) => `${label} to ${name ?? address}`;

function actsOf(mail: OutboxMail): RowAct[] {
  return [
    { label: 'Retry now', run: () => retryMail(mail.id) },
    {
      label: 'Discard',
      run: () => discardMail(mail.id),
      question: `Discard ${nameOf(mail)}? It will not be sent.`,
      destructive: true,
    },
  ];
}

function Recipient({ mail: { name, address } }: { mail: OutboxMail }) {
  return (
    <span className="act-cell">
      <span>{name ?? address}</span>
      {name && <small>{address}</small>}
    </span>
  );
}

function Reason({ mail: { reason, next_at } }: { mail: OutboxMail }) {
  return (
    <span className="act-cell" title={reason ?? undefined}>
      <span>{reason ?? (next_at ? 'On its way' : '')}</span>
      {reason && next_at && <small>Next try {formatInstant(next_at)}</small>}
    </span>
  );
}
