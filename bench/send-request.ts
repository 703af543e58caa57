import type { BenchProgram } from './program';

/** Sends a GET, or with a body a PUT. Throws if the response is an error. */
export async function say<T>({ address, token }: BenchProgram, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${address}/api${path}`, {
    method: body === undefined ? 'GET' : 'PUT',
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
