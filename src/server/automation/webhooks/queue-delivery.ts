import { sql } from 'kysely';
import type { Automation } from '../../../engine/definitions/definition';
import type { RequestContext } from '../../access/request-context';
import type { Transaction } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
import { Conflict } from '../../errors/errors';
import type { AboutRecord } from '../record-values';
import type { StepResult } from '../steps';
import { newMessageId } from './signature';

/** Bytes of a message. */
const maxBody = 256 * 1024;

/** A webhook as it is stored. */
interface StoredWebhook {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly active: boolean;
}

const pastWords: Readonly<Record<string, string>> = { create: 'created', update: 'updated', delete: 'deleted' };

/** The run and the record of a message. */
interface MessageSubject {
  readonly name: string;
  readonly run: { readonly trigger: string; readonly reason: string };
  readonly automation: Automation;
  readonly record: AboutRecord;
}

/** The message to a webhook, with the record as the user of the run may read it. Throws Conflict if it cannot be sent. */
export async function webhookMessage({ name, run, automation, record }: MessageSubject, trx: Transaction) {
  const webhook = await findWebhook(name, trx);
  const type = `${record.definition.name}.${pastWords[run.trigger] ?? automation.name}`;
  const body = JSON.stringify({
    type,
    timestamp: new Date().toISOString(),
    data: {
      automation: automation.name,
      reason: run.reason,
      resource: record.definition.name,
      record: record.readable,
    },
  });
  if (Buffer.byteLength(body) > maxBody)
    throw new Conflict(`The record is too large for a webhook: at most ${maxBody / 1_024} kB.`);
  return { webhook, type, body };
}

/** The result of a step that queues a message to a webhook. */
export const webhookResult = (name: string, body: string): StepResult => ({
  text: `Queued a message to the webhook "${name}".`,
  effect: { kind: 'webhook', name, body },
});

/** Stores a delivery within the transaction; it is sent after the commit. Throws Conflict if there is no such webhook. */
export async function queueDelivery(
  context: RequestContext,
  subject: MessageSubject & { readonly run: { readonly id: number; readonly site_id: number | null } },
  trx: Transaction,
): Promise<StepResult> {
  const { name, run } = subject;
  const { webhook, type, body } = await webhookMessage(subject, trx);
  const storedDelivery = await onEngineTables(trx)
    .insertInto('webhook_deliveries')
    .values({
      message_id: newMessageId(),
      site_id: run.site_id,
      webhook_id: webhook.id,
      run_id: run.id,
      type,
      url: webhook.url,
      body,
      state: 'waiting',
      next_at: new Date(),
      user_id: context.actor.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await context.program.queue.send(trx, 'deliveries', [{ delivery: Number(storedDelivery.id) }]);
  return webhookResult(name, body);
}

/** The active webhook with a name. Throws Conflict if there is none, or it has no secret to sign with. */
async function findWebhook(name: string, trx: Transaction): Promise<StoredWebhook> {
  const { rows } = await sql<StoredWebhook & { has_secret: boolean }>`select w.id, w.name, w.url, w.active,
      exists (select from assay.webhook_secrets s where s.webhook_id = w.id) as has_secret
    from public.webhooks w where w.name = ${name}`.execute(trx);
  const [webhook] = rows;
  if (!webhook) throw new Conflict(`There is no webhook "${name}": an administrator of the installation adds it.`);
  if (!webhook.active)
    throw new Conflict(`The webhook "${name}" is switched off: an administrator of the installation can activate it.`);
  if (!webhook.has_secret)
    throw new Conflict(`The webhook "${name}" has no secret to sign with: an administrator creates one in its list.`);
  return webhook;
}
