import Button from '@mui/material/Button';
import { columnlessKeys } from '../../../engine/check/check-row-fields';
import type { FieldTypeName } from '../../../engine/definitions/definition';
import { keysOf } from '../../../engine/field-types/field-keys';
import { labelOf } from '../../../engine/definitions/labels';
import type { FieldSource } from '../../../engine/language/source';
import { columnTypes } from '../../../engine/field-types/rows';
import { isJsonObject } from '../../../engine/formats/json';
import {
  changeColumnType,
  columnNameProblem,
  newColumnName,
  renameColumn,
  type WrittenColumns,
} from '../../../engine/studio/row-columns';
import { fieldKeyOptions } from '../../../engine/studio/type-keys';
import { itemAt } from '../../../engine/values/lookups';
import { Icon } from '../../icons/Icon';
import { useDraft, useDraftPart } from '../draft';
import { ExpressionProperty } from '../expressions/ExpressionProperty';
import { typeLabel } from '../fields/TypeLabel';
import { draftErrors, isWithin } from '../draftPlaces';
import { ChoiceInput } from './ChoiceProperty';
import { JsonProperty } from './ReadProperty';
import { NameInput } from './NameInput';
import { PartForm } from './PartForm';
import { PlaceErrors } from './PlaceErrors';
import { SortedList } from './SortedList';
import { SwitchProperty, SwitchRow } from './SwitchProperty';
import { TextProperty } from './TextProperty';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';
import { writtenTypeOf } from '../../../engine/field-types/index';
import { isExpressionObject } from '../../../engine/conditions/computed-kind';
import { completeField } from '../fields/entries';
import { ConditionProperty } from '../conditions/ConditionProperty';

/** Nothing, of any type: an expression to begin with. */
const emptyExpression = { $coalesce: [null] };

/** The source of a computed field: a template for text, a condition for booleans, else an expression as JSON. */
export function ComputedProperty({ pointer }: { pointer: string }) {
  const name = itemAt(pointer.split('/'), 2);
  const { value, set, hint } = useDraftValue(pointer);
  const computedFrom = useDraftPart(({ source }) => writtenTypeOf(completeField(source, name)).computedFrom);
  const first = computedFrom === 'condition' ? {} : computedFrom === 'template' ? '{id}' : emptyExpression;
  const isExpression = typeof value === 'object' && value !== null && isExpressionObject(value);
  return (
    <div className={styles.studioGroup}>
      <SwitchRow
        label="Computed"
        isOn={value !== undefined}
        hint={hint}
        onChange={(isOn) => set(isOn ? first : undefined)}
      />
      {typeof value === 'string' && <TextProperty pointer={pointer} label="Template" />}
      {isExpression && <ExpressionProperty pointer={pointer} name={name} />}
      {typeof value === 'object' && !isExpression && (
        <ConditionProperty pointer={pointer} label="True when" keepEmpty />
      )}
    </div>
  );
}

/** The columns of a field with rows, in their order: each with its name, type and limits. */
export function ColumnsProperty({ pointer }: { pointer: string }) {
  const name = itemAt(pointer.split('/'), 2);
  const draft = useDraft();
  const { value, set } = useDraftValue(pointer);
  const columns = (isJsonObject(value) ? value : {}) as WrittenColumns;
  const entries = Object.entries(columns);
  const put = (next: readonly (readonly [string, FieldSource])[]) => set(Object.fromEntries(next));
  const publishedColumns = draft.base.source.fields[name]?.fields;
  return (
    <div className={styles.studioGroup}>
      <span className={styles.studioLabel}>Columns</span>
      <PlaceErrors pointer={pointer} />
      <SortedList
        label="Columns"
        emptyText="No columns yet"
        items={entries}
        keyOf={(_, index) => String(index)}
        titleOf={([key, { label }]) => label ?? labelOf(key)}
        noteOf={([, { type = 'text' }]) => typeLabel(type)}
        isWrong={([key]) => draftErrors(draft).some(({ path }) => isWithin(path, `${pointer}/${key}`))}
        onMove={(oldIndex, newIndex) =>
          put(entries.toSpliced(oldIndex, 1).toSpliced(newIndex, 0, itemAt(entries, oldIndex)))
        }
        onRemove={(index) => put(entries.toSpliced(index, 1))}
      >
        {([key, column]) => (
          <ColumnInputs
            pointer={`${pointer}/${key}`}
            {...{ columns, column }}
            columnName={key}
            rows={name}
            onRename={(next) => draft.edit((source) => renameColumn(source, name, key, next, publishedColumns))}
            onType={(type) =>
              put(
                entries.map(([columnKey, columnField]) => [
                  columnKey,
                  columnKey === key ? changeColumnType(columnField, type) : columnField,
                ]),
              )
            }
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
  pointer: string;
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
  pointer: string;
  label: string;
}

const RequiredColumn = ({ pointer, label }: ColumnKeyProps) => <SwitchProperty {...{ pointer, label }} />;
const ColumnJson = ({ pointer, label }: ColumnKeyProps) => <JsonProperty {...{ pointer, label }} placeholder="None" />;

/** The inputs of a column that are others than those of a field: conditions, for one, would be about the record. */
const columnInputs = {
  required: RequiredColumn,
  ...Object.fromEntries(['readOnly', 'default', 'choices', 'embedFields'].map((key) => [key, ColumnJson])),
};

function ColumnInputs({ pointer, columnName, column, columns, rows, onRename, onType }: ColumnInputsProps) {
  const { [columnName]: _own, ...otherColumns } = columns;
  const type = columnTypes.find((candidate) => candidate === (column.type ?? 'text'));
  const keys = (type ? fieldKeyOptions(type) : [])
    .map(({ key }) => key)
    .filter((key) => !placedElsewhere.has(key) && !(key in columnlessKeys));
  return (
    <>
      <PlaceErrors pointer={pointer} />
      <div className={styles.studioPair}>
        <NameInput
          key={columnName}
          label="Key"
          name={columnName}
          problemOf={(next) => columnNameProblem(otherColumns, next)}
          onRename={onRename}
        />
        <ChoiceInput
          label="Type"
          options={columnTypes.map((columnType) => ({ value: columnType, label: typeLabel(columnType) }))}
          value={type ?? ''}
          onChoose={(next) => onType(next as FieldTypeName)}
        />
        <TextProperty pointer={`${pointer}/label`} label="Label" placeholder={labelOf(columnName)} />
      </div>
      <PartForm pointer={pointer} keys={keys} inputs={columnInputs} />
      {type && keysOf(type).includes('computed') && (
        <ComputedColumn pointer={`${pointer}/computed`} name={columnName} rows={rows} />
      )}
    </>
  );
}

/** Whether a column is computed from others of its row, and how. */
function ComputedColumn({ pointer, name, rows }: { pointer: string; name: string; rows: string }) {
  const { value, set, hint } = useDraftValue(pointer);
  return (
    <div className={styles.studioGroup}>
      <SwitchRow
        label="Computed"
        isOn={value !== undefined}
        hint={hint}
        onChange={(isOn) => set(isOn ? emptyExpression : undefined)}
      />
      {isJsonObject(value) && <ExpressionProperty {...{ pointer, name, rows }} />}
    </div>
  );
}
