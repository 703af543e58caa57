import { password, type ApiCaller } from './test';

/** Discards the caller's drafts of definitions, which earlier tests left on the server. */
export async function discardDrafts(admin: ApiCaller): Promise<void> {
  const own = (await admin.send<{ data: { user: { id: number } } }>('GET', '/me')).body.data.user.id;
  const { data } = (await admin.send<{ data: { name: string; user: { id: number } }[] }>('GET', '/module-drafts')).body;
  for (const { name, user } of data) if (user.id === own) await admin.send('DELETE', `/module-drafts/${name}`);
}

/** Signs a second administrator in, Anna Berg, whom it creates first if needed: her session as the application stores it. */
export async function secondAdministrator(admin: ApiCaller, url: string): Promise<string> {
  const email = 'anna.berg@assay.test';
  const me = (await admin.send<{ data: { user: { role_id: number } } }>('GET', '/me')).body.data.user;
  const { status, body } = await admin.send('POST', '/users', {
    ...{ first_name: 'Anna', last_name: 'Berg', email, password, role_id: me.role_id, status_id: 1 },
  });
  if (status !== 201 && !JSON.stringify(body).includes('email')) throw new Error(JSON.stringify(body));
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return answer.text();
}
