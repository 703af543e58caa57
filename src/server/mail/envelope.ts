import type { Settings } from '../settings/settings';
import type { Message } from './message';

/** Converts a message for nodemailer. Mailboxes are passed as objects, so that a name cannot add another address. */
export function toNodemailerMessage(
  settings: Settings,
  { to: recipient, replyTo, cc = [], bcc = [], ...content }: Message,
) {
  const boxes = (addresses: readonly string[]) => addresses.map((address) => ({ name: '', address }));
  return {
    ...content,
    from: settings.mailFrom,
    to: { ...recipient },
    ...(replyTo && { replyTo: { name: '', address: replyTo } }),
    ...(cc.length > 0 && { cc: boxes(cc) }),
    ...(bcc.length > 0 && { bcc: boxes(bcc) }),
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
