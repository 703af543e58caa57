import { isGranted } from '../src/engine/access/access-decision';
import { WaitingResults } from './test-runner/WaitingResults';
import type { CustomScreen } from '../src/app/product';

/** The product's screens that cannot be generated from definitions, each loaded when it is first opened. */
export const screens: readonly CustomScreen[] = [
  {
    path: '/dashboard',
    load: () => import('./dashboard/Dashboard'),
    menu: { label: 'Dashboard', icon: 'dashboard', key: 'd', order: 0 },
  },
  {
    path: '/my-work',
    load: () => import('./my-work/MyWork'),
    menu: { label: 'My work', icon: 'list-check', key: 'w', order: 0.5 },
    allowed: ({ actor }) => isGranted(actor, 'pages', 'view'),
  },
  {
    path: '/flow-setup-steps',
    load: () => import('./setup/Setup'),
    allowed: ({ actor }) => !actor.viewer,
    menuHidden: true,
  },
  {
    path: '/timesheet',
    load: () => import('./timesheet/Timesheet'),
    menu: { label: 'My Timesheet', icon: 'clock', group: 'Plan', tabOf: 'Time', order: 22 },
    allowed: ({ actor }) => isGranted(actor, 'time-logs', 'list'),
  },
  {
    path: '/test-case-analytics',
    load: () => import('./analytics/TestCaseAnalytics'),
    menu: { label: 'Test Case Analytics', icon: 'bar-chart', group: 'Insight', tabOf: 'Analytics', order: 30 },
    allowed: ({ actor }) => isGranted(actor, 'test-cases', 'list'),
  },
  {
    path: '/task-analytics',
    load: () => import('./analytics/TaskAnalytics'),
    menu: { label: 'Task Analytics', icon: 'pie', group: 'Insight', tabOf: 'Analytics', order: 31 },
    allowed: ({ actor }) => isGranted(actor, 'tasks', 'list'),
  },
  {
    path: '/coverage',
    load: () => import('./coverage/Coverage'),
    menu: { label: 'Coverage', icon: 'shield', group: 'Test', tabOf: 'Requirements', order: 13 },
    allowed: ({ actor }) =>
      ['requirements', 'run-entries', 'test-cases'].every((name) => isGranted(actor, name, 'list')),
  },
  {
    path: '/test-runs/create',
    load: () => import('./new-run/NewRun'),
    allowed: ({ actor }) =>
      ['test-runs', 'run-entries'].every((name) => isGranted(actor, name, 'create')) &&
      isGranted(actor, 'test-cases', 'list'),
  },
  {
    path: '/test-runs/:id/add-tests',
    load: () => import('./add-tests/AddTests'),
    allowed: ({ actor }) => isGranted(actor, 'run-entries', 'create') && isGranted(actor, 'test-cases', 'list'),
  },
  {
    path: '/test-runs/:id/overview',
    load: () => import('./run-overview/RunOverview'),
  },
  {
    path: '/test-runs/:id/compare/:other',
    load: () => import('./run-comparison/Comparison'),
    allowed: ({ actor }) => isGranted(actor, 'test-runs', 'view') && isGranted(actor, 'run-entries', 'list'),
  },
  {
    path: '/test-runs/:id/report',
    load: () => import('./run-report/RunReport'),
    allowed: ({ actor }) => isGranted(actor, 'run-entries', 'list'),
  },
  {
    path: '/milestones/:id/trend',
    load: () => import('./milestone/MilestoneTrend'),
    allowed: ({ actor }) => isGranted(actor, 'milestones', 'view') && isGranted(actor, 'run-entries', 'list'),
  },
  {
    path: '/test-runs/:id/run',
    load: () => import('./test-runner/TestRunner'),
    allowed: ({ actor }) => isGranted(actor, 'run-entries', 'list'),
    menuFolded: true,
  },
  {
    path: '/test-runs/:id/ci-results',
    load: () => import('./ci-results/CiResults'),
    allowed: ({ actor }) => isGranted(actor, 'run-entries', 'list'),
  },
  {
    path: '/ci-results',
    load: () => import('./ci-results/LatestBuild'),
    menu: { label: 'CI Results', icon: 'activity', group: 'Test', tabOf: 'Automation', key: 'a', order: 14 },
    allowed: ({ actor }) => isGranted(actor, 'test-runs', 'list') && isGranted(actor, 'run-entries', 'list'),
  },
  {
    path: '/renamed-tests',
    load: () => import('./renamed-tests/RenamedTests'),
    menu: { label: 'Renamed Tests', icon: 'refresh', group: 'Test', tabOf: 'Automation', order: 16 },
    allowed: ({ actor }) => isGranted(actor, 'match-proposals', 'list') && isGranted(actor, 'automated-tests', 'list'),
  },
  {
    path: '/test-cases/:id/run',
    load: () => import('./run-test-case/RunTestCase'),
    allowed: ({ actor }) => isGranted(actor, 'run-entries', 'edit'),
  },
  { path: '/test-case-history/:id', load: () => import('./test-case-history/TestCaseHistory') },
];

const loadTile = (name: keyof typeof import('./milestone/tiles')) => () =>
  import('./milestone/tiles').then((tiles) => ({ default: tiles[name] }));

/** Tiles of pages of records, by the names that definitions use. */
export const formTabs = {
  'project-milestone': loadTile('ProjectMilestone'),
  'milestone-standing': loadTile('MilestoneStanding'),
  'milestone-trend': loadTile('TrendTile'),
  'milestone-requirements': loadTile('RequirementsAtRisk'),
};

/** Above every screen: results of the runner that the server does not have yet. */
export const bar = WaitingResults;
