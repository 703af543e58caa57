import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import { RecordsIterator, ReferenceField, TextField } from 'react-admin';

/** The assets of the list as labels to stick on them: number, name, maker and serial number. */
export default function AssetLabels() {
  return (
    <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 1.5, p: 2 }}>
      <RecordsIterator
        render={({ id }) => (
          <Card variant="outlined" component="section" aria-label={`Label ${id}`} sx={{ width: 220, p: 1.5 }}>
            <Stack>
              <TextField source="key" sx={{ fontSize: 20, fontWeight: 600 }} />
              <TextField source="name" />
              <ReferenceField source="maker_id" reference="makers" link={false} />
              <TextField source="serial" />
            </Stack>
          </Card>
        )}
      />
    </Stack>
  );
}
