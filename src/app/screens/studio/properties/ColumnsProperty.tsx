import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import { useState } from 'react';
import { columnlessKeys } from '../../../../engine/definitions/check-row-fields';
import type { FieldTypeName } from '../../../../engine/definitions/definition';
import { labelOf } from '../../../../engine/definitions/labels';
import type { FieldSource } from '../../../../engine/definitions/source';
import { isComputable } from '../../../../engine/expressions/types';
import { fieldTypes } from '../../../../engine/field-types';
import { columnTypes } from '../../../../engine/field-types/rows';
import { isJsonObject } from '../../../../engine/studio/json';
import {
  changeColumnType,
  columnNameProblem,
  newColumnName,
  renameColumn,
  type WrittenColumns,
} from '../../../../engine/studio/row-columns';
import { fieldKeyOptions, type FieldKeyOption } from '../../../../engine/studio/type-keys';
import { Icon } from '../../../icons/Icon';
import { useDraft } from '../draft';
import { ExpressionProperty } from '../expressions/ExpressionProperty';
import { typeLabel } from '../fields/TypeLabel';
import { draftErrors, isWithin } from '../places';
import { ChoiceProperty } from './ChoiceProperty';
import { emptyExpression } from './ComputedProperty';
import { JsonProperty } from './JsonProperty';
import { LabelledInput } from './LabelledInput';
import { OptionsProperty } from './OptionsProperty';
import { PlaceErrors } from './PlaceErrors';
import { ResourceProperty } from './ResourceProperty';
import { SortedList } from './SortedList';
import { SwitchProperty, SwitchRow } from './SwitchProperty';
import { NumberProperty, TextProperty } from './TextProperty';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

/** The columns of a field with rows, in their order: each with its name, type and limits. */
export function ColumnsProperty({ at, name }: { at: string; name: string }) {
  const draft = useDraft();
  const { value, set } = useDraftValue(at);
  const columns = (isJsonObject(value) ? value : {}) as WrittenColumns;
  const entries = Object.entries(columns);
  const put = (next: readonly (readonly [string, FieldSource])[]) => set(Object.fromEntries(next));
  const published = draft.base.source.fields[name]?.fields;
  return (
    <div data-wide className={styles.studioGroup}>
      <span className={styles.studioLabel}>Columns</span>
      <PlaceErrors place={at} />
      <SortedList
        label="Columns"
        none="No columns yet"
        items={entries}
        keyOf={(_, index) => String(index)}
        titleOf={([key, { label }]) => label ?? labelOf(key)}
        noteOf={([, { type = 'text' }]) => typeLabel(type)}
        isWrong={([key]) => draftErrors(draft).some(({ path }) => isWithin(path, `${at}/${key}`))}
        onMove={(from, to) => put(entries.toSpliced(from, 1).toSpliced(to, 0, entries[from]!))}
        onRemove={(index) => put(entries.toSpliced(index, 1))}
      >
        {([key, column]) => (
          <ColumnInputs
            place={`${at}/${key}`}
            {...{ columns, column }}
            columnName={key}
            rows={name}
            onRename={(next) => draft.edit((source) => renameColumn(source, name, key, next, published))}
            onType={(type) => put(entries.map(([one, own]) => [one, one === key ? changeColumnType(own, type) : own]))}
          />
        )}
      </SortedList>
      <div>
        <Button
          size="small"
          variant="outlined"
          startIcon={<Icon name="plus" />}
          onClick={() => put([...entries, [newColumnName(columns), { type: 'text' }]])}
        >
          Add a column
        </Button>
      </div>
    </div>
  );
}

interface ColumnInputsProps {
  place: string;
  columnName: string;
  column: FieldSource;
  columns: WrittenColumns;
  /** The field that has the columns. */
  rows: string;
  onRename: (name: string) => void;
  onType: (type: FieldTypeName) => void;
}

/** Keys with inputs of their own, or that a grid does not show; what else a column can say is written as JSON. */
const placedElsewhere = new Set<string>([
  'type',
  'label',
  'required',
  'help',
  'placeholder',
  'empty',
  'width',
  'lines',
]);

