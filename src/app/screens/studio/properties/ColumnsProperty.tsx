import Button from '@mui/material/Button';
import { columnlessKeys } from '../../../../engine/definitions/check-row-fields';
import type { FieldTypeName } from '../../../../engine/definitions/definition';
import { keysOf } from '../../../../engine/definitions/field-keys';
import { labelOf } from '../../../../engine/definitions/labels';
import type { FieldSource } from '../../../../engine/definitions/source';
import { columnTypes } from '../../../../engine/field-types/rows';
import { isJsonObject } from '../../../../engine/studio/json';
import {
  changeColumnType,
  columnNameProblem,
  newColumnName,
  renameColumn,
  type WrittenColumns,
} from '../../../../engine/studio/row-columns';
import { fieldKeyOptions } from '../../../../engine/studio/type-keys';
import { Icon } from '../../../icons/Icon';
import { useDraft } from '../draft';
import { ExpressionProperty } from '../expressions/ExpressionProperty';
import { typeLabel } from '../fields/TypeLabel';
import { draftErrors, isWithin } from '../places';
import { ChoiceInput } from './ChoiceProperty';
import { emptyExpression } from './ComputedProperty';
import { JsonProperty } from './ReadProperty';
import { NameInput } from './NameInput';
import { PartForm } from './PartForm';
import { PlaceErrors } from './PlaceErrors';
import { SortedList } from './SortedList';
import { SwitchProperty, SwitchRow } from './SwitchProperty';
import { TextProperty } from './TextProperty';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

/** The columns of a field with rows, in their order: each with its name, type and limits. */
export function ColumnsProperty({ at }: { at: string }) {
  const name = at.split('/')[2]!;
  const draft = useDraft();
  const { value, set } = useDraftValue(at);
  const columns = (isJsonObject(value) ? value : {}) as WrittenColumns;
  const entries = Object.entries(columns);
  const put = (next: readonly (readonly [string, FieldSource])[]) => set(Object.fromEntries(next));
  const published = draft.base.source.fields[name]?.fields;
  return (
    <div className={styles.studioGroup}>
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

/** Keys with inputs of their own, or that a grid does not show. */
const placedElsewhere = new Set<string>([
  'type',
  'label',
  'help',
  'placeholder',
  'emptyText',
  'width',
  'lines',
  'computed',
]);

interface ColumnKeyProps {
  at: string;
  label: string;
}

const RequiredColumn = ({ at, label }: ColumnKeyProps) => <SwitchProperty {...{ at, label }} />;
const ColumnJson = ({ at, label }: ColumnKeyProps) => <JsonProperty {...{ at, label }} usual="None" />;

/** The inputs of a column that are others than those of a field: conditions, for one, would be about the record. */
const columnInputs = {
  required: RequiredColumn,
  ...Object.fromEntries(['readOnly', 'default', 'choices', 'embedFields'].map((key) => [key, ColumnJson])),
};

function ColumnInputs({ place, columnName, column, columns, rows, onRename, onType }: ColumnInputsProps) {
  const { [columnName]: _own, ...others } = columns;
  const type = columnTypes.find((one) => one === (column.type ?? 'text'));
  const keys = (type ? fieldKeyOptions(type) : [])
    .map(({ key }) => key)
    .filter((key) => !placedElsewhere.has(key) && !(key in columnlessKeys));
  return (
    <>
      <PlaceErrors place={place} />
      <div className={styles.studioPair}>
        <NameInput
          key={columnName}
          label="Key"
          name={columnName}
          problemOf={(next) => columnNameProblem(others, next)}
          onRename={onRename}
        />
        <ChoiceInput
          label="Type"
          ways={columnTypes.map((one) => ({ value: one, label: typeLabel(one) }))}
          chosen={type ?? ''}
          onChoose={(next) => onType(next as FieldTypeName)}
        />
        <TextProperty at={`${place}/label`} label="Label" usual={labelOf(columnName)} />
      </div>
      <PartForm at={place} keys={keys} inputs={columnInputs} />
      {type && keysOf(type).includes('computed') && (
        <ComputedColumn at={`${place}/computed`} name={columnName} rows={rows} />
      )}
    </>
  );
}

/** Whether a column is computed from others of its row, and how. */
function ComputedColumn({ at, name, rows }: { at: string; name: string; rows: string }) {
  const { value, set, hint } = useDraftValue(at);
  return (
    <div className={styles.studioGroup}>
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
