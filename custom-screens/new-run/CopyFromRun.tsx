import Autocomplete from '@mui/material/Autocomplete';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { formatNumber } from '../../src/engine/formats/numbers';
import { Icon } from '../../src/app/icons/Icon';
import { LabelledInput } from '../../src/app/list/filters/ValueInput';
import { fetchRunContents, useEarlierRuns, type EarlierRun, type RunContents } from './newRunApi';

interface CopyFromRunProps {
  project: number | undefined;
  onCopy: (contents: RunContents) => void;
}

/** Takes the test cases, configurations and people of an earlier run of the project. */
export function CopyFromRun({ project, onCopy }: CopyFromRunProps) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const runs = useEarlierRuns(isOpen ? project : undefined, text);
  const copy = useMutation({
    mutationFn: (run: EarlierRun) => fetchRunContents(run.id, run.project_id),
  });
  const message = copy.error
    ? `The run could not be read: ${copy.error.message}`
    : copy.isPending
      ? 'Loading…'
      : copy.data && copy.variables && describeCopy(copy.variables, copy.data);
  return (
    <div>
      {isOpen ? (
        <LabelledInput label="Copy from a run" note={runs.error?.message}>
          {(id) => (
            <Autocomplete
              id={id}
              openOnFocus
              loading={runs.isFetching}
              noOptionsText={text.trim() === '' ? 'The project has no earlier run' : 'No run fits'}
              filterOptions={(options) => options}
              onInputChange={(_, value, reason) => setText(reason === 'input' ? value : '')}
              options={[...(runs.data ?? [])]}
              value={copy.variables?.project_id === project ? copy.variables : null}
              getOptionLabel={({ key, name }) => [key, name].filter(Boolean).join(' ')}
              getOptionKey={(option) => option.id}
              isOptionEqualToValue={(option, run) => option.id === run.id}
              // The run that was chosen last counts, as long as the project stays: its answer alone calls this.
              onChange={(_, run) => run && copy.mutate(run, { onSuccess: onCopy })}
              renderInput={(params) => <TextField {...params} autoFocus />}
            />
          )}
        </LabelledInput>
      ) : (
        <Button variant="text" startIcon={<Icon name="copy" />} onClick={() => setOpen(true)}>
          Copy from a run…
        </Button>
      )}
      <small role="status">{message}</small>
    </div>
  );
}

/** `12 test cases of R-5 are selected. 2 of its test cases are gone.` */
function describeCopy({ key, name }: EarlierRun, { cases, goneCount }: RunContents): string {
  const run = key ?? name;
  const takenText =
    cases.length === 1
      ? `One test case of ${run} is selected.`
      : `${formatNumber(cases.length)} test cases of ${run} are selected.`;
  if (goneCount === 0) return takenText;
  return `${takenText} ${goneCount === 1 ? 'One of its test cases is gone.' : `${formatNumber(goneCount)} of its test cases are gone.`}`;
}
