import { internalResources } from '../../../engine/comments/internal-comments';
import { sql } from 'kysely';
import type { Actor } from '../../../engine/access/actor';
import { formatInstant } from '../../../engine/formats/dates';
import { formatNumber } from '../../../engine/formats/numbers';
import { writeFor, type Reader } from '../../../engine/formats/personal';
import { openedLink } from '../../../engine/lists/row-actions';
import { RequestContext } from '../../access/request-context';
import type { Queries } from '../../database/database';
import { appLink } from '../../mail/app-link';
import type { MailValues } from '../../mail/render';
import type { Program } from '../../program';
import { loadReaders } from '../profile/readers-formats';
import { createActor, findAccountById } from '../users/accounts';
import { isStillSaid, recordOf, visibleTitles } from './noticed-records';
import { firstOf } from '../../../engine/values/lookups';

/** The screen where the choice is changed. */
export const noticeChoicesPath = '/profile/notifications';

/** The most notifications that a digest shows; it says how many more there are. */
const maxShown = 100;
/** The most characters of a notification's text in a digest. */
const maxExcerpt = 240;

interface NoticeRow {
  readonly id: number;
  readonly title: string;
  readonly content: string | null;
  readonly link: string | null;
  readonly created_at: string;
}

/** Notifications by their subject: a record, or a subject without a page of its own. */
interface NoticeGroup {
  /** Undefined: no record. */
  readonly title?: string;
  readonly link: string | null;
  readonly notices: NoticeRow[];
}

/** The address of a path within the application. */
type LinkTo = (path: string) => string;

/**
 * The values of a mail about these notifications of a user, newest first, grouped by record: only what is still unread,
 * about records that they may still view. Null if nothing is left.
 */
export async function noticeMailValues(
  program: Program,
  user: number,
  ids: readonly number[],
): Promise<MailValues | null> {
  const linkTo: LinkTo = (path) => appLink(program, openedLink(path, program.definitions.registry()));
  const queries = program.database.kysely;
  const account = await findAccountById(queries, user);
  if (!account?.canSignIn) return null;
  const person = await createActor(queries, account);
  const groups = await visibleGroups(program, queries, person, await unreadNotices(program, queries, person, ids));
  const noticeCount = groups.reduce((sum, { notices }) => sum + notices.length, 0);
  if (noticeCount === 0) return null;
  const reader = (await loadReaders(queries, [user]))(user);
  return writeFor(reader, () => ({
    ...firstNotice(groups, linkTo),
    groups: shownGroups(groups).map((group) => groupValues(group, reader, linkTo)),
    count: noticeCount === 1 ? '1 unread notification' : `${formatNumber(noticeCount)} unread notifications`,
    more: noticeCount > maxShown ? formatNumber(noticeCount - maxShown) : '',
    notifications: linkTo('/notifications'),
    settings: linkTo(noticeChoicesPath),
  }));
}

async function unreadNotices(
  program: Program,
  queries: Queries,
  person: Actor,
  ids: readonly number[],
): Promise<NoticeRow[]> {
  const internal = internalResources(person, program.definitions.registry());
  const { rows } = await sql<NoticeRow>`select n.id, n.title, n.content, n.link, n.created_at
    from assay.notifications n where n.user_id = ${person.id} and n.id = any(${[...ids]}::bigint[]) and n.read_at is null
      and ${isStillSaid(internal)} order by n.created_at desc, n.id desc`.execute(queries);
  return rows;
}

/** By record, in the order of the newest notification of each; of records that the person may view now. */
async function visibleGroups(
  program: Program,
  queries: Queries,
  person: Actor,
  notices: readonly NoticeRow[],
): Promise<NoticeGroup[]> {
  const titles = await visibleTitles(new RequestContext(program, person), queries, notices);
  const groups = new Map<string, NoticeGroup>();
  for (const notice of notices) {
    const recordLink = recordOf(notice.link) && notice.link;
    const title = recordLink ? titles.get(recordLink) : undefined;
    if (recordLink && title === undefined) continue;
    const key = recordLink ?? `notice ${notice.id}`;
    const group = groups.get(key) ?? { title, link: notice.link, notices: [] };
    group.notices.push(notice);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The values of a mail about one notification. */
function firstNotice(groups: readonly NoticeGroup[], linkTo: LinkTo): MailValues {
  const { notices, link } = firstOf(groups);
  const { title, content } = firstOf(notices);
  const lines = (content ?? title).split('\n').map((line) => line.trim());
  return { title, lines: lines.filter((line) => line !== ''), link: linkTo(link ?? '/notifications') };
}

/** The groups with the newest notifications, as many as are shown. */
function shownGroups(groups: readonly NoticeGroup[]): NoticeGroup[] {
  let left = maxShown;
  return groups.flatMap((group) => {
    const notices = group.notices.slice(0, left);
    left -= notices.length;
    return notices.length > 0 ? [{ ...group, notices }] : [];
  });
}

function groupValues({ title, link, notices }: NoticeGroup, { timeZone }: Reader, linkTo: LinkTo): MailValues {
  return {
    title: title ?? firstOf(notices).title,
    link: linkTo(link ?? '/notifications'),
    notices: notices.map((notice) => ({
      title: notice.title,
      text: excerpt(notice.content ?? ''),
      date: formatInstant(new Date(notice.created_at).toISOString(), timeZone),
    })),
  };
}

function excerpt(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ').trim()];
  return letters.length > maxExcerpt ? `${letters.slice(0, maxExcerpt - 1).join('')}…` : letters.join('');
}
