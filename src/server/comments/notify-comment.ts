import { sql } from 'kysely';
import type { Actor } from '../../engine/access/actor';
import { readsInternal } from '../../engine/comments/internal-comments';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { markupToText } from '../../engine/formats/markup-to-text';
import type { TransactionScope } from '../access/record-scope';
import { sendNotifications } from '../notifications/send-notifications';
import { titleSql } from '../sql/operands';
import { mayReadTitle } from '../records/choices/choices';
import { loadColleagues, mayViewSql } from './readers';
import { watchersSql, watchesOf } from './watches';
import { idOf, companyOf } from '../../engine/definitions/accessors';
import { firstOf } from '../../engine/values/lookups';

/** A comment whose readers are told. */
export interface SaidComment {
  readonly id: number;
  readonly text: string;
  /** Ids of those who are mentioned for the first time. */
  readonly mentioned: readonly number[];
  readonly files: readonly { readonly name: string }[];
  readonly internal: boolean;
}

/** The most people who are told of one comment. */
const maxTold = 1_000;

/**
 * Notifies those who are mentioned, and with `watchers` those who watch the record: nobody twice, never who wrote it or
 * who muted the record, and only who may view it when the notification is stored; of an internal comment only those who
 * read such comments.
 */
export async function notifyOfComment(
  { context, definition, trx }: TransactionScope,
  row: ResourceRecord,
  comment: SaidComment,
  { watchers }: { watchers: boolean },
): Promise<void> {
  const { program, actor, registry } = context;
  const id = idOf(row);
  const isMuted = sql`exists (select from ${watchesOf(definition, row)} and w.user_id = u.id and w.state = 'muted')`;
  const mentionedCondition = sql`(u.id = any(${comment.mentioned}::bigint[]) and not ${isMuted})`;
  const notifiedCondition = watchers
    ? sql`(${mentionedCondition} or u.id in (${watchersSql(definition, row)}))`
    : mentionedCondition;
  const company = companyOf(row);
  const recipients = await loadColleagues(trx, company, sql`${notifiedCondition} and u.id <> ${actor.id}`, {
    limit: maxTold,
    administrators: true,
  });
  const people = comment.internal ? recipients.filter((person) => readsInternal(person, definition)) : recipients;
  if (people.length === 0) return;
  const titleRow = await sql<{ title: string | null }>`select ${titleSql(definition, 't', registry)} as title
    from ${sql.id('public', definition.table)} t where t.id = ${id}`.execute(trx);
  const wasMentioned = new Set(comment.mentioned);
  const groups = new Map<string, Actor[]>();
  for (const person of people) {
    const key = `${wasMentioned.has(person.id)} ${mayReadTitle(person, definition)}`;
    groups.set(key, [...(groups.get(key) ?? []), person]);
  }
  const untitled = `${definition.labels.one} #${id}`;
  await sendNotifications(
    program,
    trx,
    ...[...groups.values()].map((group) => ({
      occasion: wasMentioned.has(firstOf(group).id) ? 'record_mentioned' : 'record_commented',
      company,
      recipients: group.map((person) => person.id),
      isVisible: mayViewSql(program, definition, id, group, sql`u.id`),
      link: `/${definition.name}/${id}`,
      actor: actor.id,
      comment: comment.id,
      values: {
        title: mayReadTitle(firstOf(group), definition) ? titleRow.rows[0]?.title || untitled : untitled,
        text: markupToText(comment.text) || comment.files.map(({ name }) => name).join(', '),
      },
    })),
  );
}
