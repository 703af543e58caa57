import type { Transaction } from '../../database/database';

/** The occasions on which somebody is told something: the identifiers of templates. */
export type Occasion =
  'task_assigned' | 'test_case_assigned' | 'comment_added' | 'ticket_answered' | 'task_deadline' | 'announcement';

/** A message before its placeholders are filled. */
export interface Template {
  readonly subject: string;
  readonly content: string;
}

/** The template of an occasion: a company's own before the installation's. Undefined where there is none. */
export async function templateFor(
  trx: Transaction,
  occasion: Occasion,
  company: number | null,
): Promise<Template | undefined> {
  return trx
    .selectFrom('notification_templates')
    .select(['subject', 'content'])
    .where('identifier', '=', occasion)
    .where((where) => where.or([where('site_id', 'is', null), where('site_id', '=', company)]))
    .orderBy('site_id', (order) => order.asc().nullsLast())
    .orderBy('id')
    .limit(1)
    .executeTakeFirst() as Promise<Template | undefined>;
}

/** Replaces `{{name}}` by its value. What has no value leaves nothing, and a value is never looked at for placeholders. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => (Object.hasOwn(values, name) ? values[name]! : ''));
}
