import { Type } from 'typebox';
import { dataOf, defineCall, idParams, outcome, userBody } from '../../routing/define-call';
import { idempotencyHeader } from '../../idempotency/header';

const renderedMail = { subject: Type.String(), html: Type.String(), text: Type.String() };

/** The calls of mail: invitations, links to reset a password, and tests of templates. */
export const mailCalls = {
  resendInvitation: defineCall({
    id: 'resend-invitation',
    tag: 'Users',
    summary: 'Send an invitation again',
    grant: { resource: 'users', action: 'edit' },
    body: userBody,
    headers: idempotencyHeader,
    answer: outcome,
  }),
  sendResetLink: defineCall({
    id: 'send-reset-link',
    tag: 'Users',
    summary: 'Send a user a link to choose a new password',
    grant: { resource: 'users', action: 'edit' },
    body: userBody,
    headers: idempotencyHeader,
    answer: outcome,
  }),
  preview: defineCall({
    id: 'preview-email-templates',
    scope: 'person',
    tag: 'Email Templates',
    summary: 'Preview a mail',
    params: idParams,
    grant: { resource: 'email-templates', action: 'view' },
    answer: dataOf(Type.Object(renderedMail)),
  }),
  test: defineCall({
    id: 'test-email-templates',
    scope: 'person',
    tag: 'Email Templates',
    summary: 'Send a test mail to yourself',
    params: idParams,
    grant: { resource: 'email-templates', action: 'edit' },
    answer: Type.Object({
      status: Type.Boolean(),
      message: Type.String(),
      data: Type.Object({ ...renderedMail, to: Type.String() }),
    }),
  }),
};
