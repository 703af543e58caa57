import { sql } from 'kysely';
import type { Transaction } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
import { Conflict, NotFound } from '../../errors/errors';
import type { Program } from '../../program';
import { secretBoxOf } from '../../secrets/secret-box';
import { queryCacheOf } from '../../sql/query-cache';
import { callUrl, ForbiddenTarget, type LookupAll } from './call-url';
import { signedHeaders } from './signature';
import { propertyOf } from '../../../engine/values/lookups';
import { noCompany } from '../../sql/company-key';
import { historyOfChanges } from '../../records/history/changes-sql';

/** The resource of the deliveries. */
const deliveriesResource = 'webhook-deliveries';

/** Seconds to wait after each failed attempt; after the last one the delivery is given up. */
const retryDelays: readonly number[] = [5, 5 * 60, 30 * 60, 2, 5, 10, 14, 20, 24].map((delay, index) =>
  index < 3 ? delay : delay * 60 * 60,
);

/** Letters of an answer that are kept. */
const maxKeptAnswer = 2_000;

interface StoredDelivery {
  readonly id: number;
  readonly message_id: string;
  readonly site_id: number | null;
  readonly webhook_id: number;
  readonly body: string;
  readonly attempts: number;
}

/** The outcome of an attempt. `isFinal`: another one would not help. */
interface Attempt {
  readonly status: number | null;
  readonly answer: string | null;
  readonly message: string | null;
  readonly isFinal?: boolean;
  readonly isGone?: boolean;
}

/** The secret of a webhook is encrypted for it alone. */
export const secretPlace = (webhook: number) => `webhook of ${webhook}`;

/**
 * Makes one attempt at a delivery that is due. The row is locked meanwhile, so that one server makes it; if that server
 * dies after the receiver has answered, another one delivers it again, with the same id.
 */
export async function attemptDelivery(
  program: Program,
  id: number,
  { signal, resolve }: { readonly signal?: AbortSignal; readonly resolve?: LookupAll } = {},
): Promise<void> {
  const { database, live, queue } = program;
  await database.transaction(async (trx) => {
    const { rows } = await sql<StoredDelivery>`select id, message_id, site_id, webhook_id, body, attempts
      from assay.webhook_deliveries where id = ${id} and state = 'waiting' and next_at <= now()
      for update skip locked`.execute(trx);
    const delivery = rows[0];
    if (!delivery) return;
    const startTime = new Date();
    const attempt = await send(program, delivery, startTime, trx, signal, resolve);
    // The program is stopping, and there was no answer: the delivery stays due, for the next server.
    if (signal?.aborted && attempt.status === null) return;
    const isDone = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
    const delay = isDone || attempt.isFinal ? undefined : retryDelays[delivery.attempts];
    const state = isDone ? 'delivered' : delay === undefined ? 'failed' : 'waiting';
    const next = delay === undefined ? null : new Date(startTime.getTime() + delay * 1_000);
    await sql`update assay.webhook_deliveries set state = ${state}, attempts = attempts + 1, attempted_at = ${startTime},
        next_at = ${next}, milliseconds = ${Date.now() - startTime.getTime()}::integer, status = ${attempt.status}::integer,
        answer = ${attempt.answer}, message = ${attempt.message},
        finished_at = ${state === 'waiting' ? null : new Date()}::timestamptz
      where id = ${id}`.execute(trx);
    if (attempt.isGone) await switchOff(delivery.webhook_id, trx);
    if (next) await queue.send(trx, 'deliveries', [{ delivery: id }], next);
    database.afterCommit(trx, () => queryCacheOf(database).invalidate('webhook_deliveries'));
    live.publish({ resource: deliveriesResource, id, event: 'updated', site_id: delivery.site_id }, trx);
  });
}

