import { typedApi } from '../../routing/define-call';
import type { FastifyInstance } from 'fastify';
import { queueOccasionMail } from '../mails/mails';
import { requiredProviderOfDomain, localSignInDisabledMessage } from '../single-sign-on/required-provider';
import type { Program } from '../../program';
import { recordSecurityEvent } from '../../security-log/security-log';
import { codeRequestLimits, countAttempt } from './attempts';
import { sessionCalls } from './calls';

/** The same for every address, so that it does not reveal whether there is an account. */
const successResponse = {
  status: true,
  message: 'Email sent successfully! Please check your mail box to reset your password.',
} as const;

/**
 * `POST forgot-password`. The account is looked up when the mail is composed, not here, so that the response is the
 * same for every address, in content and timing. If passwords are disabled for its domain, it says so.
 */
export function registerForgotPassword(app: FastifyInstance, program: Program): void {
  typedApi(app).post('/forgot-password', sessionCalls.forgotPassword, async (request) => {
    const { email } = request.body;
    await countAttempt(program.database, codeRequestLimits(email, request.ip));
    void recordSecurityEvent(program, {
      event: 'password_reset_requested',
      subject: email,
      site_id: null,
      key: `reset requested ${email.toLowerCase()} ${request.ip}`,
    });
    await program.database.transaction((trx) => queueOccasionMail(program, trx, 'forgot_password', { email }));
    const requiredProvider = await requiredProviderOfDomain(program, email);
    return requiredProvider
      ? { status: false, message: localSignInDisabledMessage(requiredProvider) }
      : successResponse;
  });
}
