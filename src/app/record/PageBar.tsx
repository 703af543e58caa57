import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useNotify } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { canDo } from '../../engine/access/can-do';
import type { Definition, ResourceRecord, RowAction } from '../../engine/definitions/definition';
import { formatNumber } from '../../engine/formats/numbers';
import { canRequest, pagePath, recordActions } from '../../engine/lists/row-actions';
import type { RecordPage } from '../../engine/pages/record-page';
import { useDefinitions } from '../data/DefinitionsContext';
import { useEvaluationContext } from '../data/useEvaluationContext';
import { useCommands } from '../commands/commands';
import { useOpenDialog } from '../dialogs/openDialog';
import { grantedFields } from '../../engine/access/access-decision';
import { Icon } from '../icons/Icon';
import { PageActions } from '../layout/page';
import { ActionMenu } from '../list/ActionMenu';
import { useRunAction } from '../actions/useActions';
import { OthersHere } from '../presence/OthersHere';
import { PrintButton } from './PrintButton';
import { StateMenu } from './StateMenu';
import type { Neighbours } from './useNeighbours';
import * as styles from './record.module.css';

interface PageBarProps {
  definition: Definition;
  record: ResourceRecord;
  page: RecordPage;
  neighbours: Neighbours;
}

/** Windows whose bar has room for the state; elsewhere its changes are among the other actions. */
const roomForState = '(min-width: 900px)';

/** Actions of which the page has buttons or parts of its own. */
const ownActions = ['edit', 'view'];

/** The bar above a record's page: who else is there, the records beside it, its link, its actions and its form. `e` edits, `j` and `k` go on, the first letter of the main action runs it. */
export function PageBar({ definition, record, page, neighbours }: PageBarProps) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const run = useRunAction();
  const navigate = useNavigate();
  const notify = useNotify();
  const openDialog = useOpenDialog();
  const { name, labels } = definition;
  const id = String(record.id);
  const path = pagePath(name, id);
  const recordName = labels.one.toLowerCase();
  const mayEdit = canDo(actor, definition, 'edit', record, evaluationContext) && page.refusal === undefined;
  const openForm = () => {
    if (definition.form.dialog) openDialog({ kind: 'form', definition, mode: 'edit', id });
    else void navigate(`/${name}/${id}`, { state: { from: path } });
  };
  const copyLink = () => {
    const link = `${window.location.origin}${path}`;
    const words = `Link to ${page.key ?? page.heading} copied`;
    navigator.clipboard.writeText(link).then(
      () => notify(words, { type: 'success', messageArgs: { _: words } }),
      () => notify(`The browser did not copy the link: ${link}`, { type: 'warning' }),
    );
  };
  const listedActions = recordActions(definition, record, actor, evaluationContext).filter(
    (action) => !ownActions.includes(action.name),
  );
  const requestNames = new Set(listedActions.map(({ request }) => request));
  const requests = Object.values(definition.requests).filter(
    (request) => !requestNames.has(request.name) && canRequest(definition, request, record, actor, evaluationContext),
  );
  const main = listedActions.find(({ screen }) => screen !== undefined);
  const actions: RowAction[] = [
    ...listedActions.filter((action) => action !== main),
    ...requests.map(({ name: request, label, icon }) => ({ name: request, label, icon, request })),
    ...(definition.history
      ? [{ name: 'history', label: 'History', icon: 'history', screen: `/${name}/{id}/history` }]
      : []),
  ];
  const readableFields = grantedFields(actor, definition, 'view');
  const state = Object.values(definition.fields).find(
    (field) => (field.transitions ?? []).length > 0 && readableFields.has(field.name),
  );
  const hasRoom = useMediaQuery(roomForState, { noSsr: true });
  const changes =
    state && hasRoom
      ? actions.filter(({ request }) => state.name in (definition.requests[request ?? '']?.constants ?? {}))
      : [];
  const menuActions = actions.filter((action) => !changes.includes(action));
  const { position, total, previous, next } = neighbours;
  useCommands(() => [
    ...(mayEdit ? [{ id: 'edit', label: `Edit this ${recordName}`, icon: 'pencil', keys: 'e', run: openForm }] : []),
    ...(next
      ? [{ id: 'next', label: `Next ${recordName}`, icon: 'chevron-down', keys: 'j', isRepeatable: true, run: next }]
      : []),
    ...(previous
      ? [
          {
            id: 'previous',
            label: `Previous ${recordName}`,
            icon: 'chevron-up',
            keys: 'k',
            isRepeatable: true,
            run: previous,
          },
        ]
      : []),
    { id: 'link', label: 'Copy link', icon: 'link', run: copyLink },
    ...[...(main ? [main] : []), ...actions].map((action) => ({
      id: `action ${action.name}`,
      label: action.label,
      icon: action.icon,
      recordsText: page.heading,
      ...(action === main && { keys: mainKey(main) }),
      run: () => run(action, record),
    })),
  ]);
  return (
    <PageActions>
      <OthersHere {...{ definition, record }} />
      {position !== undefined && total !== undefined && (
        <span className={`${styles.barPlace} num`}>
          {formatNumber(position)} of {formatNumber(total)}
        </span>
      )}
      {(previous ?? next) && (
        <span className={styles.barNeighbours}>
          <IconButton
            aria-label={`Previous ${recordName}, K`}
            title={`Previous ${recordName}, K`}
            disabled={!previous}
            onClick={previous}
          >
            <Icon name="chevron-up" />
          </IconButton>
          <IconButton
            aria-label={`Next ${recordName}, J`}
            title={`Next ${recordName}, J`}
            disabled={!next}
            onClick={next}
          >
            <Icon name="chevron-down" />
          </IconButton>
        </span>
      )}
      <IconButton className={styles.barLink} aria-label="Copy link" title="Copy link" onClick={copyLink}>
        <Icon name="link" />
      </IconButton>
      <PrintButton definition={definition} record={record} />
      {state && changes.length > 0 && <StateMenu {...{ definition, record, changes }} field={state} />}
      {menuActions.length > 0 && <ActionMenu actions={menuActions} record={record} title={page.key ?? page.heading} />}
      {mayEdit && (
        <Button
          className={styles.barEdit}
          variant="outlined"
          startIcon={<Icon name="pencil" />}
          aria-label="Edit"
          aria-keyshortcuts="E"
          onClick={openForm}
        >
          <span>Edit</span>
        </Button>
      )}
      {main && (
        <Button
          className={styles.barEdit}
          variant="contained"
          startIcon={<Icon name={main.icon} />}
          aria-label={main.label}
          aria-keyshortcuts={mainKey(main)?.toUpperCase()}
          onClick={() => run(main, record)}
        >
          <span>{main.label}</span>
        </Button>
      )}
    </PageActions>
  );
}

/** Keys of a record's page that have a meaning of their own. */
const takenKeys = 'acegjks';

/** The key that runs the main action: the first letter of its label, unless that means something else. */
function mainKey({ label }: RowAction): string | undefined {
  const firstLetter = label.charAt(0).toLowerCase();
  return takenKeys.includes(firstLetter) ? undefined : firstLetter;
}
