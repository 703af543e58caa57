import { useRef } from 'react';
import type { ListView } from '../../engine/lists/list-state';
import { useCommands } from '../commands/commands';
import { Icon } from '../icons/Icon';
import { useResourceList } from './ResourceList';
import type { ViewChoice } from './views';
import * as styles from './toolbar.module.css';

/** The views of a list, side by side. `v` leads back to the one before, at first to the next. */
export function ViewSwitch({ views }: { views: readonly ViewChoice[] }) {
  const { view, chooseView } = useResourceList();
  const previousView = useRef<ListView>(undefined);
  const choose = (chosenView: ListView) => {
    if (chosenView !== view) previousView.current = view;
    chooseView?.(chosenView);
  };
  const next = () =>
    previousView.current !== undefined && previousView.current !== view
      ? previousView.current
      : views[(views.findIndex((choice) => choice.view === view) + 1) % views.length]?.view;
  useCommands(() =>
    views
      .filter((choice) => choice.view !== view)
      .map(({ view: otherView, label, icon }) => ({
        ...{ id: `view ${otherView}`, label, icon },
        ...(otherView === next() && { keys: 'v' }),
        run: () => choose(otherView),
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
