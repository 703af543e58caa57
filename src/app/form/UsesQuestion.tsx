import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import type { Definition, FieldOf } from '../../engine/definitions/definition';
import { usesInWords } from '../../engine/forms/uses';
import { useDefinitions } from '../data/DefinitionsContext';
import { InitialFocusButton } from '../dialogs/InitialFocusButton';
import { fetchApi } from '../session/api';

interface UsesQuestionProps {
  definition: Definition;
  id: string;
  /** The field with the records that use this one. */
  field: FieldOf<'inverse'>;
  onSave: () => void;
  onClose: () => void;
}

/** Says in how many records a record is used before a change of it is saved. A record that is used nowhere is saved at once. */
export function UsesQuestion({ definition, id, field, onSave, onClose }: UsesQuestionProps) {
  const { registry } = useDefinitions();
  const titleId = useId();
  const { data, error } = useQuery({
    queryKey: [definition.name, 'uses', id, field.name],
    queryFn: ({ signal }) =>
      fetchApi<{ data: { count: number; others: boolean } }>(`/${definition.name}/${id}/uses/${field.name}`, {
        signal,
      }),
    gcTime: 0,
    meta: { quiet: true },
  });
  const uses = data?.data;
  const isUnused = uses?.count === 0 && !uses.others;
  useEffect(() => {
    if (isUnused) onSave();
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it is known
  }, [isUnused]);
  if ((!uses && !error) || isUnused) return null;
  const user = registry.getOrThrow(field.inverse.resource);
  const tab = definition.form.tabs.find(({ resource, pageOnly }) => !pageOnly && resource === user.name);
  const title = uses ? usesInWords(uses, user) : `It is not known where this ${definition.labels.one} is used.`;
  return (
    <Dialog open onClose={onClose} role="alertdialog" aria-labelledby={titleId} maxWidth="xs" fullWidth>
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent>
        <p style={{ color: 'var(--t2)' }}>
          {uses ? 'What you changed changes there too.' : error?.message}{' '}
          {tab && uses && uses.count > 0 && (
            <a href={`/${definition.name}/${id}?tab=${tab.name}`} target="_blank" rel="noreferrer">
              Show {uses.count === 1 ? 'it' : 'them'}
            </a>
          )}
        </p>
      </DialogContent>
      <DialogActions>
        <InitialFocusButton variant="outlined" size="large" onClick={onClose}>
          Cancel
        </InitialFocusButton>
        <Button variant="contained" size="large" onClick={onSave}>
          Save for all
        </Button>
      </DialogActions>
    </Dialog>
  );
}
