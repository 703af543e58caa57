import Button from '@mui/material/Button';
import { iconNames } from '../../../src/app/icons/icons';
import { useDraft } from '../draft';
import { AddMenu } from '../properties/AddMenu';
import { ChoiceAt } from '../properties/ChoiceAt';
import { SortedList } from '../properties/SortedList';
import { useAt } from '../properties/useAt';
import { fieldWays } from '../properties/ways';

type Line = string | { field: string; icon?: string };
const icons = iconNames.map((name) => ({ value: name, label: name }));
const fieldOf = (line: Line) => (typeof line === 'string' ? line : line.field);

/** The lines of a card: a field each, optionally with an icon. */
export function CardLines({ at }: { at: string }) {
  const { source } = useDraft();
  const { value, set } = useAt(at);
  const lines = (Array.isArray(value) ? value : []) as readonly Line[];
  const ways = fieldWays(source);
  const free = ways.filter((way) => !lines.some((line) => fieldOf(line) === way.value));
  const labelled = (field: string) => ways.find((way) => way.value === field)?.label ?? field;
  const put = (next: readonly Line[]) => set(next.length === 0 ? undefined : next);
  return (
    <div className="studio-group">
      <span className="studio-label">Lines</span>
      <SortedList
        label="Lines"
        items={lines}
        none="No lines"
        keyOf={(line) => fieldOf(line)}
        titleOf={(line) => labelled(fieldOf(line))}
        onMove={(from, to) => put(lines.toSpliced(from, 1).toSpliced(to, 0, lines[from]!))}
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
            <ChoiceAt at={`${at}/${index}/icon`} label="Icon" ways={icons} none="None" brief />
          )
        }
      </SortedList>
      <AddMenu label="Add a line" ways={free} onAdd={(field) => put([...lines, field])} />
    </div>
  );
}
