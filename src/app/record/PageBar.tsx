import IconButton from '@mui/material/IconButton';
import { useNotify } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { canDo } from '../../engine/access/can-do';
import type { Definition, ResourceRecord, RowAction } from '../../engine/definitions/definition';
import { formatNumber, formatTotal } from '../../engine/formats/numbers';
import { pagePath } from '../../engine/lists/row-actions';
import type { RecordPage } from '../../engine/pages/record-page';
import { useDefinitions } from '../data/DefinitionsContext';
import { useEvaluationContext } from '../data/useEvaluationContext';
import { useCommands } from '../commands/commands';
import { useOpenDialog } from '../dialogs/openDialog';
import { copyText } from '../fields/shareLink/shareUrl';
import { Icon } from '../icons/Icon';
import { PageActions } from '../layout/page';
import type { MenuAction } from '../list/ActionMenu';
import { OthersHere } from '../presence/OthersHere';
import { historyAction, useOfferedActions } from './offeredActions';
import { RecordActions } from './RecordActions';
import type { Neighbours } from './useNeighbours';
import { usePrint } from './usePrint';
import * as styles from './record.module.css';

interface PageBarProps {
  definition: Definition;
  record: ResourceRecord;
  page: RecordPage;
  neighbours: Neighbours;
}

/** Actions of which the page has buttons or parts of its own. */
const ownActions = ['edit', 'view'];

/** The bar above a record's page: who else is there, the records beside it, and its actions. `e` edits, `j` and `k` go on, the first letter of the main action runs it. */
export function PageBar({ definition, record, page, neighbours }: PageBarProps) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
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
  const copyLink = async () => {
    const link = `${window.location.origin}${path}`;
    const words = `Link to ${page.key ?? page.heading} copied`;
    if (await copyText(link)) notify(words, { type: 'success', messageArgs: { _: words } });
    else notify(`The browser did not copy the link: ${link}`, { type: 'warning' });
  };
  const offeredActions = useOfferedActions(definition, record).filter((action) => !ownActions.includes(action.name));
  const main = offeredActions.find(({ screen }) => screen !== undefined);
  const edit: MenuAction[] = mayEdit ? [{ name: 'edit', label: 'Edit', icon: 'pencil', keys: 'e', run: openForm }] : [];
  const actions: MenuAction[] = [
    ...offeredActions.filter((action) => action !== main),
    { name: 'link', label: 'Copy link', icon: 'link', run: () => void copyLink() },
    ...usePrint(definition, record),
    ...historyAction(definition),
  ];
  const { position, total, previous, next } = neighbours;
  useCommands(() => [
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
  ]);
  return (
    <PageActions>
      <OthersHere {...{ definition, record }} />
      {position !== undefined && total !== undefined && (
        <span className={`${styles.barPlace} num`}>
          {formatNumber(position)} of {formatTotal(total)}
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
      <RecordActions
        {...{ definition, record }}
        primary={main ? { ...main, keys: mainKey(main) } : edit[0]}
        second={main && edit[0]}
        actions={actions}
      />
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
