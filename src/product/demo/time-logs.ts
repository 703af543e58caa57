import type { ResourceRecord } from '../../engine/definitions/definition';
import { insertRows, nextIds } from '../../server/accounts/insert-rows';
import { stamps, type DemoCompany } from './people';
import { timeLogComments } from './comments';
import type { StoredTask } from './tasks';
import type { DemoLoader } from './loader';
import { itemAt, propertyOf } from '../../engine/values/lookups';

/** The number of time logs per user, by the part of the address before the `@`. */
const timeLogCounts: Readonly<Record<string, number>> = { qa: 270, developer: 230, manager: 100 };
const harbourCounts: Readonly<Record<string, number>> = { owner: 6 };

/** The working days that they are spread over: three months. */
const workdays = 64;

/** The start of a block of work and its maximum length, in minutes. */
const workBlocks = [
  [480, 90],
  [585, 105],
  [750, 105],
  [870, 90],
  [970, 70],
  [1045, 45],
] as const;

/** Stores the time that people spent on tasks, up to today. Three stretches overlap with the one before. */
export async function storeTimeLogs(
  loading: DemoLoader,
  company: DemoCompany,
  tasks: readonly StoredTask[],
): Promise<void> {
  const { trx, registry } = loading;
  const definition = registry.getOrThrow('time-logs');
  const logs = Object.entries(company.people.manager === undefined ? harbourCounts : timeLogCounts).flatMap(
    ([name, count]) =>
      Array.from({ length: count }, (_, index) => buildTimeLog(loading, company, tasks, name, index, count)),
  );
  logs.sort((left, right) => right.back - left.back || left.place - right.place);
  const ids = await nextIds(trx, definition, logs.length);
  await insertRows(
    trx,
    definition,
    logs.map(({ row }, index) => ({ id: ids[index], ...row })),
  );
}

function buildTimeLog(
  { calendar, chance }: DemoLoader,
  company: DemoCompany,
  tasks: readonly StoredTask[],
  name: string,
  index: number,
  count: number,
): { back: number; place: number; row: ResourceRecord } {
  const user = propertyOf(company.people, name);
  const back = Math.floor((index * workdays) / count);
  const position = index - Math.ceil((back * count) / workdays);
  const day = calendar.workday(back);
  // Chosen by about how long ago it was, so that the choice does not depend on the weekday of the loading.
  const dayOffset = -Math.round((back * 7) / 5);
  const ownTasks = tasks.filter(({ assignee, start }) => assignee === user && start <= dayOffset);
  const task = chance.one(
    ownTasks.length > 0 ? ownTasks : tasks.filter(({ project }) => project.told.members.includes(name)),
  );
  const [begin, longest] = itemAt(workBlocks, position % workBlocks.length);
  const minutes = 15 * chance.whole(2, Math.floor(longest / 15));
  const overlaps = name === 'developer' && position === 1 && back % 20 === 7;
  const start = overlaps ? workBlocks[0][0] + 15 : begin;
  const time = calendar.at(day, 17, 5 + position);
  const row = {
    task_id: task.id,
    user_id: user,
    date: calendar.day(day),
    start: formatMinutes(start),
    end: formatMinutes(begin + minutes),
    comments: chance.whole(1, 5) === 1 ? null : chance.one(propertyOf(timeLogComments, name)),
    is_outsource: chance.whole(1, 3) === 1,
    site_id: company.site,
    ...stamps(time, user),
  };
  return { back, place: position, row };
}

function formatMinutes(minutes: number): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
