import { sql, type RawBuilder } from 'kysely';
import { runStatement, type Transaction } from '../database/database';
import { formatDate } from '../../engine/formats/dates';
import { writeFor, type Reader } from '../../engine/formats/personal';
import { loadReaders } from '../accounts/profile/readers-formats';
import { notify, type NewNotification } from './notify';
import type { Program } from '../program';
import { bind, fixedStatement, Placeholder } from '../records/read/statement-cache';
import { isActiveRecipient } from './recipients';
import { fillPlaceholders } from './template';
import { itemAt } from '../../engine/values/lookups';

/** An event, and its recipients. */
export interface NotificationEvent extends Pick<NewNotification, 'changes' | 'comment' | 'replacedNotice'> {
  /** The identifier of its templates. */
  readonly occasion: string;
  /** Of the record: its templates come first. */
  readonly company: number | null;
  /** Ids of users; those who cannot be notified are left out. */
  readonly recipients: readonly (number | null | undefined)[];
  /** The id of the record that decides who may be notified: see `canBeNotified` of the product. */
  readonly audience?: number;
  /** Whether a recipient `u` may see what it is about, evaluated when the notifications are stored. */
  readonly isVisible?: RawBuilder<boolean>;
  /** The path of the screen that it is about. */
  readonly link: string | null;
  /** Who did it: `{{actor}}`. */
  readonly actor?: number;
  /** The values of placeholders, besides the actor and the recipient's; a day as each recipient reads it. */
  readonly values: Readonly<Record<string, string | { readonly day: string }>>;
}

interface NotificationRow {
  readonly telling: number;
  readonly id: number;
  readonly first_name: string;
  readonly site_name: string | null;
  readonly actor: string;
  readonly subject: string | null;
  readonly content: string | null;
}

/**
 * Notifies users of events, using a template: the company's own, otherwise the installation's. Two statements for any
 * number of events. Returns the ids of all possible recipients; without a template nothing is sent.
 *
 * @example await sendNotifications(program, trx, { occasion: 'task_assigned', company: 1, to: [7], link: '/tasks/3' });
 */
export async function sendNotifications(
  program: Program,
  trx: Transaction,
  ...tellings: readonly NotificationEvent[]
): Promise<number[]> {
  const recipientRows = tellings.flatMap(
    ({ occasion: templateName, company, recipients, audience, actor }, eventIndex) =>
      [...new Set(recipients)].flatMap((user) =>
        typeof user === 'number'
          ? [
              {
                telling: eventIndex,
                user,
                occasion: templateName,
                company,
                audience: audience ?? null,
                actor: actor ?? null,
              },
            ]
          : [],
      ),
  );
  if (recipientRows.length === 0) return [];
  const visible = tellings.flatMap(({ isVisible }, eventIndex) =>
    isVisible ? [sql` and (w.telling <> ${sql.lit(eventIndex)} or ${isVisible})`] : [],
  );
  const build = () => recipientsSql(program, visible);
  const plan = visible.length === 0 ? fixedStatement(program.product, 'recipients', trx, build) : build().compile(trx);
  const rows = await runStatement<NotificationRow>(trx, bind(plan, { wanted: JSON.stringify(recipientRows) }));
  const readers = await loadReaders(
    trx,
    rows.flatMap(({ id, telling: eventIndex }) => (hasDays(itemAt(tellings, eventIndex)) ? [id] : [])),
  );
  const messages = rows.flatMap((recipientRow): NewNotification[] => {
    const {
      link,
      values,
      occasion: templateName,
      changes,
      comment,
      replacedNotice,
    } = itemAt(tellings, recipientRow.telling);
    if (recipientRow.subject === null || recipientRow.content === null) return [];
    const placeholderValues = {
      name: recipientRow.first_name,
      company: recipientRow.site_name ?? '',
      actor: recipientRow.actor,
      ...textsFor(readers(recipientRow.id), values),
    };
    return [
      {
        user_id: recipientRow.id,
        title: fillPlaceholders(recipientRow.subject, placeholderValues),
        content: fillPlaceholders(recipientRow.content, placeholderValues),
        link,
        occasion: templateName,
        changes,
        comment,
        replacedNotice,
      },
    ];
  });
  await notify(program, trx, messages);
  return rows.map(({ id }) => id);
}

/** The recipients of events with the texts of their templates. The placeholder is `wanted`, these as JSON. */
function recipientsSql({ product }: Program, visible: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`
    select w.telling, u.id, u.first_name, s.name as site_name, template.subject, template.content,
      concat_ws(' ', nullif(a.first_name, ''), nullif(a.last_name, '')) as actor
    from json_to_recordset(${new Placeholder('wanted')}::json)
        as w (telling integer, "user" bigint, occasion text, company bigint, audience bigint, actor bigint)
      join public.users u on u.id = w."user"
      join public.roles r on r.id = u.role_id
      left join public.sites s on s.id = u.site_id
      left join public.users a on a.id = w.actor
      left join lateral (
        select t.subject, t.content from public.notification_templates t
        where t.identifier = w.occasion and (t.site_id is null or t.site_id = w.company)
        order by t.site_id nulls last, t.id limit 1) template on true
    where ${isActiveRecipient()} and ${product.canBeNotified?.(sql`w.audience`) ?? sql`true`}${sql.join(visible, sql``)}
    order by w.telling, u.id`;
}

function hasDays({ values }: NotificationEvent): boolean {
  return Object.values(values).some((value) => typeof value !== 'string');
}

function textsFor(reader: Reader, values: NotificationEvent['values']): Record<string, string> {
  const textOf = (value: NotificationEvent['values'][string]) =>
    typeof value === 'string' ? value : writeFor(reader, () => formatDate(value.day));
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(value)]));
}
