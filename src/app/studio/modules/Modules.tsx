import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { formatNumber } from '../../../engine/formats/numbers';
import type { Module } from '../../../engine/studio/module';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { TabBar, tabPanel } from '../../layout/TabBar';
import { usePage } from '../../layout/page';
import { EmptyState } from '../../states/EmptyState';
import { FailedState } from '../../states/FailedState';
import { SkeletonRows } from '../../states/SkeletonRows';
import { fetchModules, moduleKeys } from '../api';
import { formatCount } from '../formatCount';
import { DraftList, useDrafts } from '../drafts/DraftList';
import {
  ModuleTable,
  type ModuleListProps,
  countTabs,
  matchesSearch,
  isInTab,
  moduleTabs,
  moduleIcon,
} from './ModuleTable';
import { ModuleActionDialog, type PendingAction } from './ModuleActionDialog';
import { SearchModules } from './SearchModules';
import * as listStyles from '../../list/list.module.css';
import * as paginationStyles from '../../list/pagination.module.css';
import * as toolbarStyles from '../../list/toolbar.module.css';
import * as styles from './modules.module.css';
import { authorAndDate } from '../authorAndDate';
import { ModuleMenu } from './ModuleMenu';
import { OriginChips } from './OriginChips';

const RelationsView = lazy(() => import('../relations/RelationsView'));

/** The studio's list of modules: the origin and state of each, and the link to its editor. */
export default function Modules() {
  const [query, setQuery] = useSearchParams();
  const { actor } = useDefinitions();
  const drafts = useDrafts();
  const phone = useMediaQuery('(max-width: 600px)', { noSsr: true });
  const [pendingAction, setPendingAction] = useState<PendingAction | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: moduleKeys.all,
    queryFn: ({ signal }) => fetchModules(signal),
    retry: false,
    meta: { quiet: true },
  });
  usePage({ title: data ? `Studio | Total Modules: ${formatNumber(data.length)}` : 'Studio', flat: true });
  const relations = query.get('show') === 'relations';
  const kind = moduleTabs.find(({ name }) => name === query.get('of'))?.name ?? 'all';
  const q = query.get('q') ?? '';
  const changeFilter = (next: Readonly<Record<string, string>>) => {
    const { of: nextKind, q: nextText } = { of: kind, q, ...next };
    setQuery(
      { ...(nextKind !== 'all' && { of: nextKind }), ...(nextText && { q: nextText }) },
      { replace: next.q !== undefined },
    );
  };

  if (error && !data)
    return <FailedState title="Modules could not be loaded" message={error.message} onRetry={() => void refetch()} />;
  const tabs = countTabs(data ?? []);
  const visibleModules = (data ?? [])
    .filter((module) => isInTab(module, kind) && matchesSearch(module, q))
    .sort((first, second) => first.labels.many.localeCompare(second.labels.many));
  const isDrafted = ({ name }: Module) =>
    drafts?.some((draft) => draft.name === name && draft.user.id === actor.id) ?? false;
  const currentTab = tabs.some(({ name }) => name === kind) ? kind : 'all';
  const List = phone ? ModuleCards : ModuleTable;
  return (
    <>
      {!relations && (
        <TabBar
          id="modules"
          label="Modules"
          className={toolbarStyles.listTabs}
          tabs={tabs.map(({ name, label, count }) => ({
            name,
            label: (
              <span>
                {label}{' '}
                <Box className="num" component="span" sx={{ ml: 0.5, color: 'var(--t3)', fontWeight: 400 }}>
                  {data ? formatNumber(count) : '…'}
                </Box>
              </span>
            ),
          }))}
          chosenTab={currentTab}
          onChoose={(nextKind) => changeFilter({ of: nextKind })}
        />
      )}
      <div className={`${toolbarStyles.listTools} ${styles.studioTools}`} role="toolbar" aria-label="Studio tools">
        {!relations && <SearchModules q={q} onSearch={(text) => changeFilter({ q: text })} />}
        <span className={toolbarStyles.listGrow} />
        <Button
          variant="outlined"
          startIcon={<Icon name={relations ? 'list' : 'kanban'} />}
          component={Link}
          to={relations ? '/studio' : '/studio?show=relations'}
        >
          {relations ? 'List' : 'Relations'}
        </Button>
        <IconButton component="a" href="/docs" target="_blank" aria-label="Documentation" title="Documentation">
          <Icon name="help" />
        </IconButton>
        <Button component={Link} to="/studio/new" variant="contained" startIcon={<Icon name="plus" />}>
          New module
        </Button>
      </div>
      {!relations && <DraftList />}
      {relations ? (
        <Suspense fallback={<SkeletonRows />}>
          <RelationsView />
        </Suspense>
      ) : (
        <div
          className={`${listStyles.listBody} ${styles.studioModules}`}
          data-view={phone ? 'cards' : undefined}
          {...tabPanel('modules', currentTab)}
        >
          {!data && <SkeletonRows />}
          {data && visibleModules.length === 0 && (
            <div className={listStyles.listEmpty}>
              <EmptyState
                sentence={q ? `No module matches “${q}”.` : 'There are no such modules.'}
                action={
                  <Button variant="outlined" onClick={() => setQuery({})}>
                    Show all modules
                  </Button>
                }
              />
            </div>
          )}
          {visibleModules.length > 0 && (
            <List modules={visibleModules} isDrafted={isDrafted} onAsk={setPendingAction} />
          )}
        </div>
      )}
      <footer className={paginationStyles.listFoot}>
        <span className="num" role="status">
          {data && formatCount(visibleModules.length, 'module')}
        </span>
      </footer>
      {pendingAction && (
        <ModuleActionDialog
          key={`${pendingAction.action} ${pendingAction.module.name}`}
          pendingAction={pendingAction}
          onClose={() => setPendingAction(null)}
        />
      )}
    </>
  );
}

/** The list of modules as cards, for phones. */
function ModuleCards({ modules, isDrafted, onAsk }: ModuleListProps) {
  return (
    <ul className={styles.studioCards} aria-label="Modules">
      {modules.map((module) => (
        <li key={module.name}>
          <Icon name={moduleIcon(module)} />
          <div>
            <Link to={`/studio/${module.name}`}>{module.labels.many}</Link>
            <small>
              <span className={styles.studioMono}>{module.name}</span>
              <span className="num">
                Version {module.version}, {formatCount(Object.keys(module.definition.fields).length, 'field')}
              </span>
              {module.changed && <span>{authorAndDate(module.changed)}</span>}
            </small>
            <OriginChips module={module} drafted={isDrafted(module)} />
          </div>
          <ModuleMenu module={module} onAsk={onAsk} />
        </li>
      ))}
    </ul>
  );
}
