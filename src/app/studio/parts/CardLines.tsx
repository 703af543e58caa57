import Button from '@mui/material/Button';
import { iconNames } from '../../icons/icons';
import { useDraft } from '../draft';
import { AddMenu } from '../properties/AddMenu';
import { ChoiceProperty } from '../properties/ChoiceProperty';
import { SortedList } from '../properties/SortedList';
import { useDraftValue } from '../properties/useDraftValue';
import { fieldOptions } from '../properties/fieldOptions';
import * as styles from '../properties/properties.module.css';
import { itemAt } from '../../../engine/values/lookups';

type CardLine = string | { field: string; icon?: string };
const iconOptions = iconNames.map((name) => ({ value: name, label: name }));
const lineField = (line: CardLine) => (typeof line === 'string' ? line : line.field);

/** The lines of a card: a field each, optionally with an icon. */
export function CardLines({ pointer }: { pointer: string }) {
  const { source } = useDraft();
  const { value, set } = useDraftValue(pointer);
  const lines = (Array.isArray(value) ? value : []) as readonly CardLine[];
  const options = fieldOptions(source);
  const free = options.filter((option) => !lines.some((line) => lineField(line) === option.value));
  const labelOfField = (field: string) => options.find((option) => option.value === field)?.label ?? field;
  const put = (next: readonly CardLine[]) => set(next.length === 0 ? undefined : next);
  return (
    <div className={styles.studioGroup}>
      <span className={styles.studioLabel}>Lines</span>
      <SortedList
        label="Lines"
        items={lines}
        emptyText="No lines"
        keyOf={(line) => lineField(line)}
        titleOf={(line) => labelOfField(lineField(line))}
        onMove={(oldIndex, newIndex) =>
          put(lines.toSpliced(oldIndex, 1).toSpliced(newIndex, 0, itemAt(lines, oldIndex)))
        }
        onRemove={(index) => put(lines.toSpliced(index, 1))}
      >
        {(line, index) =>
          typeof line === 'string' ? (
            <Button
              size="small"
              variant="outlined"
              onClick={() => put(lines.with(index, { field: line, icon: 'tag' }))}
            >
              Add an icon
            </Button>
          ) : (
            <ChoiceProperty pointer={`${pointer}/${index}/icon`} label="Icon" options={iconOptions} emptyText="None" />
          )
        }
      </SortedList>
      <AddMenu label="Add a line" options={free} onAdd={(field) => put([...lines, field])} />
    </div>
  );
}
