import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import { accessFilter } from '../../access/access-filter';
import { onEngineTables } from '../../database/engine-tables';
import { Forbidden, NotFound } from '../../errors/errors';
import type { Program } from '../../program';
import { typedApi } from '../../routing/define-call';
import { publishRecordChange } from '../../records/write/row-writes';
import { recordSecurityEvent } from '../../security-log/security-log';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { clearAccessCache } from '../session/access-cache';
import { requestContextOf } from '../session/caller-context';
import { assertRecentProof } from '../session/identity-proof';
import { hashToken } from '../session/tokens';
import { serviceAccountCalls } from './calls';
import { richerAccountRefusal } from './hooks';
import { newServiceToken } from './service-users';

/** How much of a token is shown afterwards, to tell which one it is. */
const shownEnd = 4;

/** `POST service-accounts/{id}/token`: a new token, shown once; the former one ends. */
export function registerServiceAccounts(app: FastifyInstance, program: Program): void {
  const { database } = program;
  typedApi(app).post('/service-accounts/:id/token', serviceAccountCalls.newToken, async (request) => {
    const context = await requestContextOf(program, request);
    const { actor, registry } = context;
    const definition = registry.getOrThrow('service-accounts');
    const { id } = request.params;
    const token = newServiceToken();
    assertRecentProof(actor);
    const name = await database.transaction(async (trx) => {
      const editableRows = accessFilter(context, definition, 'edit');
      const { rows } = await sql<ResourceRecord>`select * from public.service_accounts t where t.id = ${id} and
        ${predicateToSql(editableRows, definition, 't', registry, context.evaluationContext)} for no key update`.execute(
        trx,
      );
      const [account] = rows;
      if (!account) throw new NotFound();
      const refusal = await richerAccountRefusal({ program, trx, actor }, account.role_id as number);
      if (refusal) throw new Forbidden(refusal);
      await onEngineTables(trx)
        .updateTable('service_accounts')
        .set({ hash: hashToken(token) })
        .where('service_account_id', '=', id)
        .execute();
      await sql`update public.service_accounts set token_end = ${token.slice(-shownEnd)}, last_used_at = null
        where id = ${id}`.execute(trx);
      await clearAccessCache(database, trx);
      const subject = `New token of ${String(account.name)}`;
      await recordSecurityEvent(
        program,
        {
          event: 'settings_changed',
          actor,
          site_id: account.site_id as number,
          resource: definition.name,
          record_id: id,
          subject,
        },
        trx,
      );
      publishRecordChange(program, definition, account, 'updated', trx);
      return String(account.name);
    });
    const text = 'Copy it now: it is not shown again. The former token of this account no longer works.';
    return { data: { token, title: `Token of ${name}`, text } };
  });
}
