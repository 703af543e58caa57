import OutlinedInput from '@mui/material/OutlinedInput';
import { useDraftPart } from '../draft';
import { ChoiceProperty } from '../properties/ChoiceProperty';
import { LabelledInput } from '../properties/LabelledInput';
import { SwitchRow } from '../properties/SwitchProperty';
import { useDraftValue } from '../properties/useDraftValue';

const papers = [
  { value: 'A4', label: 'A4' },
  { value: 'Letter', label: 'Letter' },
];

/** The printed page of a record: its template, line by line, and the size of its pages. */
export function PrintInputs() {
  const { value, set, hint, error } = useDraftValue('/print');
  const title = useDraftPart(({ source }) => source.recordTitle ?? '{id}');
  const isOff = value === undefined;
  return (
    <>
      <SwitchRow
        label="Records can be printed"
        on={!isOff}
        {...{ hint, error: isOff ? error : undefined }}
        onChange={(on) => set(on ? { template: [`<h1>${title}</h1>`] } : undefined)}
      />
      {!isOff && (
        <>
          <TemplateInput />
          <ChoiceProperty at="/print/paper" label="Paper" ways={papers} none="A4" />
        </>
      )}
    </>
  );
}

function TemplateInput() {
  const { value, set, hint, error } = useDraftValue('/print/template');
  const lines = Array.isArray(value) ? value.map(String) : [];
  return (
    <LabelledInput label="Template" {...{ hint, error }}>
      {({ id, describedBy }) => (
        <OutlinedInput
          id={id}
          size="small"
          fullWidth
          multiline
          minRows={6}
          maxRows={30}
          error={error !== undefined}
          value={lines.join('\n')}
          onChange={(event) => set(event.target.value.split('\n'))}
          slotProps={{ input: { spellCheck: false, 'aria-describedby': describedBy } }}
        />
      )}
    </LabelledInput>
  );
}
