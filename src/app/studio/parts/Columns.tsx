import { writeColumns, type ColumnView } from '../../../engine/studio/columns';
import { itemAt } from '../../../engine/values/lookups';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useDraft } from '../draft';
import { listColumns } from '../fields/listFields';
import { draftErrors, isWithin } from '../draftPlaces';
import { AddMenu } from '../properties/AddMenu';
import { SortedList } from '../properties/SortedList';
import { SwitchRow } from '../properties/SwitchProperty';
import { TextInput } from '../properties/TextInput';
import { optionsOf } from '../properties/optionSources';
import { ColumnLines } from './ColumnLines';
import * as styles from '../properties/properties.module.css';

/** The columns of the list in their order, each with its properties. */
export function Columns() {
  const draft = useDraft();
  const { source, edit } = draft;
  const columns = listColumns(source);
  const { registry } = useDefinitions();
  const options = optionsOf(undefined, 'listPaths', { source, registry, part: {} });
  const labelOfField = (field: string) => String(options.find(({ value }) => value === field)?.label ?? field);
  const put = (next: readonly ColumnView[]) => edit((now) => writeColumns(now, next));
  const free = options.filter(({ value }) => !columns.some(({ field }) => field === value));
  return (
    <div className={styles.studioGroup}>
      <SortedList
        label="Columns"
        items={columns}
        keyOf={({ field }) => field}
        titleOf={({ field, label }) => label ?? labelOfField(field)}
        noteOf={({ visible, fixed: isFixed }) => (isFixed ? 'always' : visible ? '' : 'hidden by default')}
        isWrong={(_, index) => draftErrors(draft).some(({ path }) => isWithin(path, `/list/columns/${index}`))}
        onMove={(oldIndex, newIndex) =>
          put(columns.toSpliced(oldIndex, 1).toSpliced(newIndex, 0, itemAt(columns, oldIndex)))
        }
        onRemove={(index) => put(columns.toSpliced(index, 1))}
      >
        {(column, index) => (
          <>
            <Column
              column={column}
              placeholder={labelOfField(column.field)}
              onChange={(next) => put(columns.with(index, next))}
            />
            <ColumnLines
              pointer={`/list/columns/${index}`}
              column={column}
              onChange={(next) => put(columns.with(index, next))}
            />
          </>
        )}
      </SortedList>
      <AddMenu
        label="Add a column"
        options={free}
        onAdd={(field) => put([...columns, { field, visible: true, fixed: false }])}
      />
    </div>
  );
}

interface ColumnProps {
  column: ColumnView;
  placeholder: string;
  onChange: (column: ColumnView) => void;
}

function Column({ column, placeholder, onChange }: ColumnProps) {
  const { visible, fixed: isFixed, label, width, priority, ...rest } = column;
  const change = (next: Partial<ColumnView>) => {
    const { label: words, width: pixels, priority: rank, ...otherKeys } = { ...column, ...next };
    onChange({
      ...rest,
      ...otherKeys,
      ...(words !== undefined && { label: words }),
      ...(pixels !== undefined && { width: pixels }),
      ...(rank !== undefined && { priority: rank }),
    });
  };
  return (
    <>
      <SwitchRow
        label="Shown by default"
        isOn={visible}
        onChange={(isOn) => change({ visible: isOn, fixed: isOn && isFixed })}
      />
      <SwitchRow
        label="Cannot be hidden"
        isOn={isFixed}
        onChange={(isOn) => change({ fixed: isOn, visible: isOn || visible })}
      />
      <div className={styles.studioPair}>
        <TextInput
          label="Label"
          placeholder={placeholder}
          value={label ?? ''}
          onChange={(text) => change({ label: text === '' ? undefined : text })}
        />
        <TextInput
          label="Width in pixels"
          isNumber
          className={styles.studioNumber}
          placeholder="Automatic"
          value={width ?? ''}
          onChange={(text) => change({ width: text === '' ? undefined : Number(text) })}
        />
        <TextInput
          label="Leaves first (1 to 9)"
          isNumber
          className={styles.studioNumber}
          placeholder="By place"
          value={priority ?? ''}
          onChange={(text) => change({ priority: text === '' ? undefined : Number(text) })}
        />
      </div>
    </>
  );
}
