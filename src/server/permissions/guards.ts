import { hasHooks, runHooks } from '../records/hooks';
import { mustNotBeShipped } from '../records/remove';
import { holdRow } from '../records/stored-row';
import type { RequestContext } from '../access/request-context';
import type { Definition } from '../../engine/definitions/definition';
import { Conflict, Invalid, Refused } from '../errors/errors';
import type { Question } from './explanation';

/** Ends a dry run, which is rolled back. */
class Trial extends Error {}

/**
 * Why the program itself would refuse an action, apart from grants and rules: nobody edits their own role, the last
 * owner stays, and so on. Runs the hooks of the write in a transaction that is rolled back.
 */
export async function refusalOfGuards(
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
      const before = id === undefined ? undefined : (await holdRow(context, definition, id, trx)).values;
      if (action === 'delete') await mustNotBeShipped(definition, id!, trx);
      let values = before ?? {};
      for (const event of events)
        values = await runHooks(context, definition, event, { before, values, input: {}, trx });
      throw new Trial();
    });
  } catch (error) {
    // A required identity confirmation is not a matter of permission either.
    if (error instanceof Refused && error.code === 'PROOF_REQUIRED') return undefined;
    if (error instanceof Refused || error instanceof Conflict) return error.message;
    // Missing values in an empty record are not a matter of permission.
    if (!(error instanceof Trial || error instanceof Invalid)) throw error;
  }
  return undefined;
}
