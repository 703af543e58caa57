import { isGranted } from '../../engine/access/decide';
import { described } from '../http/described';
import { data, id, object, outcome, text } from '../http/schemas';
import { idempotencyHeader } from '../idempotency/header';

const rendered = { subject: text, html: text, text };

/** How the calls of mail describe themselves: invitations, and templates tried out. */
export const calls = {
  resendInvitation: described({
    id: 'resend-invitation',
    tag: 'Users',
    summary: 'Send an invitation again',
    shownTo: (actor) => isGranted(actor, 'users', 'edit'),
    body: { ...object({ user_id: id }, ['user_id']), additionalProperties: false },
    headers: idempotencyHeader,
    answer: outcome,
  }),
  sendResetLink: described({
    id: 'send-reset-link',
    tag: 'Users',
    summary: 'Send a user a link to choose a new password',
    shownTo: (actor) => isGranted(actor, 'users', 'edit'),
    body: { ...object({ user_id: id }, ['user_id']), additionalProperties: false },
    headers: idempotencyHeader,
    answer: outcome,
  }),
  preview: described({
    id: 'preview-email-templates',
    tag: 'Email Templates',
    summary: 'Preview a mail',
    shownTo: (actor) => isGranted(actor, 'email-templates', 'view'),
    answer: data(object(rendered)),
  }),
  test: described({
    id: 'test-email-templates',
    tag: 'Email Templates',
    summary: 'Send a test mail to yourself',
    shownTo: (actor) => isGranted(actor, 'email-templates', 'edit'),
    answer: object({ status: { type: 'boolean' }, message: text, data: object({ ...rendered, to: text }) }),
  }),
};
