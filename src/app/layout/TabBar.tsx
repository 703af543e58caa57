import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import './tab-bar.css';

export interface Tab<Name extends string = string> {
  name: Name;
  label: ReactNode;
}

interface TabBarProps<Name extends string> {
  /** Begins the ids of the tabs and of their panel; see `tabPanel`. */
  id: string;
  /** What the tabs are, for whoever does not see them. */
  label: string;
  tabs: readonly Tab<Name>[];
  chosen: Name;
  onChoose: (name: Name) => void;
  className?: string;
}

/**
 * Tabs in a row that scrolls sideways. The arrows, Home and End move the focus; Enter or Space chooses. Everything about
 * its looks is CSS: nothing is measured when it is drawn.
 */
export function TabBar<Name extends string>({ id, label, tabs, chosen, onChoose, className }: TabBarProps<Name>) {
  const bar = useRef<HTMLDivElement>(null);
  const isFirst = tabs[0]?.name === chosen;
  // A tab that a link leads to may lie beyond the edge.
  useEffect(() => {
    if (!isFirst) bar.current?.querySelector('[aria-selected=true]')?.scrollIntoView?.({ block: 'nearest' });
  }, [chosen, isFirst]);
  return (
    <div ref={bar} className={`tabs ${className ?? ''}`} role="tablist" aria-label={label} onKeyDown={moveFocus}>
      {tabs.map((tab) => (
        <button
          key={tab.name}
          type="button"
          role="tab"
          id={`${id}-${tab.name}`}
          aria-selected={tab.name === chosen}
          aria-controls={tab.name === chosen ? `${id}-panel` : undefined}
          tabIndex={tab.name === chosen ? 0 : -1}
          onClick={() => {
            if (tab.name !== chosen) onChoose(tab.name);
          }}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}

/** What makes an element the panel of the chosen tab. */
export function tabPanel(id: string, chosen: string) {
  return { id: `${id}-panel`, role: 'tabpanel', 'aria-labelledby': `${id}-${chosen}` } as const;
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
  const at = tabs.indexOf(event.target as HTMLElement);
  if (at < 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  tabs.at(next % tabs.length)?.focus();
}
