import { useRef } from 'react';
import type { ListView } from '../../engine/lists/list-state';
import { useCommands } from '../commands/commands';
import { Icon } from '../icons/Icon';
import { useResourceList } from './ResourceList';
import type { ViewChoice } from './views';
import * as styles from './list.module.css';

/** The views of a list, side by side. `v` leads back to the one before, at first to the next. */
export function ViewSwitch({ views }: { views: readonly ViewChoice[] }) {
  const { view, chooseView } = useResourceList();
  const before = useRef<ListView>(undefined);
  const choose = (chosen: ListView) => {
    if (chosen !== view) before.current = view;
    chooseView?.(chosen);
  };
  const next = () =>
    before.current !== undefined && before.current !== view
      ? before.current
      : views[(views.findIndex((one) => one.view === view) + 1) % views.length]?.view;
  useCommands(() =>
    views
      .filter((one) => one.view !== view)
      .map(({ view: other, label, icon }) => ({
        ...{ id: `view ${other}`, label, icon },
        ...(other === next() && { keys: 'v' }),
        run: () => choose(other),
      })),
  );
  return (
    <span className={styles.listViews} role="group" aria-label="View">
      {views.map((choice) => (
        <button
          key={choice.view}
          type="button"
          title={choice.label}
          aria-pressed={view === choice.view}
          onClick={() => choose(choice.view)}
        >
          <Icon name={choice.icon} />
          <span className={styles.listLabel}>{choice.label}</span>
        </button>
      ))}
    </span>
  );
}
