import { typedApi } from '../../routing/define-call';
import type { FastifyInstance } from 'fastify';
import { loadAccount } from '../users/accounts';
import { createCompany } from '../companies/companies';
import { Invalid } from '../../errors/errors';
import { isUnsafeName } from '../../mail/safe-name';
import type { Program } from '../../program';
import { recordSecurityEvent } from '../../security-log/security-log';
import { registrationLimits, countAttempt } from './attempts';
import { signInCalls, type Registration } from './calls';
import { hashNewPassword } from '../../secrets/new-password';
import { finishSignIn } from './finish-sign-in';

const closedResponse = {
  status: false,
  message: 'Registration is closed here. Ask the administrator of this installation for an account.',
} as const;

/** Fields that anybody can fill in and that appear in mails. */
const publicNames = { first_name: 'First Name', last_name: 'Last Name', site_name: 'Company Name' } as const;
const publicNameFields = Object.keys(publicNames) as (keyof typeof publicNames)[];

/**
 * `POST register`: creates a company and its owner, who is signed in. For an address that already has an account, the
 * response is the same in content and timing: its owner is notified by mail and keeps the address.
 */
export function registerRegistration(app: FastifyInstance, program: Program): void {
  typedApi(app).post('/register', signInCalls(program.product.signInFacts?.schema).register, async (request, reply) => {
    const { registrationOpen, singleSignOn } = program.settings;
    if (!registrationOpen || singleSignOn.passwordsDisabled) return closedResponse;
    const { password, ...founder } = request.body;
    assertValidNames(founder);
    await countAttempt(program.database, registrationLimits(founder.email, request.ip));
    const { first_name, last_name, site_name, email } = founder;
    const hash = await hashNewPassword(program, 'password', password, [first_name, last_name, site_name, email]);
    const owner = await createCompany(program, { ...founder, password: hash });
    const account = await loadAccount(program.database.kysely, owner);
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

function assertValidNames(founder: Omit<Registration, 'password'>): void {
  const unsafeFields = publicNameFields.filter((name) => isUnsafeName(founder[name]));
  if (unsafeFields.length === 0) return;
  const message = (title: string) => `${title} must not contain links or email addresses.`;
  throw new Invalid(Object.fromEntries(unsafeFields.map((name) => [name, message(publicNames[name])])));
}
