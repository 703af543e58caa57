import { hasHooks, runHooks } from '../../records/write/hooks';
import { assertNotShipped } from '../../records/write/delete';
import { lockRow } from '../../records/write/stored-row';
import type { RequestContext } from '../../access/request-context';
import type { Definition } from '../../../engine/definitions/definition';
import { Conflict, Invalid, Forbidden } from '../../errors/errors';
import type { Question } from './explanation';

/** Ends a dry run, which is rolled back. */
class DryRunEnd extends Error {}

/**
 * Why the program itself would refuse an action, apart from grants and rules: nobody edits their own role, the last
 * owner stays, and so on. Runs the hooks of the write in a transaction that is rolled back.
 */
export async function guardRefusal(
  context: RequestContext,
  definition: Definition,
  { action, id }: Question,
): Promise<string | undefined> {
  const events = action === 'delete' ? (['beforeDelete'] as const) : (['beforeValidate', 'beforeSave'] as const);
  const isAsked =
    action === 'create' ? id === undefined : id !== undefined && (action === 'edit' || action === 'delete');
  if (!isAsked || (!hasHooks(definition, ...events) && !(action === 'delete' && definition.rows))) return undefined;
  try {
    await context.program.database.transaction(async (trx) => {
      const previousRow = id === undefined ? undefined : (await lockRow({ context, definition, trx }, id)).values;
      if (action === 'delete') await assertNotShipped(definition, id!, trx);
      let values = previousRow ?? {};
      for (const event of events)
        values = await runHooks({ context, definition }, event, { before: previousRow, values, input: {}, trx });
      throw new DryRunEnd();
    });
  } catch (error) {
    // A required proof of identity is not a matter of permission either.
    if (error instanceof Forbidden && error.code === 'PROOF_REQUIRED') return undefined;
    if (error instanceof Forbidden || error instanceof Conflict) return error.message;
    // Missing values in an empty record are not a matter of permission.
    if (!(error instanceof DryRunEnd || error instanceof Invalid)) throw error;
  }
  return undefined;
}
