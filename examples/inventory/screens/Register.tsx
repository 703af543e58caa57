import { usePage } from 'assay/app/layout/page';
import {
  Datagrid,
  DateField,
  ExportButton,
  FilterList,
  FilterListItem,
  List,
  ReferenceField,
  TextField,
  TopToolbar,
} from 'react-admin';

/** All check-outs, what is due first at the top, made of react-admin's components alone. */
export default function Register() {
  usePage({ title: 'Register' });
  return (
    <List
      resource="loans"
      sort={{ field: 'due_on', order: 'ASC' }}
      actions={<Actions />}
      aside={<States />}
      title={false}
    >
      <Datagrid bulkActionButtons={false} rowClick="edit">
        <DateField source="due_on" locales="en-GB" />
        <ReferenceField source="asset_id" reference="assets" />
        <TextField source="purpose" />
      </Datagrid>
    </List>
  );
}

const Actions = () => (
  <TopToolbar>
    <ExportButton />
  </TopToolbar>
);

const States = () => (
  <FilterList label="State" icon={null}>
    <FilterListItem label="Requested" value={{ state: 'requested' }} />
    <FilterListItem label="Checked out" value={{ state: 'approved' }} />
    <FilterListItem label="Returned" value={{ state: 'returned' }} />
  </FilterList>
);
