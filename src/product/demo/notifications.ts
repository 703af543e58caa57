import { formatDate } from '../../engine/formats/dates';
import type { DemoCompany } from './people';
import type { DemoProject } from './projects';
import type { DemoLoader, StoredProject } from './loader';
import { sql } from 'kysely';
import { onEngineTables } from '../../server/database/engine-tables';
import { getOrThrow } from '../../engine/values/lookups';
import { noCompany } from '../../server/sql/company-key';

interface DemoNotification {
  readonly user_id: number;
  readonly title: string;
  readonly content: string;
  readonly link: string | null;
  readonly created_at: string;
  readonly read_at: string | null;
}

/** Stores recent notifications for every user of a company, with the newest ones unread. */
export async function storeNotifications(
  { trx, calendar, chance }: DemoLoader,
  company: DemoCompany,
  projects: readonly StoredProject[],
): Promise<void> {
  const demoNotifications = Object.entries(company.people).flatMap(([name, user_id]): DemoNotification[] => {
    const ownProjects = projects.filter(({ told: project }) => project.members.includes(name));
    const subjects = ownProjects.length > 0 ? ownProjects : projects;
    const welcome = {
      title: 'Welcome to Assay',
      content: 'Your clients and projects are in the menu on the left. Press Ctrl+K to jump anywhere.',
      link: null,
      ago: 9,
    };
    const notices = chance.some(subjects, 5).map(({ id, told: project }, index, availableProjects) => ({
      ...projectNotification(project, ownProjects.length > 0, calendar.day),
      link: `/projects/${id}`,
      ago: 2 * (availableProjects.length - 1 - index),
    }));
    return [welcome, ...notices].map(({ ago, ...notice }) => {
      const created_at = calendar.at(-ago, chance.whole(7, 15), chance.whole(0, 59));
      return { ...notice, user_id, created_at, read_at: ago > 2 ? created_at : null };
    });
  });
  // The installation's administrator is among the people, but of no company.
  const { rows: people } = await sql<{
    id: number;
    site_id: number;
  }>`select id, coalesce(site_id, ${noCompany}) as site_id
    from public.users where id = any(${Object.values(company.people)}::bigint[])`.execute(trx);
  const companies = new Map(people.map(({ id, site_id }) => [id, site_id]));
  await onEngineTables(trx)
    .insertInto('notifications')
    .values(demoNotifications.map((notice) => ({ ...notice, site_id: getOrThrow(companies, notice.user_id) })))
    .execute();
}

function projectNotification(project: DemoProject, isMember: boolean, day: (offset: number) => string) {
  const { name, start, end, status } = project;
  const date = (offset: number) => formatDate(day(offset));
  if (status === 1) return { title: `${name} starts soon`, content: `The project begins on ${date(start)}.` };
  if (status === 4) return { title: `${name} was cancelled`, content: `Work stopped on ${date(end ?? -1)}.` };
  if (status === 3) return { title: `${name} is completed`, content: `The project ended on ${date(end ?? -1)}.` };
  if (end !== null && end <= 7) return { title: `${name} ends on ${date(end)}`, content: 'The deadline is this week.' };
  if (!isMember) return { title: `${name} is in progress`, content: `Work began on ${date(start)}.` };
  return { title: `You are on ${name}`, content: 'You were added to the team of this project.' };
}