async function send(
  { settings }: Program,
  { message_id: messageId, webhook_id: webhookId, body }: StoredDelivery,
  sentAt: Date,
  trx: Transaction,
  signal?: AbortSignal,
  resolve?: LookupAll,
): Promise<Attempt> {
  const noAnswer = { status: null, answer: null };
  const { rows } = await sql<{ url: string; active: boolean; secret: Buffer | null }>`select w.url, w.active, s.secret
    from public.webhooks w left join assay.webhook_secrets s on s.webhook_id = w.id where w.id = ${webhookId}`.execute(
    trx,
  );
  const [webhook] = rows;
  if (!webhook?.secret) return { ...noAnswer, message: 'The webhook or its secret was deleted.', isFinal: true };
  if (!webhook.active) return { ...noAnswer, message: 'The webhook is switched off.', isFinal: true };
  const secret = (await secretBoxOf(settings)).decrypt(webhook.secret, secretPlace(webhookId));
  const signatureHeaders = signedHeaders(secret, messageId, sentAt, body);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Assay-Webhooks/1',
    ...signatureHeaders,
  };
  try {
    const { status, text } = await callUrl(webhook.url, {
      headers,
      body,
      allowedTargets: settings.webhookAllowPrivate,
      signal,
      resolve,
    });
    const answer = keptAnswer(text, [secret, propertyOf(signatureHeaders, 'webhook-signature')]);
    if (status === 410)
      return {
        status,
        answer,
        message: 'The receiver wants no more messages (410): the webhook was switched off.',
        isFinal: true,
        isGone: true,
      };
    if (status >= 300 && status < 400)
      return {
        status,
        answer,
        message: `The receiver redirects (${status}), which is not followed: enter the final URL.`,
      };
    return { status, answer, message: status >= 200 && status < 300 ? null : `The receiver answered ${status}.` };
  } catch (error) {
    const isFinal = error instanceof ForbiddenTarget;
    return { ...noAnswer, message: (error as Error).message || 'The receiver could not be reached.', isFinal };
  }
}

/** The beginning of an answer as text that PostgreSQL can store, without our own secrets. */
function keptAnswer(text: string, secrets: readonly string[]): string {
  const clean = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
  return clean.replace(/[\0\p{Surrogate}]/gu, '\ufffd').slice(0, maxKeptAnswer);
}

/** Switches a webhook off, with an entry in its history. */
async function switchOff(id: number, trx: Transaction): Promise<void> {
  await sql`with changed as (update public.webhooks set active = false where id = ${id} and active returning id),
    ${historyOfChanges(sql`select ${noCompany}::bigint, 'webhooks', id, 'updated', '{"active": true}'::jsonb, '{"active": false}'::jsonb,
      null::bigint, now(), null::integer from changed`)} select`.execute(trx);
}

/**
 * Sends the message of a delivery again, as a delivery of its own with the same id of the message. Returns its id. Throws
 * NotFound, and Conflict while the delivery itself is still being tried.
 */
export async function replayDelivery(program: Program, id: number, user: number): Promise<number> {
  const { database, queue } = program;
  return database.transaction(async (trx) => {
    const { rows } = await sql<{ id: number }>`insert into assay.webhook_deliveries
        (message_id, site_id, webhook_id, run_id, replay_of, type, url, body, state, next_at, user_id)
      select d.message_id, d.site_id, d.webhook_id, d.run_id, d.id, d.type, w.url, d.body, 'waiting', now(), ${user}
      from assay.webhook_deliveries d join public.webhooks w on w.id = d.webhook_id
      where d.id = ${id} and d.state <> 'waiting' returning id`.execute(trx);
    if (!rows[0]) {
      const webhook = await onEngineTables(trx)
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('id', '=', id)
        .executeTakeFirst();
      if (!webhook) throw new NotFound();
      throw new Conflict('This message is still being sent, or its webhook was deleted.');
    }
    await queue.send(trx, 'deliveries', [{ delivery: rows[0].id }]);
    database.afterCommit(trx, () => queryCacheOf(database).invalidate('webhook_deliveries'));
    return rows[0].id;
  });
}
