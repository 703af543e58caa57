import { Level } from '../../engine/definitions/level';
import { Type } from 'typebox';
import { dataOf, defineCall, idParams, outcomeOf } from '../routing/define-call';

const administrators = {
  scope: 'level',
  shownTo: (actor: { readonly level: number }) => actor.level === Level.Installation,
  refusal: 'Only an administrator of the installation can do this.',
} as const;

/** The calls of automations and webhooks that do not follow from their definitions. */
export const automationCalls = {
  newSecret: defineCall({
    id: 'new-webhook-secret',
    tag: 'Webhooks',
    summary: 'Give a webhook a new secret, which this answer alone contains',
    ...administrators,
    params: idParams,
    answer: dataOf(
      Type.Object({
        secret: Type.String({ description: 'As Standard Webhooks writes it: whsec_ and base64.' }),
        title: Type.String(),
        text: Type.String(),
      }),
    ),
  }),
  replay: defineCall({
    id: 'replay-webhook-delivery',
    tag: 'Webhook Deliveries',
    summary: 'Send the message of a delivery again, with the same id',
    ...administrators,
    params: idParams,
    answer: outcomeOf({ data: Type.Object({ id: Type.Integer() }) }),
  }),
};
