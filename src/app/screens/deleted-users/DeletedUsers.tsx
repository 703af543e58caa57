import type { GridColDef } from '@mui/x-data-grid';
import { useNotify } from 'react-admin';
import { formatInstant } from '../../../engine/formats/dates';
import { fetchApi } from '../../session/api';
import { ActionList, type RowAction } from '../lists/ActionList';
import { PersonName } from '../lists/PersonName';

/** A deleted user whose name is still shown. */
interface DeletedUser {
  id: number;
  name: string;
  email: string;
  role: string | null;
  company: string | null;
  deleted_at: string;
  deleted_by: string | null;
}

/** The API path. */
const path = 'deleted-users';

const columns: GridColDef<DeletedUser>[] = [
  {
    field: 'name',
    headerName: 'Name',
    flex: 1,
    minWidth: 150,
    renderCell: ({ row }) => <PersonName name={row.name} />,
  },
  { field: 'email', headerName: 'Email address', flex: 1, minWidth: 150 },
  { field: 'role', headerName: 'Role', flex: 0.6, minWidth: 110 },
  { field: 'company', headerName: 'Company', flex: 0.8, minWidth: 130 },
  { field: 'deleted_at', headerName: 'Deleted on', width: 150, renderCell: ({ row }) => formatInstant(row.deleted_at) },
  { field: 'deleted_by', headerName: 'Deleted by', flex: 0.7, minWidth: 130 },
];

/** Users that were deleted: their names are shown until they are erased. */
export default function DeletedUsers() {
  const notify = useNotify();
  const erase = async ({ id, name }: DeletedUser) => {
    await fetchApi('/erase-person', { method: 'POST', json: { user_id: id } });
    notify(`${name} was erased. They are now shown as Former user ${id}.`, { type: 'success' });
  };
  const rowActions = (user: DeletedUser): RowAction[] => [
    {
      label: 'Erase',
      title: `Erase ${user.name} for good?`,
      question: eraseQuestion(user),
      confirmWord: user.name,
      destructive: true,
      run: () => erase(user),
    },
  ];
  return (
    <ActionList<DeletedUser>
      title="Deleted Users"
      path={path}
      emptyText="Users who are deleted are listed here until their personal data is erased."
      columns={columns}
      actionsWidth={110}
      nameOf={({ name }) => name}
      isChanging={() => false}
      actionsOf={rowActions}
      renderCard={({ name, email, role, company, deleted_at, deleted_by }) => (
        <>
          <PersonName name={name} />
          <p>
            {email}
            {role && `, ${role}`}
            {company && `, ${company}`}
          </p>
          <p>
            Deleted {formatInstant(deleted_at)}
            {deleted_by && ` by ${deleted_by}`}
          </p>
        </>
      )}
    />
  );
}

/** The question before erasing: what is removed, and what stays. */
function eraseQuestion({ id, name }: DeletedUser): string {
  return [
    `${name} will be shown as Former user ${id} wherever they did something. Their address, telephone number, notifications, sign-ins and second factors are removed, and so are their name and address from history, support tickets and the notifications of others.`,
    'The security log, imported files and texts that people wrote, such as comments, stay.',
    'This cannot be undone.',
  ].join('\n');
}
