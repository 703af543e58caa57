import { expect } from 'vitest';
import type { Client, DemoProgram } from './program';

/** A service account with the calls of its token. */
export interface ServiceAccount {
  readonly id: number;
  readonly name: string;
  readonly token: string;
  readonly record: Readonly<Record<string, unknown>>;
  readonly call: Client;
}

let count = 0;

/** Creates a service account with the owner's role, or another of the given values, and a token. */
export async function createServiceAccount(
  program: Pick<DemoProgram, 'call'>,
  by: Client,
  values: object = {},
): Promise<ServiceAccount> {
  const sent = { name: `Account ${++count}`, role_id: 2, ...values };
  const created = await by<{ data: { id: number; name: string } }>('POST', '/service-accounts', sent);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const record = created.body.data;
  const token = await createToken(record.id, by);
  return { id: record.id, name: record.name, token, record, call: clientOf(program, token) };
}

/** Gives a service account a new token. */
export async function createToken(id: number, by: Client): Promise<string> {
  const { status, body } = await by<{ data: { token: string } }>('POST', `/service-accounts/${id}/token`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.token;
}

/** The calls of a token. */
export function clientOf({ call }: Pick<DemoProgram, 'call'>, token: string): Client {
  return (method, path, body, headers) => call(method, path, body, { authorization: `Bearer ${token}`, ...headers });
}
