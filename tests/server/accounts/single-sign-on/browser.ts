import type { ApiResponse, DemoProgram } from '../../../support/program';
import { password } from '../../../support/accounts';
import { followProvider } from '../../../support/identity-provider';

/** A browser with its cookies, signed in or not. */
export interface Browser {
  token?: string;
  readonly cookies: Map<string, string>;
  // oxlint-disable-next-line typescript/no-explicit-any
  call<T = any>(method: string, path: string, body?: unknown): Promise<ApiResponse<T>>;
  /** Signs in by password; the answer. */
  // oxlint-disable-next-line typescript/no-explicit-any
  byPassword(email: string, more?: object): Promise<any>;
  /** To the provider of an address (the installation's without one), and back; what the browser brings. */
  toProvider(email?: string): Promise<Record<string, string>>;
  /** The whole way; the answer. */
  // oxlint-disable-next-line typescript/no-explicit-any
  throughProvider(email?: string): Promise<any>;
}

/** A browser that is nobody's yet. */
export function browserOf({ app, program }: DemoProgram): Browser {
  const cookies = new Map<string, string>();
  const back = `${program.settings.publicUrl}/auth/single-sign-on`;
  const browser: Browser = {
    cookies,
    async call(method, path, body) {
      const answer = await app.inject({
        method: method as 'GET',
        url: `/api${path}`,
        headers: {
          'x-session': 'renewable',
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(browser.token && { authorization: `Bearer ${browser.token}` }),
        },
        ...(body !== undefined && { payload: body as object }),
      });
      for (const { name, value } of answer.cookies) cookies.set(name, value);
      const received = answer.body === '' ? undefined : answer.json();
      return { status: answer.statusCode, body: received, headers: answer.headers };
    },
    async byPassword(email, more) {
      return keep((await browser.call('POST', '/login', { email, password, ...more })).body);
    },
    async toProvider(email) {
      const { body } = await browser.call('POST', '/login/single-sign-on', { ...(email && { email }) });
      if (!body.data) throw new Error(JSON.stringify(body));
      return Object.fromEntries((await followProvider(body.data.url, back)).searchParams);
    },
    async throughProvider(email) {
      const brought = await browser.toProvider(email);
      return keep((await browser.call('POST', '/login/single-sign-on/finish', brought)).body);
    },
  };
  const keep = <T extends { token?: string }>(body: T): T => {
    if (body.token) browser.token = body.token;
    return body;
  };
  return browser;
}
