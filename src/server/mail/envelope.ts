import type { Settings } from '../settings/settings';
import type { Message } from './message';

/** A message in nodemailer's words. Mailboxes are given in parts, so that no name can add an address. */
export function mailOf(settings: Settings, { to, replyTo, cc = [], bcc = [], ...content }: Message) {
  const boxes = (addresses: readonly string[]) => addresses.map((address) => ({ name: '', address }));
  return {
    ...content,
    from: settings.mailFrom,
    to: { ...to },
    ...(replyTo && { replyTo: { name: '', address: replyTo } }),
    ...(cc.length > 0 && { cc: boxes(cc) }),
    ...(bcc.length > 0 && { bcc: boxes(bcc) }),
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
