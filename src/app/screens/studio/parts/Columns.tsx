import { writeColumns, type ColumnView } from '../../../../engine/studio/columns';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import { useDraft } from '../draft';
import { listColumns } from '../fields/listFields';
import { draftErrors, isWithin } from '../places';
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
  const ways = optionsOf(undefined, 'listPaths', { source, registry, part: {} });
  const labelled = (field: string) => String(ways.find(({ value }) => value === field)?.label ?? field);
  const put = (next: readonly ColumnView[]) => edit((now) => writeColumns(now, next));
  const free = ways.filter(({ value }) => !columns.some(({ field }) => field === value));
  return (
    <div className={styles.studioGroup}>
      <SortedList
        label="Columns"
        items={columns}
        keyOf={({ field }) => field}
        titleOf={({ field, label }) => label ?? labelled(field)}
        noteOf={({ visible, fixed }) => (fixed ? 'always' : visible ? '' : 'hidden by default')}
        isWrong={(_, index) => draftErrors(draft).some(({ path }) => isWithin(path, `/list/columns/${index}`))}
        onMove={(from, to) => put(columns.toSpliced(from, 1).toSpliced(to, 0, columns[from]!))}
        onRemove={(index) => put(columns.toSpliced(index, 1))}
      >
        {(column, index) => (
          <>
            <Column
              column={column}
              usual={labelled(column.field)}
              onChange={(next) => put(columns.with(index, next))}
            />
            <ColumnLines
              at={`/list/columns/${index}`}
              column={column}
              onChange={(next) => put(columns.with(index, next))}
            />
          </>
        )}
      </SortedList>
      <AddMenu
        label="Add a column"
        ways={free}
        onAdd={(field) => put([...columns, { field, visible: true, fixed: false }])}
      />
    </div>
  );
}

interface ColumnProps {
  column: ColumnView;
  usual: string;
  onChange: (column: ColumnView) => void;
}

function Column({ column, usual, onChange }: ColumnProps) {
  const { visible, fixed, label, width, ...rest } = column;
  const change = (next: Partial<ColumnView>) => {
    const { label: words, width: pixels, ...all } = { ...column, ...next };
    onChange({
      ...rest,
      ...all,
      ...(words !== undefined && { label: words }),
      ...(pixels !== undefined && { width: pixels }),
    });
  };
  return (
    <>
      <SwitchRow label="Shown by default" on={visible} onChange={(on) => change({ visible: on, fixed: on && fixed })} />
      <SwitchRow label="Cannot be hidden" on={fixed} onChange={(on) => change({ fixed: on, visible: on || visible })} />
      <div className={styles.studioPair}>
        <TextInput
          label="Label"
          usual={usual}
          value={label ?? ''}
          onChange={(text) => change({ label: text === '' ? undefined : text })}
        />
        <TextInput
          label="Width in pixels"
          isNumber
          className={styles.studioNumber}
          usual="Automatic"
          value={width ?? ''}
          onChange={(text) => change({ width: text === '' ? undefined : Number(text) })}
        />
      </div>
    </>
  );
}
