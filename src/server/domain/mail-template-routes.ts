import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readId } from '../../engine/field-types/relation';
import type { Action } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import { mustBeGranted } from '../access/reach';
import { Conflict, NotFound } from '../errors/errors';
import { contextOf } from '../http/resource-routes';
import { plainName } from '../mail/plain-name';
import { renderMail, type MailTemplate, type Rendered } from '../mail/render';
import type { Program } from '../program';
import { readRecord } from '../records/read';
import { countAttempt, testMailLimits } from '../session/attempts';
import { accountOfUser, type Account } from './accounts';
import { hasConfirmed } from './confirmed-addresses';
import { calls } from './mail-calls';
import { addressesOf, type StoredTemplate } from './mail-templates';
import { linkTo, wantReadyMail } from './mails';

type OnRecord = { Params: { id: string } };
const module = 'email-templates';
const sampleCode = 'SampleCodeOfNoUse2468aBc';

/** `POST email-templates/{id}/preview`: renders a mail; `POST email-templates/{id}/test`: sends it to the caller. */
export function registerMailTemplates(app: FastifyInstance, program: Program): void {
  app.post<OnRecord>(`/${module}/:id/preview`, calls.preview, async (request) => {
    const context = await contextOf(program, request);
    const template = await templateOf(context, request, 'view');
    return { data: sample(program, template, await accountOf(context)) };
  });

  app.post<OnRecord>(`/${module}/:id/test`, calls.test, async (request) => {
    const context = await contextOf(program, request);
    const template = await templateOf(context, request, 'edit');
    const account = await accountOf(context);
    if (!(await hasConfirmed(program.database.kysely, account.id)) && account.level !== 1) {
      throw new Conflict('Please confirm your email address first: open the link in the email that we sent to you.');
    }
    const rendered = sample(program, template, account);
    const { replyTo } = addressesOf(template);
    const to = { name: nameOf(account), address: account.email };
    await program.database.transaction(async (trx) => {
      await countAttempt(trx, testMailLimits(account.id));
      await wantReadyMail(program, trx, { ...rendered, to, ...(replyTo && { replyTo }) });
    });
    return { status: true, message: `Sent to ${account.email}.`, data: { ...rendered, to: account.email } };
  });
}

async function templateOf(
  context: RequestContext,
  request: FastifyRequest<OnRecord>,
  action: Action,
): Promise<StoredTemplate> {
  const definition = context.registry.need(module);
  mustBeGranted(context, definition, action);
  const id = readId(request.params.id);
  if (id === undefined) throw new NotFound();
  return (await readRecord(context, definition, id)) as unknown as StoredTemplate;
}

async function accountOf({ program, actor }: RequestContext): Promise<Account> {
  const account = await accountOfUser(program.database.kysely, actor.id);
  if (!account) throw new NotFound();
  return account;
}

function sample(program: Program, template: MailTemplate, account: Account): Rendered {
  return renderMail(template, {
    name: nameOf(account),
    email: account.email,
    company: plainName(account.site_name ?? 'Your Company'),
    link: linkTo(program, '/auth/reset-password', sampleCode),
    code: sampleCode,
  });
}

function nameOf({ first_name, last_name }: Account): string {
  return plainName([first_name, last_name].filter(Boolean).join(' '));
}
