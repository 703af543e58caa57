import type { Transaction } from '../../database/database';
import { notify, type Message } from '../../notifications/notify';
import type { Program } from '../../program';
import type { Recipient } from './recipients';
import { fill, templateFor, type Occasion } from './template';

/** What happened, and to whom it matters. */
export interface Telling {
  readonly occasion: Occasion;
  /** Of the record: its templates come first. */
  readonly company: number | null;
  readonly recipients: readonly Recipient[];
  /** The path of the screen that it is about. */
  readonly link: string | null;
  /** What placeholders stand for, besides those of the recipient. */
  readonly values: Readonly<Record<string, string>>;
}

/** Tells somebody what happened, in the words of the template. Without a template nobody is told anything. */
export async function tell(
  program: Program,
  trx: Transaction,
  { occasion, company, recipients, link, values }: Telling,
): Promise<void> {
  if (recipients.length === 0) return;
  const template = await templateFor(trx, occasion, company);
  if (!template) return;
  const messages = recipients.map(({ id, first_name, site_name }): Message => {
    const all = { name: first_name, company: site_name ?? '', ...values };
    return { user_id: id, title: fill(template.subject, all), content: fill(template.content, all), link };
  });
  await notify(program, trx, messages);
}
