import type { FastifyInstance } from 'fastify';
import { accountOfEmail, accountOfUser } from '../domain/accounts';
import { AddressTaken, foundCompany, type Founder } from '../domain/companies';
import type { Program } from '../program';
import { registrationLimits, takeAttempt } from './attempts';
import { calls, registrationForm } from './calls';
import { finishSignIn } from './finish-sign-in';
import { readForm } from './forms';
import { hashPassword } from './passwords';

const refuse = (message: string) => ({ status: false, message });
const closed = 'Registration is closed here. Ask the administrator of this installation for an account.';
const taken = 'There is an account with this e-mail address already. Sign in, or register with another address.';

/** `POST register`: a company and its owner, who is signed in. */
export function registerRegistration(app: FastifyInstance, program: Program): void {
  app.post('/register', calls.register, async (request, reply) => {
    if (!program.settings.registrationOpen) return refuse(closed);
    const { password, ...founder } = readForm<Founder & { password: string }>(registrationForm, request.body);
    await takeAttempt(program.database, registrationLimits(request.ip));
    if (await accountOfEmail(program.database.kysely, founder.email)) return refuse(taken);
    const hash = await hashPassword(password);
    try {
      const owner = await foundCompany(program, { ...founder, password: hash });
      const account = await accountOfUser(program.database.kysely, owner);
      return await finishSignIn(program, { request, reply }, account!, 'Registered Successfully!');
    } catch (error) {
      if (error instanceof AddressTaken) return refuse(taken);
      throw error;
    }
  });
}
