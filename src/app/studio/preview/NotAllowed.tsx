import Box from '@mui/material/Box';
import type { Action, Definition } from '../../../engine/definitions/definition';
import { EmptyState } from '../../states/EmptyState';

/** Shown when the previewed role does not have the permission. */
export function NotAllowed({ definition, action }: { definition: Definition; action: Action }) {
  const { one: singular, many: plural } = definition.labels;
  const actionTexts = {
    list: `list ${plural}`,
    view: `open a ${singular}`,
    create: `add a ${singular}`,
    edit: `edit a ${singular}`,
    delete: '',
  };
  return (
    <Box sx={{ display: 'grid', flex: 1, placeItems: 'center', py: 6, px: 4 }}>
      <EmptyState title="Not allowed for this role" sentence={`It has no permission to ${actionTexts[action]}.`} />
    </Box>
  );
}
