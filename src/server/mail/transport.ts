import { createTransport, type Transporter } from 'nodemailer';
import { isLoopback } from '../settings/addresses';
import type { Settings } from '../settings/settings';
import { mailOf } from './envelope';
import { openMailFolder } from './mail-folder';
import type { Transport } from './message';

/** The SMTP server of the settings, else files in the data folder. */
export function openTransport(settings: Settings): Transport {
  return settings.smtpUrl === undefined ? openMailFolder(settings) : openSmtp(settings, settings.smtpUrl);
}

/** Milliseconds within which a server must answer, the limits of the URL left aside. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

function openSmtp(settings: Settings, url: string): Transport {
  // Nobody stands between two programs of one machine, and such servers rarely have a certificate that others know.
  const trust = isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, '')) ? { tls: { rejectUnauthorized: false } } : {};
  const smtp: Transporter = createTransport({ url, ...patience, ...trust });
  return {
    async send(message, signal) {
      await smtp.sendMail({ ...mailOf(settings, message), signal });
    },
    close: () => smtp.close(),
  };
}
