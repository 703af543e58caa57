import { Level } from '../../../engine/definitions/level';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import { Conflict, NotFound } from '../../errors/errors';
import { requestContextOf } from '../session/caller-context';
import { defineCall, outcome, typedApi, userBody } from '../../routing/define-call';
import type { Program } from '../../program';
import { publishRecordChange } from '../../records/write/row-writes';
import { recordSecurityEvent } from '../../security-log/security-log';
import { clearAccessCache } from '../session/access-cache';
import { assertRecentProof } from '../session/identity-proof';
import { serviceDomain } from '../service-accounts/service-users';
import { erasableCompany, erasureRefusal } from './deleted-users';
import { erasePerson, formerName } from './erase';
import { companyOf } from '../../../engine/definitions/accessors';

const call = defineCall({
  id: 'erase-person',
  scope: 'level',
  tag: 'Users',
  summary:
    'Replace the name of a deleted user wherever it is shown and remove their personal data; this cannot be undone',
  shownTo: (actor) => actor.level <= Level.Owner,
  refusal: erasureRefusal,
  body: userBody,
  answer: outcome,
});

/**
 * `POST erase-person` `{user_id}`, for administrators, and for owners in their own company: erases a deleted user. The
 * security log is immutable and keeps its entries until they expire.
 */
export function registerErasePerson(app: FastifyInstance, program: Program): void {
  const { database } = program;
  typedApi(app).post('/erase-person', call, async (request) => {
    const context = await requestContextOf(program, request);
    const { actor } = context;
    const definition = context.registry.getOrThrow('users');
    const company = erasableCompany(context);
    const { user_id: id } = request.body;
    assertRecentProof(actor);
    await database.transaction(async (trx) => {
      const { rows } = await sql<ResourceRecord>`select * from users
        where id = ${id} and (${company}::bigint is null or site_id = ${company}) for update`.execute(trx);
      const [user] = rows;
      if (!user || String(user.email).endsWith(`@${serviceDomain}`)) throw new NotFound();
      if (user.deleted_at === null)
        throw new Conflict('This user is not deleted. Delete the user first: erasing cannot be undone.');
      const erased = await erasePerson(program, trx, definition, user);
      await clearAccessCache(database, trx);
      await recordSecurityEvent(
        program,
        {
          event: 'user_erased',
          actor,
          site_id: companyOf(user),
          resource: 'users',
          record_id: id,
          subject: formerName(id),
        },
        trx,
      );
      publishRecordChange(program, definition, erased, 'updated', trx);
    });
    return {
      status: true,
      message: `The personal data of this user was permanently erased. The user is now shown as ${formerName(id)}. Entries in the security log stay unchanged until they expire.`,
    };
  });
}
