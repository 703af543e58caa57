import { shareLinkOf } from '../../engine/definitions/check-shares';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { assertGranted } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import { assertOwned } from '../access/company-scope';
import { NotFound } from '../errors/errors';
import { createToken } from './input';
import { publishRecordChange, updateRow } from './row-writes';
import { recordSecurityEvent } from '../security-log/security-log';
import { readAfterWrite } from './read';
import { assertFieldsAllowed, lockRow, assertNotArchived } from './stored-row';

/**
 * `POST r/{id}/share` gives the record a new share link, `DELETE r/{id}/share` removes it; both return the record. The
 * old link stops working. Throws Refused, NotFound, or Conflict for an archived record.
 */
export async function updateShareLink(
  context: RequestContext,
  definition: Definition,
  id: number,
  shared: boolean,
): Promise<ResourceRecord> {
  const field = shareLinkOf(definition);
  if (!field) throw new NotFound();
  assertGranted(context, definition, 'edit');
  const { database } = context.program;
  return database.transaction(async (trx) => {
    const row = await lockRow(context, definition, id, trx);
    assertOwned(context.actor, definition, row.values, 'edit');
    assertFieldsAllowed(definition, 'edit', row.matchingRules(), [field.name]);
    assertNotArchived(definition, row);
    const values = { ...row.values, [field.name]: shared ? createToken() : null };
    await updateRow(definition, id, values, new Set([field.name]), trx);
    const event = shared ? 'share_link_created' : 'share_link_removed';
    const subject = (values[definition.titleField] as string | null | undefined) ?? null;
    const about = { resource: definition.name, record_id: id, subject, site_id: values.site_id as number | null };
    await recordSecurityEvent(context.program, { event, actor: context.actor, ...about }, trx);
    publishRecordChange(context.program, definition, values, 'updated', trx);
    return readAfterWrite(context, definition, id, trx);
  });
}
