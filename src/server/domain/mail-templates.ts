import { sql } from 'kysely';
import type { Queries } from '../database/database';
import type { MailTemplate } from '../mail/render';
import { templateFault } from '../mail/render';
import type { Hook } from '../program';

/** A template as it is stored. */
export interface StoredTemplate extends MailTemplate {
  readonly from: string | null;
  readonly cc: string | null;
  readonly bcc: string | null;
}

/** The template of an occasion: the company's own before the installation's. Throws where there is none. */
export async function templateFor(queries: Queries, identifier: string, site: number | null): Promise<StoredTemplate> {
  const { rows } = await sql<StoredTemplate>`
    select subject, content, header, footer, "from", cc, bcc from email_templates
    where lower(identifier) = ${identifier} and (site_id = ${site}::integer or site_id is null)
    order by site_id nulls last, id limit 1`.execute(queries);
  if (!rows[0]) throw new Error(`There is no email template with the identifier ${identifier}.`);
  return rows[0];
}

/** Where answers to a template's mails go, and who gets copies. */
export function addressesOf({ from, cc, bcc }: StoredTemplate) {
  const list = (text: string | null) => (text ?? '').split(/[,;]/).map((one) => one.trim()).filter(Boolean); // prettier-ignore
  return { replyTo: from ?? undefined, cc: list(cc), bcc: list(bcc) };
}

/** beforeSave: refuses a text whose placeholders cannot be read, before a mail is to be made of it. */
export const guardMailTemplate: Hook = async ({ definition, values, fail }) => {
  for (const name of ['subject', 'content', 'header', 'footer']) {
    const text = values[name];
    const fault = typeof text === 'string' ? templateFault(text) : undefined;
    if (fault) fail(name, `${definition.fields[name]!.label} has a placeholder that cannot be read: ${fault}.`);
  }
};
