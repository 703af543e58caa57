import Button from '@mui/material/Button';
import Drawer from '@mui/material/Drawer';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { realUser } from '../../../engine/access/actor';
import { noBranch, treeName } from '../../../engine/conditions/tree';
import type { Definition } from '../../../engine/definitions/definition';
import { withFilters, type ListState } from '../../../engine/lists/list-state';
import type { TreeNode } from '../../../engine/lists/tree';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { ApiError } from '../../session/api';
import { lazyComponent, LoadingFallback } from '../../states/lazyComponent';
import { SkeletonRows } from '../../states/SkeletonRows';
import { phone } from '../../theme/overrides';
import { useResourceList } from '../ResourceList';
import { RowButton } from '../RowButton';
import { rememberTree, isTreeClosed } from './rememberedTree';
import { useRecordDrop } from './useRecordDrop';
import { treeTarget, useTree } from './useTree';
import { useTreeChanges } from './useTreeChanges';
import * as styles from './tree.module.css';

/** Screens that have no space for the tree beside the list. */
const narrowQuery = '@media (max-width: 1023px)';
/** Screens on which a list has space beside its tree for all of its usual columns. */
const wideQuery = '@media (min-width: 1600px)';

/** Whether the tree is closed when its list is opened: as the user left it, else on narrower screens. A link to a branch shows where it leads. */
function isTreeBesideClosed(user: number, { name }: Definition, { filters }: ListState, isWide: boolean): boolean {
  return isTreeClosed(user, name) ?? (!isWide && String(filters[treeName] ?? '') === '');
}

/** The tree beside a list, for those who may list its records: a column, or on narrow screens a drawer. */
export function TreePane() {
  const { definition } = useResourceList();
  const { registry, actor } = useDefinitions();
  const target = treeTarget(definition, registry, actor);
  return target ? <Pane key={definition.name} target={target} /> : null;
}

const TreeView = lazyComponent(() => import('./TreeView').then((part) => ({ default: part.TreeView })));
const noNodes: readonly TreeNode[] = [];

function Pane({ target }: { target: Definition }) {
  const { definition, state, change, fixedValues: fixedFilter } = useResourceList();
  const person = realUser(useDefinitions().actor).id;
  const container = useRef<HTMLDivElement>(null);
  const [drawer, setDrawer] = useState(false);
  const chosenBranch = String(state.filters[treeName] ?? '');
  const isWide = useMediaQuery(wideQuery, { noSsr: true });
  // A branch that is chosen later does not open it.
  const [initialState] = useState(state);
  const [hiddenChoice, setHiddenChoice] = useState<boolean>();
  const isClosed = hiddenChoice ?? isTreeBesideClosed(person, definition, initialState, isWide);
  const isNarrow = useMediaQuery(narrowQuery, { noSsr: true });
  const isShown = isNarrow ? drawer || chosenBranch !== '' : !isClosed;
  const { tree, filter, error, retry } = useTree(definition, state, fixedFilter, isShown);
  const changes = useTreeChanges(definition, target, filter);
  const records = useRecordDrop(definition, tree?.nodes ?? noNodes);
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const { many: plural } = target.labels;
  // A draft whose tree is not published yet has no counts.
  if (error instanceof ApiError && error.status === 404) return null;

  const choose = (value: string | number | undefined) => {
    change((current) => withFilters(current, { [treeName]: value }));
    setDrawer(false);
  };
  const setHidden = (hidden: boolean) => {
    flushSync(() => setHiddenChoice(hidden));
    rememberTree(person, definition.name, hidden);
    // The button that was pressed gives way to the one that takes it back.
    container.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus();
  };
  const view = tree ? (
    <LoadingFallback fallback={<SkeletonRows rows={8} />}>
      <TreeView
        {...{ definition, target, tree, chosen: chosenBranch, changes, records }}
        hasQuickAdd={definition.list.quickAdd === true && !isNarrow}
        onChoose={choose}
      />
    </LoadingFallback>
  ) : error ? (
    <div className={styles.treeProblem} role="alert">
      <p>{error.message}</p>
      <Button variant="outlined" onClick={retry}>
        Try again
      </Button>
    </div>
  ) : (
    <SkeletonRows rows={8} />
  );
  const problem = error && tree && (
    <p className={styles.treeProblem} role="alert">
      {error.message}
    </p>
  );
  if (isNarrow)
    return (
      <div className={styles.treeOpener}>
        <Button variant="outlined" startIcon={<Icon name="layers" />} onClick={() => setDrawer(true)}>
          {plural}
          {chosenBranch !== '' && tree && `: ${titleOf(chosenBranch, tree.nodes, definition)}`}
        </Button>
        <Drawer
          anchor={isPhone ? 'bottom' : 'left'}
          open={drawer}
          onClose={() => setDrawer(false)}
          slotProps={{ paper: { className: styles.treeDrawer, 'aria-label': plural, role: 'dialog' } }}
        >
          <div className={styles.treeHead}>
            <h2>{plural}</h2>
            <RowButton aria-label="Close" onClick={() => setDrawer(false)}>
              <Icon name="x" />
            </RowButton>
          </div>
          {problem}
          {view}
        </Drawer>
      </div>
    );
  if (isClosed)
    return (
      <div ref={container} className={styles.treeClosed}>
        <RowButton
          title={`Show ${plural}`}
          aria-label={`Show ${plural}`}
          aria-expanded={false}
          onClick={() => setHidden(false)}
        >
          <Icon name="panel" />
        </RowButton>
      </div>
    );
  return (
    <aside ref={container} className={styles.treePane} aria-label={plural}>
      <div className={styles.treeHead}>
        <h2>{plural}</h2>
        <RowButton title={`Hide ${plural}`} aria-label={`Hide ${plural}`} aria-expanded onClick={() => setHidden(true)}>
          <Icon name="panel" />
        </RowButton>
      </div>
      {problem}
      {view}
    </aside>
  );
}

function titleOf(branch: string, nodes: readonly { id: number; title: string }[], definition: Definition): string {
  if (branch === noBranch) return noneLabel(definition);
  return nodes.find(({ id }) => String(id) === branch)?.title ?? branch;
}

/** The name of the line of records in no branch: "No module". */
function noneLabel({ parameters }: Definition): string {
  return `No ${(parameters[treeName]?.label ?? treeName).toLowerCase()}`;
}
