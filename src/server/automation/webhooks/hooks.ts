import type { Hook } from '../../program';
import { urlProblem } from './call-url';
import { onEngineTables } from '../../database/engine-tables';
import { idOf } from '../../../engine/definitions/accessors';
import { requireValue } from '../../../engine/values/lookups';

/** beforeSave: refuses a URL that would never be called. */
const guardWebhook: Hook = async ({ program, values, fail }) => {
  const problem = urlProblem(String(values.url ?? ''), program.settings.webhookAllowPrivate);
  if (problem) fail('url', problem);
};

/** afterDelete: a webhook's secret goes with it. */
const dropWebhookSecret: Hook = async ({ trx, previousRow }) => {
  await onEngineTables(trx)
    .deleteFrom('webhook_secrets')
    .where('webhook_id', '=', idOf(requireValue(previousRow, 'the webhook to delete')))
    .execute();
};

/** beforeValidate, beforeDelete: only the program writes runs and deliveries. */
const refuseWritingRuns: Hook = async ({ forbid }) => forbid('The program alone writes this log.');

/** The hooks that the definitions of webhooks, their deliveries and the runs of automations name. */
export const automationHooks = { guardWebhook, dropWebhookSecret, refuseWritingRuns };
