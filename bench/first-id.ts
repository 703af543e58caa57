import type { BenchProgram } from './program';

/** The id of the first record of a module that the company's owner lists. */
export async function firstId({ address, token }: BenchProgram, module: string): Promise<number> {
  const response = await fetch(`${address}/api/${module}?range=[0,0]`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const body = (await response.json()) as { id: number }[] | { data: { id: number }[] };
  const [first] = Array.isArray(body) ? body : body.data;
  if (!first) throw new Error(`There are no ${module}.`);
  return first.id;
}
