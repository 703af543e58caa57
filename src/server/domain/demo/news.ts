import type { DemoCompany } from './people';
import type { Loading, StoredProject } from './work';

interface News {
  readonly user_id: number;
  readonly title: string;
  readonly content: string;
  readonly link: string | null;
  readonly created_at: string;
  readonly read_at: string | null;
}

/** Stores notifications of the last days for everybody of a company, the newest of them unread. */
export async function storeNews(
  { trx, calendar, chance }: Loading,
  company: DemoCompany,
  projects: readonly StoredProject[],
): Promise<void> {
  const news = Object.entries(company.people).flatMap(([name, user_id]): News[] => {
    const own = projects.filter(({ told }) => told.members.includes(name));
    const about = own.length > 0 ? own : projects;
    const welcome = {
      title: 'Welcome to Assay',
      content: 'Your clients and projects are in the menu on the left. Press Ctrl+K to jump anywhere.',
      link: null,
      ago: 9,
    };
    const told = chance.some(about, 5).map(({ id, told: project }, index) => ({
      ...tell(project.name, project.start, project.end, calendar.day),
      link: `/projects/${id}`,
      ago: 7 - index * 2,
    }));
    return [welcome, ...told].map(({ ago, ...one }) => {
      const created_at = calendar.at(-Math.max(ago, 0), chance.whole(7, 15), chance.whole(0, 59));
      return { ...one, user_id, created_at, read_at: ago > 2 ? created_at : null };
    });
  });
  await trx.withSchema('assay').insertInto('notifications').values(news).execute();
}

function tell(name: string, start: number, end: number | null, day: (offset: number) => string) {
  if (start > 0) return { title: `${name} starts soon`, content: `The project begins on ${day(start)}.` };
  if (end !== null && end < 0) return { title: `${name} is finished`, content: `It ended on ${day(end)}.` };
  if (end !== null && end <= 7)
    return { title: `${name} is due on ${day(end)}`, content: 'The deadline is this week.' };
  return { title: `You are on ${name}`, content: 'You were added to the team of this project.' };
}
