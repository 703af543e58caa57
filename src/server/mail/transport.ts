import type { Transporter } from 'nodemailer';
import { isLoopback } from '../settings/addresses';
import type { Settings } from '../settings/settings';
import { toNodemailerMessage } from './envelope';
import { openMailFolder } from './mail-folder';
import type { Transport } from './message';

/** The SMTP server of the settings, or files in the data folder without one. */
export function openTransport(settings: Settings): Transport {
  return settings.smtpUrl === undefined ? openMailFolder(settings) : openSmtp(settings, settings.smtpUrl);
}

/** Timeouts of a mail server in milliseconds, in addition to those in the URL. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

function openSmtp(settings: Settings, url: string): Transport {
  // A connection within one machine cannot be intercepted, and local servers rarely have a trusted certificate.
  const trust = isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, '')) ? { tls: { rejectUnauthorized: false } } : {};
  let smtp: Transporter | undefined;
  return {
    async send(message, signal) {
      const { createTransport } = await import('nodemailer');
      smtp ??= createTransport({ url, ...timeouts, ...trust });
      await smtp.sendMail({ ...toNodemailerMessage(settings, message), signal });
    },
    close: () => smtp?.close(),
  };
}
