import { sql } from 'kysely';
import { formatInstant } from '../../../engine/formats/dates';
import type { TransactionScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { visibleTitleSql } from '../../sql/operands';
import type { Transaction } from '../../database/database';
import { Conflict, HttpError, Invalid, NotFound, Forbidden } from '../../errors/errors';
import { loadPermissions, grantIds } from './grants';
import { translateDatabaseErrors } from '../../records/write/row-writes';
import { parseInput } from '../../records/write/input';
import { lockRow } from '../../records/write/stored-row';
import { storeChanges } from '../../records/write/update';
import type { RoleChange } from './permission-calls';
import { listPermissions, type RolePermissions } from './list-permissions';

/**
 * `PUT permissions` `{roles: [{role_id, modulePermission, before}]}`: all of them or none. Throws Conflict, naming who
 * and when, if a role's permissions are no longer the same as `before`; Invalid for a
 * role that is listed twice.
 */
export async function savePermissions(
  context: RequestContext,
  changes: readonly RoleChange[],
): Promise<RolePermissions[]> {
  const definition = context.registry.getOrThrow('roles');
  if (new Set(changes.map(({ role_id }) => role_id)).size < changes.length) {
    throw new Invalid({ roles: 'Each role can be listed only once.' });
  }
  return translateDatabaseErrors(context, definition, () =>
    context.program.database.transaction(async (trx) => {
      // Always in the same order, so that concurrent saves cannot deadlock.
      for (const change of [...changes].sort((left, right) => left.role_id - right.role_id)) {
        await saveRole({ context, definition, trx }, change);
      }
      return listPermissions(
        context,
        trx,
        changes.map(({ role_id }) => role_id),
      );
    }),
  );
}

async function saveRole(scope: TransactionScope, change: RoleChange) {
  const { context, definition, trx } = scope;
  const storedRow = await lockRow(scope, change.role_id);
  const row = storedRow.values;
  const name = String(row.role_name);
  const { registry } = context;
  const currentGrants = grantIds(registry, await loadPermissions(trx, change.role_id));
  const expectedGrants = new Set(change.before);
  if (currentGrants.length !== expectedGrants.size || currentGrants.some((id) => !expectedGrants.has(id))) {
    const editor = await changedBy(context, row.updated_by as number | null, trx);
    const changeTime = formatInstant(row.updated_at as string, context.timeZone);
    throw new Conflict(
      `${name} was changed${editor ? ` by ${editor}` : ''} on ${changeTime} (${context.timeZone}). Nothing was saved.`,
      'CONFLICT_STALE',
    );
  }
  const input = parseInput(definition, { values: { modulePermission: change.modulePermission }, text: false });
  try {
    await storeChanges({ context, definition, trx }, change.role_id, input, storedRow);
  } catch (error) {
    throw withRoleName(name, error);
  }
}

/** Adds the role's name to an error message. */
function withRoleName(name: string, error: unknown): unknown {
  if (error instanceof Invalid) return new Invalid(error.errors, `${name}: ${error.message}`);
  if (error instanceof Forbidden) return new Forbidden(`${name}: ${error.message}`, error.code);
  return error instanceof HttpError && !(error instanceof NotFound) ? new Conflict(`${name}: ${error.message}`) : error;
}

async function changedBy(context: RequestContext, id: number | null, trx: Transaction) {
  if (id === null) return undefined;
  const { registry } = context;
  const people = registry.getOrThrow('users');
  const { rows } = await sql<{
    title: string | null;
  }>`select ${visibleTitleSql(context.actor, people, 't', registry)} as title
    from ${sql.id('public', people.table)} t where t.id = ${id}`.execute(trx);
  return rows[0]?.title;
}
