import Button from '@mui/material/Button';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Link } from 'react-router-dom';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { isOneClick } from '../../engine/lists/fixed-requests';
import { recordTitle, screenPath } from '../../engine/lists/row-actions';
import { setsField, stateFieldOf } from '../../engine/lists/state-changes';
import { useRunAction } from '../actions/useActions';
import { useCommands } from '../commands/commands';
import { useDefinitions } from '../data/DefinitionsContext';
import { Icon } from '../icons/Icon';
import { ActionMenu, type MenuAction } from '../list/ActionMenu';
import { lazyComponent } from '../states/lazyComponent';
import { useShownButtons } from './useShownButtons';
import * as styles from './record.module.css';

// It shows values as pages do, whose code forms do without.
const StateMenu = lazyComponent(() => import('./StateMenu').then((part) => ({ default: part.StateMenu })));

const RequestCount = lazyComponent(() => import('./requests/RequestCount'));

interface RecordActionsProps {
  definition: Definition;
  record: ResourceRecord;
  /** The one that the screen is for, as a filled button. */
  primary?: MenuAction;
  /** A button as well, unless the state has its place. */
  second?: MenuAction;
  /** In the menu. */
  actions: readonly MenuAction[];
}

/** Windows whose bar has room for the state; elsewhere its changes are among the other actions. */
const roomForState = '(min-width: 900px)';
/** Windows whose bar shows the words of the second button, as record.module.css has it. */
const roomForWords = '(min-width: 1101px)';

/**
 * The actions of a record in the bar: at most two buttons, fewer where they leave the name too little room, and a menu with
 * all others. The second button is the state, with its changes, where the record has one. All are commands too.
 */
export function RecordActions({ definition, record, primary, second, actions }: RecordActionsProps) {
  const { actor } = useDefinitions();
  const run = useRunAction();
  const hasRoom = useMediaQuery(roomForState, { noSsr: true });
  const hasWords = useMediaQuery(roomForWords, { noSsr: true });
  const start = (action: MenuAction) => (action.run ? action.run() : run(action, record));
  const title = recordTitle(definition, record);
  const otherActions = second ? [second, ...actions] : actions;
  useCommands(() =>
    (primary ? [primary, ...otherActions] : otherActions).map((action) => ({
      id: `action ${action.name}`,
      label: action.label,
      icon: action.icon,
      recordsText: title,
      keys: action.keys,
      run: () => start(action),
    })),
  );
  const field = stateFieldOf(definition, actor);
  const offeredChanges = hasRoom && field ? otherActions.filter((action) => setsField(definition, field, action)) : [];
  // Without its words, a button that acts at once would not say what it does.
  const isSecondOffered =
    second !== undefined && offeredChanges.length === 0 && (hasWords || !isImmediate(definition, second));
  const buttons = [
    ...(primary ? ['primary'] : []),
    ...(isSecondOffered || offeredChanges.length > 0 ? ['second'] : []),
  ];
  const [count, mark] = useShownButtons(buttons.length);
  const shownButtons = buttons.slice(0, count);
  const shownPrimary = shownButtons.includes('primary') ? primary : undefined;
  const isSecondShown = isSecondOffered && shownButtons.includes('second');
  const changes = shownButtons.includes('second') ? offeredChanges : [];
  const menuActions = [
    ...(primary && !shownPrimary ? [primary] : []),
    ...(isSecondShown ? actions : otherActions).filter((action) => !changes.includes(action)),
  ];
  return (
    <>
      <span ref={mark} hidden />
      {field && changes.length > 0 && <StateMenu {...{ definition, record, field, changes }} />}
      {menuActions.length > 0 && <ActionMenu actions={menuActions} record={record} title={title} />}
      {isSecondShown && <BarButton {...{ definition, record }} action={second} onStart={() => start(second)} />}
      {shownPrimary && (
        <BarButton {...{ definition, record }} action={shownPrimary} isPrimary onStart={() => start(shownPrimary)} />
      )}
    </>
  );
}

function isImmediate({ requests }: Definition, { request }: MenuAction): boolean {
  const definedRequest = requests[request ?? ''];
  return definedRequest !== undefined && isOneClick(definedRequest);
}

interface BarButtonProps extends Pick<RecordActionsProps, 'definition' | 'record'> {
  action: MenuAction;
  isPrimary?: boolean;
  onStart: () => void;
}

/** An action as a button, with the number of records that a request made so far. */
function BarButton({ definition, record, action, isPrimary = false, onStart }: BarButtonProps) {
  const request = definition.requests[action.request ?? ''];
  return (
    <Button
      className={styles.barButton}
      variant={isPrimary ? 'contained' : 'outlined'}
      startIcon={<Icon name={action.icon} />}
      aria-haspopup={request && !isOneClick(request) ? 'dialog' : undefined}
      title={action.label}
      aria-keyshortcuts={action.keys?.toUpperCase()}
      {...(action.screen ? { component: Link, to: screenPath(action, record) } : { onClick: onStart })}
    >
      <span>
        {action.label}
        {request?.list && <RequestCount request={request} record={record} />}
      </span>
    </Button>
  );
}
