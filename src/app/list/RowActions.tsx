import { useEffect, useMemo, useRef, type KeyboardEvent, type MouseEvent } from 'react';
import type { Definition, ResourceRecord, RowAction } from '../../engine/definitions/definition';
import { recordTitle, rowActions } from '../../engine/lists/row-actions';
import { useDefinitions } from '../data/DefinitionsContext';
import { useEvaluationContext } from '../data/useEvaluationContext';
import { Icon } from '../icons/Icon';
import { ActionMenu } from './ActionMenu';
import { RowButton } from './RowButton';
import { useActionBlocker, useRunAction } from '../actions/useActions';
import { formPath, useOpenForm } from '../navigation/useOpenForm';
import { asksForTab, openTab } from '../navigation/useOpenRecord';
import * as styles from './menus.module.css';

interface RowActionsProps {
  definition: Definition;
  record: ResourceRecord;
  /** The cell has the grid's focus, which moves on to the first button. */
  focused: boolean;
}

/** Up to this many actions each get an icon; with more, the first does and a menu holds the rest. */
const maxIcons = 2;
/** In a column narrower than this (pixels) only the menu is shown. */
const widthForTwoIcons = 64;

/** The actions of a row, always visible. */
export function RowActions({ definition, record, focused }: RowActionsProps) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const run = useRunAction();
  const findBlocker = useActionBlocker();
  const { hasAddress } = useOpenForm(definition);
  // As links do: with Ctrl or the middle button, what has an address opens in a new tab.
  const press = (action: RowAction) => (event: MouseEvent) => {
    const { name } = action;
    if (hasAddress && (name === 'edit' || name === 'view') && asksForTab(event))
      openTab(formPath(definition, name, String(record.id)));
    else if (event.button === 0) run(action, record);
  };
  const box = useRef<HTMLDivElement>(null);
  const actions = useMemo(
    () => rowActions(definition, record, actor, evaluationContext),
    [actor, definition, record, evaluationContext],
  );
  const title = recordTitle(definition, record);
  const needsMenu = definition.list.actions.length > maxIcons;
  const isNarrow = (definition.list.actionsWidth ?? widthForTwoIcons) < widthForTwoIcons;
  // A click on the row opens the record: of that it needs no button beside others.
  const isOnlyView = actions.length === 1 && actions[0]?.name === 'view';
  const isVerb = isOnlyView || actions[0]?.name === 'edit' || actions[0]?.screen !== undefined;
  const first = isVerb && !isNarrow ? actions.slice(0, 1) : [];
  const icons = needsMenu ? first : actions;
  const rest = needsMenu ? actions.slice(first.length) : [];

  useEffect(() => {
    if (focused && !box.current?.contains(document.activeElement)) box.current?.querySelector('button')?.focus();
  }, [focused]);
  return (
    <div className={styles.rowActions} ref={box} onKeyDown={moveFocus}>
      {icons
        .map((action) => ({ action, reason: findBlocker(action, record)?.message }))
        .map(({ action, reason }) => (
          <RowButton
            key={action.name}
            title={reason === undefined ? action.label : `${action.label}: ${reason}`}
            aria-label={`${action.label} ${title}${reason === undefined ? '' : `: ${reason}`}`}
            data-hindered={reason !== undefined || undefined}
            tabIndex={focused ? 0 : -1}
            onClick={press(action)}
            onAuxClick={press(action)}
          >
            <Icon name={action.icon} />
          </RowButton>
        ))}
      {rest.length > 0 && <ActionMenu actions={rest} record={record} title={title} tabIndex={focused ? 0 : -1} />}
    </div>
  );
}

/** Arrow keys move between the buttons, and at the ends on to the grid's cells. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const next = move && buttons[buttons.indexOf(event.target as HTMLButtonElement) + move];
  if (!next || !(event.target instanceof HTMLButtonElement)) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}
