import { shareLinkOf } from '../../engine/definitions/check-shares';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { mustBeGranted } from '../access/reach';
import type { RequestContext } from '../access/request-context';
import { mustOwn } from '../access/scope';
import { NotFound } from '../errors/errors';
import { newToken } from './derived';
import { publish } from './publish';
import { recordSecurityEvent } from '../security-log/security-log';
import { answerOf } from './read';
import { mustCover } from './rules';
import { updateRow } from './store';
import { holdRow, mustBePresent } from './stored-row';

/**
 * `POST r/{id}/share` gives the record a new share link, `DELETE r/{id}/share` removes it; both return the record. The
 * old link stops working. Throws Refused, NotFound, or Conflict for an archived record.
 */
export async function shareRecord(
  context: RequestContext,
  definition: Definition,
  id: number,
  shared: boolean,
): Promise<ResourceRecord> {
  const field = shareLinkOf(definition);
  if (!field) throw new NotFound();
  mustBeGranted(context, definition, 'edit');
  const { database } = context.program;
  return database.transaction(async (trx) => {
    const row = await holdRow(context, definition, id, trx);
    mustOwn(context.actor, definition, row.values, 'edit');
    mustCover(definition, 'edit', row.rules(), [field.name]);
    mustBePresent(definition, row);
    const values = { ...row.values, [field.name]: shared ? newToken() : null };
    await updateRow(definition, id, values, new Set([field.name]), trx);
    const event = shared ? 'share_link_created' : 'share_link_removed';
    const subject = (values[definition.titleField] as string | null | undefined) ?? null;
    const about = { resource: definition.name, record_id: id, subject, site_id: values.site_id as number | null };
    await recordSecurityEvent(context.program, { event, actor: context.actor, ...about }, trx);
    publish(context.program, definition, values, 'updated', trx);
    return answerOf(context, definition, id, trx);
  });
}
