import Button from '@mui/material/Button';
import type { Definition } from '../../engine/definitions/definition';
import type { View } from '../../engine/lists/list-state';
import { Icon } from '../icons/Icon';

interface ViewSwitchProps {
  definition: Definition;
  view: View;
  /** Shows nothing but the way to the other view. */
  short: boolean;
  onView: (view: View) => void;
}

/** The ways to look at a list. On a phone a grid has no room: its records are cards there, or on the board. */
export function ViewSwitch({ definition, view, short, onView }: ViewSwitchProps) {
  const { views, kanban } = definition.list;
  const all = [
    { view: 'list', label: 'List', icon: 'list' },
    { view: 'cards', label: 'Cards', icon: 'cards' },
    { view: 'kanban', label: kanban?.label ?? 'Board', icon: 'kanban' },
  ] as const;
  const choices = all.filter((choice) => views.includes(choice.view));
  if (short) {
    const other = view === 'kanban' ? choices[0]! : choices.find((choice) => choice.view === 'kanban')!;
    return (
      <Button variant="outlined" className="list-square" aria-label={other.label} onClick={() => onView(other.view)}>
        <Icon name={other.icon} />
      </Button>
    );
  }
  return (
    <span className="list-views" role="group" aria-label="View">
      {choices.map((choice) => (
        <button key={choice.view} type="button" aria-pressed={view === choice.view} onClick={() => onView(choice.view)}>
          <Icon name={choice.icon} />
          {choice.label}
        </button>
      ))}
    </span>
  );
}
