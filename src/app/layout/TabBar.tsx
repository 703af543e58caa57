import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import * as styles from './tab-bar.module.css';

/** The tab that had the focus when its bar was drawn anew. */
let leftTab: string | undefined;

export interface Tab<Name extends string = string> {
  name: Name;
  label: ReactNode;
}

interface TabBarProps<Name extends string> {
  /** The prefix of the ids of tabs and panel; see `tabPanel`. */
  id: string;
  /** The accessible name of the tabs. */
  label: string;
  tabs: readonly Tab<Name>[];
  chosenTab: Name;
  onChoose: (name: Name) => void;
  className?: string;
}

/**
 * Tabs in a row that scrolls sideways. Arrow keys, Home and End move the focus; Enter or Space chooses. The layout is
 * CSS only: nothing is measured.
 */
export function TabBar<Name extends string>({
  id,
  label,
  tabs,
  chosenTab: currentTab,
  onChoose,
  className,
}: TabBarProps<Name>) {
  const bar = useRef<HTMLDivElement>(null);
  // Another bar may take the place of this one, which must not end the focus.
  useLayoutEffect(() => {
    const barElement = bar.current;
    if (leftTab !== undefined) document.getElementById(leftTab)?.focus();
    return () => {
      const focused = document.activeElement;
      leftTab = focused && barElement?.contains(focused) ? focused.id : undefined;
      queueMicrotask(() => (leftTab = undefined));
    };
  }, []);
  const isFirst = tabs[0]?.name === currentTab;
  // A tab chosen by a link may be scrolled out of view.
  useEffect(() => {
    if (!isFirst) bar.current?.querySelector('[aria-selected=true]')?.scrollIntoView?.({ block: 'nearest' });
  }, [currentTab, isFirst]);
  return (
    <div
      ref={bar}
      className={`${styles.tabs} ${className ?? ''}`}
      role="tablist"
      aria-label={label}
      onKeyDown={moveFocus}
    >
      {tabs.map((tab) => (
        <button
          key={tab.name}
          type="button"
          role="tab"
          id={`${id}-${tab.name}`}
          aria-selected={tab.name === currentTab}
          aria-controls={tab.name === currentTab ? `${id}-panel` : undefined}
          tabIndex={tab.name === currentTab ? 0 : -1}
          onClick={() => {
            if (tab.name !== currentTab) onChoose(tab.name);
          }}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}

/**
 * The props of the chosen tab's panel.
 *
 * @example <div {...tabPanel('run', 'entries')} />
 */
export function tabPanel(id: string, currentTab: string) {
  return { id: `${id}-panel`, role: 'tabpanel', 'aria-labelledby': `${id}-${currentTab}` } as const;
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
  const index = tabs.indexOf(event.target as HTMLElement);
  if (index < 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  tabs.at(next % tabs.length)?.focus();
}
