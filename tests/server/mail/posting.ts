import { createMailComposer } from '../../../src/server/accounts/mails/mails';
import { startMailSender, type MailSender } from '../../../src/server/mail/sender';
import { startProgram, type TestProgram } from '../accounts/session/program';
import { openPostOffice, type PostOffice } from './mailbox';

/** A program that sends its mail to a post office. */
export interface Posting extends TestProgram {
  readonly office: PostOffice;
  /** Stops sending, and begins again as after a restart. */
  restartSender(): Promise<void>;
  stopSender(): Promise<void>;
  /** Whatever waits for its next try is due now. */
  hurry(): Promise<void>;
}

/** Starts a program on demo data, a post office, and the sender between them. */
export async function startPosting(env: Record<string, string> = {}): Promise<Posting> {
  const office = await openPostOffice();
  const started = await startProgram({
    DEMO: '1',
    SMTP_URL: office.url,
    PUBLIC_URL: 'https://assay.example.com',
    MAIL_FROM: 'Assay <post@assay.example.com>',
    ...env,
  });
  const { program } = started;
  let sender: MailSender | undefined = startMailSender(program, createMailComposer(program));
  const stopSender = async () => {
    await sender?.stop();
    sender = undefined;
  };
  return {
    ...started,
    office,
    stopSender,
    async restartSender() {
      await stopSender();
      sender = startMailSender(program, createMailComposer(program));
    },
    async hurry() {
      await program.database.transaction(async (trx) => {
        const mails = await trx
          .withSchema('assay')
          .updateTable('mails')
          .set({ next_at: new Date(0) })
          .returning('id as mail')
          .execute();
        await program.queue.send(trx, 'mails', mails as { mail: number }[]);
      });
    },
    close: async () => {
      await stopSender();
      await started.close();
      await office.close();
    },
  };
}
