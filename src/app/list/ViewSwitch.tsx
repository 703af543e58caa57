import { Icon } from '../icons/Icon';
import type { View } from '../../engine/lists/list-state';

const choices = [
  { view: 'list', label: 'List', icon: 'list' },
  { view: 'cards', label: 'Cards', icon: 'cards' },
] as const;

/** List or cards. */
export function ViewSwitch({ view, onView }: { view: View; onView: (view: View) => void }) {
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
