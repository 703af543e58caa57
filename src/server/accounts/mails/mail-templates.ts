import { sql } from 'kysely';
import type { Queries } from '../../database/database';
import type { MailTemplate } from '../../mail/render';
import { templateProblem } from '../../mail/render';
import type { Hook } from '../../program';
import { filterConfirmedAddresses } from '../users/confirmed-addresses';
import { mailOccasions, companyMailOccasions } from './mail-occasions';
import { fieldOf, companyOf } from '../../../engine/definitions/accessors';

/** A template as it is stored. */
export interface StoredMailTemplate extends MailTemplate {
  readonly from: string | null;
  readonly cc: string | null;
  readonly bcc: string | null;
}

/**
 * The template of an occasion: the company's own, if one is given and has one, otherwise the installation's. Throws if
 * there is none.
 */
export async function findMailTemplate(
  queries: Queries,
  identifier: string,
  site: number | null,
): Promise<StoredMailTemplate> {
  const { rows } = await sql<StoredMailTemplate>`
    select subject, content, header, footer, "from", cc, bcc from email_templates
    where lower(identifier) = ${identifier} and (site_id = ${site}::bigint or site_id is null)
    order by site_id nulls last, id limit 1`.execute(queries);
  if (!rows[0]) throw new Error(`There is no email template with the identifier ${identifier}.`);
  return rows[0];
}

/** The reply address and the copies of a template's mails. */
export function templateAddresses({ from: sender, cc, bcc }: StoredMailTemplate) {
  return { replyTo: sender ?? undefined, cc: splitAddresses(cc), bcc: splitAddresses(bcc) };
}

function splitAddresses(text: string | null | undefined): string[] {
  return (text ?? '')
    .split(/[,;]/)
    .map((address) => address.trim())
    .filter(Boolean);
}

/**
 * beforeSave: refuses a text with invalid placeholders. Companies can change only mails within the company, with copies
 * to users with a confirmed address.
 */
export const guardMailTemplate: Hook = async ({ program, trx, definition, previousRow, values, fail }) => {
  for (const name of ['subject', 'content', 'header', 'footer']) {
    const text = values[name];
    const fault = typeof text === 'string' ? templateProblem(text) : undefined;
    if (fault) fail(name, `${fieldOf(definition, name).label} has an invalid placeholder: ${fault}.`);
  }
  const site = companyOf(values);
  if (site === null) return;
  const identifier = String(values.identifier).toLowerCase();
  const companyOccasions = companyMailOccasions(program.product);
  if (mailOccasions(program.product).has(identifier) && !companyOccasions.includes(identifier)) {
    fail(
      'identifier',
      `Mails for ${identifier} also go to people outside your company, so only the installation can change their text. Your company can change ${companyOccasions.join(' and ')}.`,
    );
  }
  for (const name of ['cc', 'bcc'] as const) {
    if (values[name] === previousRow?.[name]) continue;
    const addresses = splitAddresses(values[name] as string | null);
    const confirmedAddresses = await filterConfirmedAddresses(trx, addresses, site);
    const unknown = addresses.find((address) => !confirmedAddresses.has(address.toLowerCase()));
    if (unknown)
      fail(
        name,
        `Copies can go only to active users of your company with a confirmed address; ${unknown} is not one of them.`,
      );
  }
};
