import type { FastifyInstance } from 'fastify';
import type { Settings } from '../settings/settings';

const day = 24 * 3600 * 1000;

/** `/.well-known/security.txt` (RFC 9116): where to report a vulnerability of this installation. */
export function registerSecurityContact(app: FastifyInstance, { publicUrl, securityContact }: Settings): void {
  app.get('/.well-known/security.txt', async (_request, reply) => {
    // The standard requires an expiry within a year. Half a year from today, rounded to the day, changes once a day.
    const expires = new Date(Math.floor(Date.now() / day) * day + 180 * day).toISOString();
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires}`,
      'Preferred-Languages: en',
      `Canonical: ${publicUrl}/.well-known/security.txt`,
    ];
    return reply
      .type('text/plain; charset=utf-8')
      .header('Cache-Control', 'public, max-age=3600')
      .send(`${lines.join('\n')}\n`);
  });
}
