import { Level } from '../../../engine/definitions/level';
import type { FastifyInstance } from 'fastify';
import type { RequestContext } from '../../access/request-context';
import { Conflict, NotFound } from '../../errors/errors';
import { requestContextOf } from '../session/caller-context';
import { safeMailName } from '../../mail/safe-name';
import { renderMail, type MailTemplate, type MailValues, type RenderedMail } from '../../mail/render';
import { appLink } from '../../mail/app-link';
import { noticeChoicesPath } from './notice-mails';
import type { Program } from '../../program';
import { typedApi } from '../../routing/define-call';
import { readRecord } from '../../records/read/read';
import { countAttemptWithin, testMailLimits } from '../session/attempts';
import { findAccountById, type Account } from '../users/accounts';
import { hasConfirmedAddress } from '../users/confirmed-addresses';
import { mailCalls } from './mail-calls';
import { templateAddresses, type StoredMailTemplate } from './mail-templates';
import { queueFinishedMail } from './mails';

const module = 'email-templates';
const sampleCode = 'SampleCodeOfNoUse2468aBc';

/** `POST email-templates/{id}/preview`: renders a mail; `POST email-templates/{id}/test`: sends it to the caller. */
export function registerMailTemplates(app: FastifyInstance, program: Program): void {
  const templates = typedApi(app);
  templates.post(`/${module}/:id/preview`, mailCalls.preview, async (request) => {
    const context = await requestContextOf(program, request);
    const template = await templateOf(context, request.params.id);
    return { data: sample(program, template, await accountOf(context)) };
  });

  templates.post(`/${module}/:id/test`, mailCalls.test, async (request) => {
    const context = await requestContextOf(program, request);
    const template = await templateOf(context, request.params.id);
    const account = await accountOf(context);
    if (!(await hasConfirmedAddress(program.database.kysely, account.id)) && account.level !== Level.Installation) {
      throw new Conflict('Please confirm your email address first: open the link in the email that we sent to you.');
    }
    const renderedMail = sample(program, template, account);
    const { replyTo } = templateAddresses(template);
    const recipient = { name: nameOf(account), address: account.email };
    await program.database.transaction(async (trx) => {
      await countAttemptWithin(trx, testMailLimits(account.id));
      await queueFinishedMail(program, trx, { ...renderedMail, to: recipient, ...(replyTo && { replyTo }) });
    });
    return { status: true, message: `Sent to ${account.email}.`, data: { ...renderedMail, to: account.email } };
  });
}

async function templateOf(context: RequestContext, id: number): Promise<StoredMailTemplate> {
  return (await readRecord(
    { context, definition: context.registry.getOrThrow(module) },
    id,
  )) as unknown as StoredMailTemplate;
}

async function accountOf({ program, actor }: RequestContext): Promise<Account> {
  const account = await findAccountById(program.database.kysely, actor.id);
  if (!account) throw new NotFound();
  return account;
}

function sample(program: Program, template: MailTemplate, account: Account): RenderedMail {
  return renderMail(template, {
    name: nameOf(account),
    email: account.email,
    company: safeMailName(account.site_name ?? 'Your Company'),
    link: appLink(program, '/auth/reset-password', sampleCode),
    code: sampleCode,
    ...sampleNotices(appLink(program, '/notifications'), appLink(program, noticeChoicesPath)),
  });
}

/** Sample values for mails about notifications. */
function sampleNotices(link: string, settings: string): MailValues {
  const [title, text, date] = ['Ada Lovelace mentioned you in A sample', 'What she wrote.', '31-Dec-2026 14:05'];
  const groups = [{ title: 'A sample', link, notices: [{ title, text, date }] }];
  return { title, lines: [text], groups, count: '1 unread notification', more: '', notifications: link, settings };
}

function nameOf({ first_name, last_name }: Account): string {
  return safeMailName([first_name, last_name].filter(Boolean).join(' '));
}
