import { isGranted } from '../../../engine/access/access-decision';
import { describeCall } from '../../routing/call-description';
import { dataSchema, idSchema, objectSchema, outcomeSchema, stringSchema } from '../../routing/schemas';
import { idempotencyHeader } from '../../idempotency/header';

const rendered = { subject: stringSchema, html: stringSchema, text: stringSchema };

/** How the calls of mail describe themselves: invitations, and templates tried out. */
export const mailCalls = {
  resendInvitation: describeCall({
    id: 'resend-invitation',
    tag: 'Users',
    summary: 'Send an invitation again',
    shownTo: (actor) => isGranted(actor, 'users', 'edit'),
    body: { ...objectSchema({ user_id: idSchema }, ['user_id']), additionalProperties: false },
    headers: idempotencyHeader,
    answer: outcomeSchema,
  }),
  sendResetLink: describeCall({
    id: 'send-reset-link',
    tag: 'Users',
    summary: 'Send a user a link to choose a new password',
    shownTo: (actor) => isGranted(actor, 'users', 'edit'),
    body: { ...objectSchema({ user_id: idSchema }, ['user_id']), additionalProperties: false },
    headers: idempotencyHeader,
    answer: outcomeSchema,
  }),
  preview: describeCall({
    id: 'preview-email-templates',
    tag: 'Email Templates',
    summary: 'Preview a mail',
    shownTo: (actor) => isGranted(actor, 'email-templates', 'view'),
    answer: dataSchema(objectSchema(rendered)),
  }),
  test: describeCall({
    id: 'test-email-templates',
    tag: 'Email Templates',
    summary: 'Send a test mail to yourself',
    shownTo: (actor) => isGranted(actor, 'email-templates', 'edit'),
    answer: objectSchema({
      status: { type: 'boolean' },
      message: stringSchema,
      data: objectSchema({ ...rendered, to: stringSchema }),
    }),
  }),
};
