import { Datagrid, DateField, ReferenceManyField, TextField } from 'react-admin';

/** The assets of a maker, the newest first. */
export default function MakerAssets() {
  return (
    <ReferenceManyField reference="assets" target="maker_id" sort={{ field: 'bought_on', order: 'DESC' }}>
      <Datagrid bulkActionButtons={false} rowClick="edit">
        <TextField source="key" />
        <TextField source="name" />
        <DateField source="bought_on" locales="en-GB" />
      </Datagrid>
    </ReferenceManyField>
  );
}
