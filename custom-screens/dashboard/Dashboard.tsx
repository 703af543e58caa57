import useMediaQuery from '@mui/material/useMediaQuery';
import { isGranted, decideAccess } from '../../src/engine/access/access-decision';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useFigures } from '../../src/app/charts/useFigures';
import { localToday } from '../../src/app/data/localTime';
import { GuidedStart } from '../../src/app/screens/start/GuidedStart';
import { HomeScreen } from '../../src/app/shell/home/HomeScreen';
import { PageActions, usePage } from '../../src/app/layout/page';
import { FailedState } from '../../src/app/states/FailedState';
import { phone } from '../../src/app/theme/overrides';
import { countBlocks, type CountBlock } from './blocks';
import { Charts } from './Charts';
import { Deadlines } from './Deadlines';
import { countedResources, type DashboardFigures } from './figures';
import { Now } from './Now';
import { LatestNotifications } from './LatestNotifications';
import { Workload } from './Workload';
import * as styles from './dashboard.module.css';
import Box from '@mui/material/Box';
import { Tiles } from '../../src/app/charts/Tiles';
import Button from '@mui/material/Button';
import { Link } from 'react-router-dom';
import { useOpenDialog } from '../../src/app/dialogs/openDialog';
import { Icon } from '../../src/app/icons/Icon';
import IconButton from '@mui/material/IconButton';
import { unfilteredListUrl } from './links';
import * as statesStyles from '../../src/app/states/states.module.css';

const addableResources = ['projects', 'test-cases', 'tasks', 'time-logs'];

/** A button for each resource that the actor may add records to: opens the form, as a page or as a dialog. */
function QuickAdd() {
  const { registry, actor } = useDefinitions();
  const open = useOpenDialog();
  return addableResources.map((name) => {
    const definition = registry.get(name);
    if (!definition || !decideAccess(actor, definition, 'create').allowed) return null;
    const linkProps = definition.form.dialog
      ? { onClick: () => open({ kind: 'form', definition, mode: 'create' as const }) }
      : { component: Link, to: `/${name}/create` };
    return (
      <Button
        key={name}
        {...linkProps}
        variant="outlined"
        startIcon={<Icon name="plus" />}
        title={definition.titles.add}
      >
        {definition.labels.one}
      </Button>
    );
  });
}

const listOf = (tab: string) => `/run-entries?tab=${tab}`;

/** The tests that the user has to run, if there are any; each count leads to its list. */
function OwnTests({ tests }: { tests: DashboardFigures['tests'] }) {
  if (!tests || tests.open + tests.failed === 0) return null;
  return (
    <Box component="section" sx={{ flex: 'none' }} aria-label="My tests">
      <Tiles
        label="My tests"
        tiles={[
          { key: 'open', label: 'My open tests', count: tests.open, to: listOf('mine') },
          { key: 'due', label: 'Due today or earlier', count: tests.due, tone: 'bad', to: listOf('due') },
          { key: 'failed', label: 'My failed tests', count: tests.failed, tone: 'bad', to: listOf('failed') },
        ]}
      />
    </Box>
  );
}

/** The first screen: what happened in the last seven days, and what is due. Users who may list none of it see the modules. */
export default function Dashboard() {
  const { actor } = useDefinitions();
  return countedResources.some((name) => isGranted(actor, name, 'list')) ? <Overview /> : <HomeScreen />;
}

const [name, span] = ['Dashboard', '7-Day Activity Overview'];

/** Up to this width the header bar has room for the title only. */
const narrowWidth = '@media (max-width: 1360px)';

function Overview() {
  const { actor } = useDefinitions();
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const isNarrow = useMediaQuery(narrowWidth, { noSsr: true });
  const {
    data: figures,
    error,
    refetch,
  } = useFigures<DashboardFigures>('/dashboard', [...countedResources, 'run-entries']);
  usePage(isPhone ? { title: name, note: span, isNoteBelow: true } : { title: `${name}: ${span}` });
  if (error && !figures) {
    return (
      <FailedState title="The dashboard could not be loaded" message={error.message} onRetry={() => void refetch()} />
    );
  }
  const today = localToday();
  const mayList = (resource: string) => isGranted(actor, resource, 'list');
  const blocks = countBlocks(figures, { id: actor.id, level: actor.level, today, mayList });
  const listsAny = (...lists: string[]) => blocks.some(({ list }) => lists.includes(list));
  return (
    <div className={styles.dash}>
      {isNarrow ? (
        <div className={styles.dashQuick} role="group" aria-label="Add">
          <QuickAdd />
        </div>
      ) : (
        <PageActions>
          <QuickAdd />
        </PageActions>
      )}
      <GuidedStart />
      <Now today={today} />
      <div className={styles.dashRow}>
        {blocks.map((block) => (
          <Counts key={block.list} block={block} />
        ))}
      </div>
      <div className={`${styles.dashRow} ${styles.dashCharts}`}>
        <Charts {...{ figures, blocks, isPhone }} />
      </div>
      <div className={`${styles.dashRow} ${styles.dashLast}`}>
        <LatestNotifications />
        {listsAny('tasks', 'test-cases') && <Workload workload={figures?.workload} />}
        {listsAny('tasks') && <Deadlines today={today} />}
      </div>
      <OwnTests tests={figures?.tests} />
    </div>
  );
}

/** The counts of one resource; each links to the list of the records that it counts. */
function Counts({ block: { list, title, cells } }: { block: CountBlock }) {
  return (
    <section className={styles.dashCard} data-list={list} aria-label={`${title}: counts`}>
      <header>
        <h2>{title}</h2>
        <IconButton
          size="small"
          sx={{ display: 'none', ml: 'auto', '@media (max-width: 600px)': { display: 'inline-flex' } }}
          component={Link}
          to={unfilteredListUrl(list)}
          aria-label={`Open the ${title} list`}
        >
          <Icon name="external" />
        </IconButton>
      </header>
      <ul className={styles.dashCells} data-cells={cells.length}>
        {cells.map(({ key, label, count, tone, url }) => (
          <li key={key}>
            <Link to={url}>
              <b className="num" data-tone={count === '0' ? undefined : tone}>
                {count ?? <span className={statesStyles.skeleton} aria-hidden="true" />}
              </b>
              <span>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
