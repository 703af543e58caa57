import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { parentInputsOf, type FilterInput } from '../../../engine/lists/filter-inputs';
import { firstOf } from '../../../engine/values/lookups';
import { ValueInput, LabelledInput } from './ValueInput';
import { useFilterTitles } from './useFilterTitles';
import * as styles from './filters.module.css';

interface FilterFieldProps {
  definition: Definition;
  input: FilterInput;
  /** All inputs of the dialog: a limited one names what limits it. */
  inputs: readonly FilterInput[];
  values: Readonly<ResourceRecord>;
  onChange: (values: ResourceRecord) => void;
}

/** One filter input. Its kind selects the control, its keys are the filters it sets. */
export function FilterField({ definition, input, inputs, values, onChange }: FilterFieldProps) {
  const { label, keys, kind } = input;
  if (kind === 'flag' && input.name === 'archive') {
    return (
      <FormControlLabel
        className={styles.filterFlag}
        control={<Checkbox checked={values.archive === 1} />}
        label={label}
        onChange={(_event, checked) => onChange({ archive: checked ? 1 : undefined })}
      />
    );
  }
  if (keys.length === 2) {
    return (
      <div className={styles.filterRange}>
        {keys.map((key, end) => (
          <LabelledInput key={key} label={`${label} ${end === 0 ? 'from' : 'to'}`}>
            {(id) => (
              <ValueInput
                {...{ id, definition, input, values }}
                value={values[key]}
                onChange={(value) => onChange({ [key]: value })}
              />
            )}
          </LabelledInput>
        ))}
      </div>
    );
  }
  return (
    <LabelledInput label={label} note={<Narrowed {...{ input, inputs, values }} />}>
      {(id) => (
        <ValueInput
          {...{ id, definition, input, values }}
          value={values[firstOf(keys)]}
          onChange={(value) => onChange({ [firstOf(keys)]: value })}
        />
      )}
    </LabelledInput>
  );
}

/** `in Payments` at the end of the label, if another filter limits the choices. */
function Narrowed({ input, inputs, values }: Pick<FilterFieldProps, 'input' | 'inputs' | 'values'>) {
  const name = parentInputsOf(input).find((parent) => values[parent] !== undefined);
  const parent = inputs.find(({ keys }) => name !== undefined && keys.includes(name));
  const ids = name === undefined ? [] : [values[name]].flat().map(Number);
  const { titles } = useFilterTitles(parent, ids, []);
  const title = ids.map((id) => titles.get(id)).join(', ');
  return title ? `in ${title}` : null;
}
