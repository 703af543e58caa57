import { Level } from '../../src/engine/definitions/level';
import { formatNumber } from '../../src/engine/formats/numbers';
import type { CountName, Counts, DashboardFigures } from './figures';
import { listLinks, type DashboardUser } from './links';

export interface CountCell {
  readonly key: string;
  readonly label: string;
  /** Undefined while it loads. */
  readonly count?: string;
  readonly tone?: 'good' | 'bad';
  /** The address of the list of the counted records. */
  readonly url: string;
}

export interface CountBlock {
  /** The list that all of its cells are about. */
  readonly list: keyof typeof listLinks;
  readonly title: string;
  readonly cells: readonly CountCell[];
}

interface CellPlan {
  key: CountName;
  label: string;
  tone?: 'good' | 'bad';
  urlOf: (reader: DashboardUser) => string;
  /** A second count, shown after a slash. */
  secondKey?: CountName;
  /** The levels that see it; default: all. */
  levels?: (level: number) => boolean;
}

const isBelowAdministrator = (level: number) => level > Level.Installation;
const isBelowOwner = (level: number) => level > Level.Owner;

const blockPlans: readonly {
  list: CountBlock['list'];
  block: 'projects' | 'test_cases' | 'tasks';
  title: string;
  cells: readonly CellPlan[];
}[] = [
  {
    list: 'projects',
    block: 'projects',
    title: 'Projects',
    cells: [
      { key: 'active', label: 'Total Active', urlOf: listLinks.projects.active },
      { key: 'recently_updated', label: 'Recently Updated', urlOf: listLinks.projects.recently_updated },
      {
        key: 'upcoming_deadlines',
        label: 'Upcoming Deadlines',
        urlOf: listLinks.projects.upcoming_deadlines,
        levels: (level) => level === Level.Owner || level === Level.Manager,
      },
    ],
  },
  {
    list: 'test-cases',
    block: 'test_cases',
    title: 'Test Cases',
    cells: [
      { key: 'total', label: 'Total', urlOf: listLinks['test-cases'].total },
      { key: 'passed', label: 'Passed', tone: 'good', urlOf: listLinks['test-cases'].passed },
      { key: 'failed', label: 'Failed', tone: 'bad', urlOf: listLinks['test-cases'].failed },
      ...workCells('test-cases'),
    ],
  },
  {
    list: 'tasks',
    block: 'tasks',
    title: 'Tasks',
    cells: [
      { key: 'open', label: 'Open', urlOf: listLinks.tasks.open },
      { key: 'completed', label: 'Completed', urlOf: listLinks.tasks.completed },
      ...workCells('tasks', {
        key: 'upcoming_deadlines',
        label: 'Upcoming Deadlines',
        urlOf: listLinks.tasks.upcoming_deadlines,
      }),
    ],
  },
];

function workCells(list: 'test-cases' | 'tasks', ...extraCells: CellPlan[]): CellPlan[] {
  const links = listLinks[list];
  return [
    { key: 'recently_updated', label: 'Recently Updated', urlOf: links.recently_updated },
    ...extraCells,
    { key: 'assigned_to_me', label: 'Assigned to me', urlOf: links.assigned_to_me, levels: isBelowAdministrator },
    {
      key: 'recently_created',
      secondKey: 'recently_completed',
      label: 'Recently Created / Completed',
      urlOf: links.recently_created,
      levels: isBelowOwner,
    },
  ];
}

/**
 * The count blocks that a user sees: those of the server's response or, while it loads, those that a user of this level
 * will get, so that the layout does not shift.
 */
export function countBlocks(
  figures: DashboardFigures | undefined,
  reader: DashboardUser & { readonly level: number; readonly mayList: (list: string) => boolean },
): CountBlock[] {
  return blockPlans
    .map((plan) => ({ ...plan, counts: figures?.[plan.block] }))
    .filter(({ list, counts }) => (figures ? counts !== undefined : reader.mayList(list)))
    .map(({ list, title, cells, counts }) => ({
      list,
      title,
      cells: cells
        .filter(({ key, levels }) => (counts ? counts[key] !== undefined : (levels?.(reader.level) ?? true)))
        .map(({ key, label, tone, urlOf, secondKey }) => ({
          key,
          label,
          tone,
          url: urlOf(reader),
          count: counts && countText(counts, key, secondKey),
        })),
    }));
}

function countText(counts: Counts, key: CountName, and: CountName | undefined): string {
  const text = (name: CountName) => formatNumber(counts[name] ?? 0);
  return and === undefined ? text(key) : `${text(key)} / ${text(and)}`;
}
