import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { requestContextOf } from '../accounts/session/caller-context';
import { accessOf } from '../accounts/session/authenticate';
import { NotFound } from '../errors/errors';
import type { Program } from '../program';
import { typedApi } from '../routing/define-call';
import { secretBoxOf } from '../secrets/secret-box';
import { recordSecurityEvent } from '../security-log/security-log';
import { automationCalls } from './calls';
import { replayDelivery, secretPlace } from './webhooks/deliver';
import { newWebhookSecret } from './webhooks/signature';
import { onEngineTables } from '../database/engine-tables';

/** Secrets of webhooks, replays of their deliveries, and automations tried out. */
export function registerAutomation(app: FastifyInstance, program: Program): void {
  const api = typedApi(app);
  const { database, settings } = program;

  api.post('/webhooks/:id/secret', automationCalls.newSecret, async (request) => {
    const { actor } = await accessOf(program, request);
    const { id } = request.params;
    const secret = newWebhookSecret();
    const box = await secretBoxOf(settings);
    await database.transaction(async (trx) => {
      const { rows } = await sql<{
        name: string;
      }>`select name from public.webhooks where id = ${id} for key share`.execute(trx);
      if (!rows[0]) throw new NotFound();
      const encryptedSecret = box.encrypt(secret, secretPlace(id));
      await onEngineTables(trx)
        .insertInto('webhook_secrets')
        .values({ webhook_id: id, secret: encryptedSecret })
        .onConflict((conflict) =>
          conflict
            .column('webhook_id')
            .doUpdateSet(({ ref }) => ({ secret: ref('excluded.secret'), created_at: sql`now()` })),
        )
        .execute();
      await recordSecurityEvent(
        program,
        {
          event: 'settings_changed',
          actor,
          resource: 'webhooks',
          record_id: id,
          subject: `New secret of ${rows[0].name}`,
        },
        trx,
      );
    });
    const text =
      'Enter it where the messages are received. It is not shown again; the former secret is no longer used.';
    return { data: { secret, title: 'New Secret', text } };
  });

  api.post('/webhook-deliveries/:id/replay', automationCalls.replay, async (request) => {
    const { actor } = await requestContextOf(program, request);
    const id = await replayDelivery(program, request.params.id, actor.id);
    return { status: true, message: 'The message is sent again.', data: { id } };
  });
}