function ColumnInputs({ place, columnName, column, columns, rows, onRename, onType }: ColumnInputsProps) {
  const type = columnTypes.find((one) => one === (column.type ?? 'text'));
  const keys = type
    ? fieldKeyOptions(type).filter(({ key }) => !placedElsewhere.has(key) && !(key in columnlessKeys))
    : [];
  return (
    <>
      <PlaceErrors place={place} />
      <div className={styles.studioPair}>
        <ColumnName key={columnName} name={columnName} columns={columns} onRename={onRename} />
        <LabelledInput label="Type">
          {({ id }) => (
            <Select
              size="small"
              fullWidth
              value={type ?? ''}
              onChange={({ target }) => onType(target.value as FieldTypeName)}
              inputProps={{ id, 'aria-label': 'Type' }}
            >
              {columnTypes.map((one) => (
                <MenuItem key={one} value={one}>
                  {typeLabel(one)}
                </MenuItem>
              ))}
            </Select>
          )}
        </LabelledInput>
        <TextProperty at={`${place}/label`} label="Label" usual={labelOf(columnName)} brief />
        {keys
          .filter(({ input }) => input !== 'options' && input !== 'switch')
          .map((part) => (
            <ColumnKey key={part.key} {...{ place, part, columns, columnName }} />
          ))}
      </div>
      {keys.some(({ input }) => input === 'options') && <OptionsProperty at={`${place}/options`} />}
      {type && isComputable(fieldTypes[type]) && (
        <ComputedColumn at={`${place}/computed`} name={columnName} rows={rows} />
      )}
      <SwitchProperty at={`${place}/required`} label="Required" />
      {keys
        .filter(({ input }) => input === 'switch')
        .map(({ key, label, usual }) => (
          <SwitchProperty key={key} at={`${place}/${key}`} label={label} usual={usual} />
        ))}
    </>
  );
}

/** Whether a column is computed from others of its row, and how. */
function ComputedColumn({ at, name, rows }: { at: string; name: string; rows: string }) {
  const { value, set, hint } = useDraftValue(at);
  return (
    <div data-wide className={styles.studioGroup}>
      <SwitchRow
        label="Computed"
        on={value !== undefined}
        hint={hint}
        onChange={(on) => set(on ? emptyExpression : undefined)}
      />
      {isJsonObject(value) && <ExpressionProperty {...{ at, name, rows }} />}
    </div>
  );
}

interface ColumnKeyProps {
  place: string;
  part: FieldKeyOption;
  columns: WrittenColumns;
  columnName: string;
}

/** The input for one key of a column. */
function ColumnKey({ place, part: { key, label, input, choices, types = [] }, columns, columnName }: ColumnKeyProps) {
  const at = `${place}/${key}`;
  switch (input) {
    case 'number':
      return <NumberProperty {...{ at, label }} />;
    case 'resource':
      return <ResourceProperty {...{ at, label }} />;
    case 'choice':
      return <ChoiceProperty {...{ at, label }} ways={choices ?? []} none="Default" />;
    case 'field': {
      const own = columns[columnName]?.type ?? 'text';
      const fits = (type: FieldTypeName) => (types.length === 0 ? type === own : types.includes(type));
      const ways = Object.entries(columns)
        .filter(([one, { type = 'text' }]) => one !== columnName && fits(type))
        .map(([value, column]) => ({ value, label: column.label ?? labelOf(value) }));
      return <ChoiceProperty {...{ at, label, ways }} none="None" />;
    }
    case 'text':
    case 'name':
    case 'longText':
      return <TextProperty {...{ at, label }} />;
    default:
      return <JsonProperty {...{ at, label }} usual="None" />;
  }
}

/** A column's key, renamed when the input is left. */
function ColumnName({
  name,
  columns,
  onRename,
}: {
  name: string;
  columns: WrittenColumns;
  onRename: (name: string) => void;
}) {
  const [typed, setTyped] = useState(name);
  const { [name]: _own, ...others } = columns;
  const fault = typed === name ? undefined : columnNameProblem(others, typed);
  const take = () => (typed === name || fault !== undefined ? setTyped(name) : onRename(typed));
  return (
    <LabelledInput label="Key" error={fault}>
      {({ id, describedBy }) => (
        <OutlinedInput
          id={id}
          size="small"
          fullWidth
          error={fault !== undefined}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={take}
          onKeyDown={(event) => event.key === 'Enter' && take()}
          slotProps={{ input: { spellCheck: false, 'aria-describedby': describedBy } }}
        />
      )}
    </LabelledInput>
  );
}
