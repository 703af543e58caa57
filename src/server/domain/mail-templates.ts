import { sql } from 'kysely';
import type { Queries } from '../database/database';
import type { MailTemplate } from '../mail/render';
import { templateFault } from '../mail/render';
import type { Hook } from '../program';
import { confirmedAmong } from './confirmed-addresses';
import { occasions, ownOccasions } from './mail-occasions';

/** A template as it is stored. */
export interface StoredTemplate extends MailTemplate {
  readonly from: string | null;
  readonly cc: string | null;
  readonly bcc: string | null;
}

/** The template of an occasion: that of a company, where one is named and has its own, else the installation's. Throws where there is none. */
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
  return { replyTo: from ?? undefined, cc: listOf(cc), bcc: listOf(bcc) };
}

function listOf(text: string | null | undefined): string[] {
  return (text ?? '')
    .split(/[,;]/)
    .map((one) => one.trim())
    .filter(Boolean);
}

/**
 * beforeSave: refuses a text whose placeholders cannot be read, before a mail is to be made of it. Companies write for
 * mails within the company alone, with copies to people of theirs who have confirmed their address.
 */
export const guardMailTemplate: Hook = async ({ trx, definition, before, values, fail }) => {
  for (const name of ['subject', 'content', 'header', 'footer']) {
    const text = values[name];
    const fault = typeof text === 'string' ? templateFault(text) : undefined;
    if (fault) fail(name, `${definition.fields[name]!.label} has a placeholder that cannot be read: ${fault}.`);
  }
  const site = (values.site_id ?? null) as number | null;
  if (site === null) return;
  const identifier = String(values.identifier).toLowerCase();
  if (identifier in occasions && !ownOccasions.includes(identifier)) {
    fail(
      'identifier',
      `Mails on ${identifier} also reach people outside your company, so their text is that of the installation. Texts of your own are for ${ownOccasions.join(' and ')}.`,
    );
  }
  for (const name of ['cc', 'bcc'] as const) {
    if (values[name] === before?.[name]) continue;
    const asked = listOf(values[name] as string | null);
    const known = await confirmedAmong(trx, asked, site);
    const unknown = asked.find((address) => !known.has(address.toLowerCase()));
    if (unknown)
      fail(
        name,
        `Copies go to active people of your company who have confirmed their address; ${unknown} is none of them.`,
      );
  }
};
