import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import type { Field } from '../../src/engine/definitions/definition';
import { fieldTypeOf } from '../../src/engine/field-types';
import { diffTexts } from '../../src/engine/history/diff-texts';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { Icon } from '../../src/app/icons/Icon';
import { fetchApi } from '../../src/app/session/api';
import { entryKey } from './entryOrder';
import type { EntryDetails, Step, VersionDifference } from './runnerApi';
import * as styles from './runner.module.css';

interface VersionBarProps {
  entry: EntryDetails;
  difference: VersionDifference;
  disabled: boolean;
  onTaken: (entry: EntryDetails) => void;
  onKeep: () => void;
}

/** Says that a test case changed since it came into the run, and offers to see the difference and to take it over. */
export function VersionBar({ entry, difference, disabled, onTaken, onKeep }: VersionBarProps) {
  const [isOpen, setOpen] = useState(false);
  const notify = useNotify();
  const queryClient = useQueryClient();
  const { fields } = useDefinitions().registry.get('test-cases') ?? {};
  const labelOf = (name: string) => fields?.[name]?.label ?? name;
  const adoptVersion = useMutation({
    mutationFn: () => fetchApi<{ data: EntryDetails }>(`/run-entries/${entry.id}/version`, { method: 'POST' }),
    onSuccess: ({ data }) => {
      setOpen(false);
      onTaken(data);
      void queryClient.invalidateQueries({ queryKey: ['test-cases', 'version'] });
      notify('The test has the new version.', { type: 'success' });
    },
    onError: (error) => notify(error.message, { type: 'error' }),
  });
  const changedLabels = difference.changed.map(labelOf).join(', ');
  return (
    <div className={styles.banner} role="status">
      <Icon name="info" />
      <span>
        <b>{entryKey(entry)} changed since this run began.</b> Different: {changedLabels}.
      </span>
      <Stack direction="row" sx={{ gap: 2 }}>
        <Button variant="outlined" size="small" onClick={() => setOpen(true)}>
          Show difference
        </Button>
        <Button variant="text" size="small" color="inherit" onClick={onKeep}>
          Keep the old
        </Button>
      </Stack>
      <Dialog open={isOpen} onClose={() => setOpen(false)} maxWidth="md" fullWidth aria-labelledby="version-title">
        <DialogTitle id="version-title">{entryKey(entry)}: this run and now</DialogTitle>
        <DialogContent>
          <div className={styles.difference}>
            <span />
            <b>In this run</b>
            <b>Now</b>
            {difference.changed.map((name) => (
              <FieldDifference
                key={name}
                label={labelOf(name)}
                pinnedText={readableText(difference.pinned[name], fields?.[name])}
                current={readableText(difference.current?.[name], fields?.[name])}
              />
            ))}
          </div>
        </DialogContent>
        <DialogActions>
          <Button
            variant="outlined"
            size="large"
            onClick={() => {
              setOpen(false);
              onKeep();
            }}
          >
            Keep the old
          </Button>
          <Button
            variant="contained"
            size="large"
            disabled={disabled || adoptVersion.isPending}
            onClick={() => adoptVersion.mutate()}
          >
            Take the new version
          </Button>
        </DialogActions>
      </Dialog>
    </div>
  );
}

interface FieldDifferenceProps {
  label: string;
  pinnedText: string;
  current: string;
}

function FieldDifference({ label, pinnedText, current }: FieldDifferenceProps) {
  const parts = diffTexts(pinnedText, current);
  const side = (textSide: 'old' | 'new') => {
    const Mark = textSide === 'old' ? 'del' : 'ins';
    const sideParts = parts.filter((part) => part.side === 'both' || part.side === textSide);
    if (sideParts.length === 0) return <span className={styles.nothing}>Nothing</span>;
    return sideParts.map((part, index) => (part.side === 'both' ? part.text : <Mark key={index}>{part.text}</Mark>));
  };
  return (
    <>
      <h3>{label}</h3>
      <div>{side('old')}</div>
      <div>{side('new')}</div>
    </>
  );
}

/** A part of a test case as plain text; steps one below the other. */
function readableText(value: unknown, field: Field | undefined): string {
  if (Array.isArray(value)) {
    return (value as Step[])
      .map(({ action, data, expected: expectedResult }, index) =>
        [`${index + 1}. ${action}`, data && `Data: ${data}`, expectedResult && `Expected: ${expectedResult}`]
          .filter(Boolean)
          .join('\n'),
      )
      .join('\n\n');
  }
  if (typeof value !== 'string') return '';
  const toPlainText = field && fieldTypeOf(field).toPlainText;
  return toPlainText ? toPlainText(value) : value;
}
