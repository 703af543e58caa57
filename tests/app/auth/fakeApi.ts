import { vi } from 'vitest';

export interface Call {
  method: string;
  path: string;
  headers: Headers;
  body: Record<string, unknown>;
}

type Answer = { status?: number; body?: unknown } | Error;

/** A fake server: responds by "METHOD /path", 404 for anything else, and records the calls. */
export function fakeApi(answers: Record<string, Answer | ((call: Call) => Answer | Promise<Answer>)>): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const text = typeof init.body === 'string' ? init.body : '{}';
    const call = { method: init.method ?? 'GET', path, headers: new Headers(init.headers), body: JSON.parse(text) };
    calls.push(call);
    const found = answers[`${call.method} ${path}`] ?? { status: 404, body: { message: 'Not found.' } };
    const answer = typeof found === 'function' ? await found(call) : found;
    if (answer instanceof Error) throw answer;
    const body = answer.body === undefined ? null : JSON.stringify(answer.body);
    return new Response(body, { status: answer.status ?? 200 });
  });
  return calls;
}

/** The response of a successful sign-in of a user of a level. */
export function signedIn(level: number, totals: { totalClients?: number; totalProjects?: number } = {}) {
  return {
    status: true,
    message: 'Welcome.',
    token: `token-${level}`,
    token_type: 'Bearer',
    user: {
      id: 7,
      name: 'Ada King',
      first_name: 'Ada',
      last_name: 'King',
      email: 'ada@example.test',
      role_id: level,
      site_id: 1,
    },
    role: { id: level, role_name: `Level ${level}`, level },
    totalClients: 1,
    totalProjects: 1,
    ...totals,
  };
}
