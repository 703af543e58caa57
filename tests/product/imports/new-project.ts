import { expect } from 'vitest';
import type { Importer, Row } from '../../server/imports/importer';

/** A project without modules, of the same client as another one; answers its id. */
export async function newProject({ owner, list }: Importer, name: string): Promise<string> {
  const [like] = await list('/projects?range=[0,0]');
  const { id: _, ...values } = (await owner<{ data: Row } & Row>('GET', `/projects/${like!.id}`)).body;
  const { client_id, type_id, status_id, start_date, end_date } = (values.data ?? values) as Row;
  const body = { name, client_id, type_id, status_id, start_date, end_date };
  const made = await owner<Row & { data?: Row }>('POST', '/projects', body);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return String((made.body.data ?? made.body).id);
}
