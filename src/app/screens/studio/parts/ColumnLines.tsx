import Button from '@mui/material/Button';
import Autocomplete from '@mui/material/Autocomplete';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { FieldSource } from '../../../../engine/definitions/source';
import { tones } from '../../../../engine/definitions/field';
import { labelOf } from '../../../../engine/definitions/labels';
import { writtenTypeOf } from '../../../../engine/field-types';
import type { ColumnView } from '../../../../engine/studio/columns';
import { iconNames } from '../../../icons/icons';
import { useDraft } from '../draft';
import { ChoiceProperty } from '../properties/ChoiceProperty';
import { fieldOptions } from '../properties/fieldOptions';
import { LabelledInput } from '../properties/LabelledInput';
import { ListProperty } from '../properties/ListProperty';
import { SuggestedProperty } from '../properties/SuggestedProperty';
import { SwitchProperty } from '../properties/SwitchProperty';

interface ColumnLinesProps {
  /** The column's place in the draft. */
  at: string;
  column: ColumnView;
  onChange: (column: ColumnView) => void;
}

/** What a column shows besides its value: a second line, or a bar of several numbers. */
export function ColumnLines({ at, column, onChange }: ColumnLinesProps) {
  const { source } = useDraft();
  const ways = fieldOptions(source);
  const numbers = fieldOptions(source, (field, name) => name !== 'id' && isNumber(field));
  const named = (name: string) => String(ways.find(({ value }) => value === name)?.label ?? name);
  const { below = [], parts, ...rest } = column;
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
            options={ways.map(({ value }) => String(value))}
            getOptionLabel={named}
            value={below}
            onChange={(_, next) => onChange({ ...rest, parts, below: next.length === 0 ? undefined : next })}
            renderInput={({ slotProps, ...params }) => (
              <OutlinedInput
                {...slotProps.input}
                id={params.id}
                size="small"
                fullWidth
                placeholder={below.length === 0 ? 'None' : undefined}
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
        <ListProperty
          at={`${at}/parts`}
          label="Parts of the bar"
          add="Add a part"
          blank={(entries) => ({
            field: numbers.find(({ value }) => !entries.some(({ field }) => field === value))?.value ?? '',
          })}
          titleOf={({ field }) => named(String(field))}
        >
          {(place) => (
            <>
              <ChoiceProperty at={`${place}/field`} label="Field" ways={numbers} />
              <ChoiceProperty
                at={`${place}/tone`}
                label="Colour"
                ways={tones.map((value) => ({ value, label: labelOf(value) }))}
                none="Neutral"
              />
              <SuggestedProperty
                at={`${place}/icon`}
                label="Icon"
                ways={iconNames.map((value) => ({ value, label: value }))}
              />
              <SwitchProperty at={`${place}/rest`} label="What is left" />
            </>
          )}
        </ListProperty>
      )}
    </>
  );
}

/** Whether a field has numbers; those of rollups are numbers unless they take a value of another type. */
function isNumber(field: FieldSource): boolean {
  return writtenTypeOf(field).holds === 'number' || (field.take !== undefined && field.take !== 'latest');
}
