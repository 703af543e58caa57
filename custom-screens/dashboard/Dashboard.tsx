import useMediaQuery from '@mui/material/useMediaQuery';
import { isGranted } from '../../src/engine/access/access-decision';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useFigures } from '../../src/app/charts/useFigures';
import { localToday } from '../../src/app/data/localTime';
import { GuidedStart } from '../../src/app/screens/start/GuidedStart';
import { HomeScreen } from '../../src/app/shell/home/HomeScreen';
import { PageActions, usePage } from '../../src/app/layout/page';
import { FailedState } from '../../src/app/states/FailedState';
import { phone } from '../../src/app/theme/overrides';
import { countBlocks } from './blocks';
import { Charts } from './Charts';
import { Counts } from './Counts';
import { Deadlines } from './Deadlines';
import { countedResources, type DashboardFigures } from './figures';
import { OwnTests } from './OwnTests';
import { LatestNotifications } from './LatestNotifications';
import { QuickAdd } from './QuickAdd';
import { Workload } from './Workload';
import * as styles from './dashboard.module.css';

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
