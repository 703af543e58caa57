import Button from '@mui/material/Button';
import Autocomplete from '@mui/material/Autocomplete';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { ColumnView } from '../../../engine/studio/columns';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useDraft } from '../draft';
import { fieldOptions } from '../properties/fieldOptions';
import { optionsOf } from '../properties/optionSources';
import { PartForm } from '../properties/PartForm';
import { LabelledInput } from '../properties/LabelledInput';

interface ColumnLinesProps {
  /** The column's place in the draft. */
  pointer: string;
  column: ColumnView;
  onChange: (column: ColumnView) => void;
}

/** The parts of a column besides its value: a second line, or a bar of several numbers. */
export function ColumnLines({ pointer, column, onChange }: ColumnLinesProps) {
  const { source } = useDraft();
  const options = fieldOptions(source);
  const { registry } = useDefinitions();
  const numbers = optionsOf(undefined, 'figures', { source, registry, part: {} });
  const labelOfField = (name: string) => String(options.find(({ value }) => value === name)?.label ?? name);
  const { secondLine = [], parts, ...rest } = column;
  return (
    <>
      <LabelledInput label="Second line">
        {({ id }) => (
          <Autocomplete
            multiple
            id={id}
            size="small"
            disableCloseOnSelect
            filterSelectedOptions
            options={options.map(({ value }) => String(value))}
            getOptionLabel={labelOfField}
            value={secondLine}
            onChange={(_, next) => onChange({ ...rest, parts, secondLine: next.length === 0 ? undefined : next })}
            renderInput={({ slotProps, ...params }) => (
              <OutlinedInput
                {...slotProps.input}
                id={params.id}
                size="small"
                fullWidth
                placeholder={secondLine.length === 0 ? 'None' : undefined}
                slotProps={{ input: slotProps.htmlInput }}
              />
            )}
          />
        )}
      </LabelledInput>
      {parts === undefined ? (
        numbers.length > 1 && (
          <div>
            <Button
              size="small"
              variant="outlined"
              onClick={() =>
                onChange({ ...column, parts: numbers.slice(0, 2).map(({ value }) => ({ field: String(value) })) })
              }
            >
              Show as a bar
            </Button>
          </div>
        )
      ) : (
        <PartForm pointer={pointer} keys={['parts']} />
      )}
    </>
  );
}
