import type { FastifyInstance } from 'fastify';
import { findAccountById } from '../users/accounts';
import { createCompany, type Founder } from '../companies/companies';
import { Invalid } from '../../errors/errors';
import { isUnsafeName } from '../../mail/safe-name';
import type { Program } from '../../program';
import { recordSecurityEvent } from '../../security-log/security-log';
import { registrationLimits, countAttempt } from './attempts';
import { sessionCalls, registrationForm } from './calls';
import { hashNewPassword } from '../../secrets/new-password';
import { finishSignIn } from './finish-sign-in';
import { readForm } from './forms';

const closedResponse = {
  status: false,
  message: 'Registration is closed here. Ask the administrator of this installation for an account.',
} as const;

/** Fields that anybody can fill in and that appear in mails. */
const publicNameFields = ['first_name', 'last_name', 'site_name'] as const;

/**
 * `POST register`: creates a company and its owner, who is signed in. For an address that already has an account, the
 * response is the same in content and timing: its owner is notified by mail and keeps the address.
 */
export function registerRegistration(app: FastifyInstance, program: Program): void {
  app.post('/register', sessionCalls.register, async (request, reply) => {
    const { registrationOpen, singleSignOn } = program.settings;
    if (!registrationOpen || singleSignOn.passwordsDisabled) return closedResponse;
    const { password, ...founder } = readForm<Founder & { password: string }>(registrationForm, request.body);
    assertValidNames(founder);
    await countAttempt(program.database, registrationLimits(founder.email, request.ip));
    const { first_name, last_name, site_name, email } = founder;
    const hash = await hashNewPassword(program, 'password', password, [first_name, last_name, site_name, email]);
    const owner = await createCompany(program, { ...founder, password: hash });
    const account = (await findAccountById(program.database.kysely, owner))!;
    void recordSecurityEvent(program, {
      event: 'registered',
      user_id: owner,
      site_id: account.site_id,
      subject: account.site_name,
    });
    return finishSignIn(program, { request, reply }, account, {
      method: 'registration',
      secondStep: 'ask',
      message: 'Registered Successfully!',
    });
  });
}

function assertValidNames(founder: Founder): void {
  const wrong = publicNameFields.filter((name) => isUnsafeName(founder[name]));
  if (wrong.length === 0) return;
  const message = (name: string) =>
    `${registrationForm.fields[name]!.label} must not contain links or email addresses.`;
  throw new Invalid(Object.fromEntries(wrong.map((name) => [name, message(name)])));
}
