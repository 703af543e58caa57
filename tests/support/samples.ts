import type { Definition, Field, ResourceRecord } from '../../src/engine/definitions/definition';
import type { Registry } from '../../src/engine/definitions/registry';

/** Calls the API as somebody. */
export type Call = <T = unknown>(method: string, path: string, body?: unknown) => Promise<{ status: number; body: T }>;

/**
 * Values that a definition accepts for a new record, made from the definition alone: every field that the form asks
 * for, and related records chosen from `choices` (made first where there are none).
 */
export async function sampleRecord(
  definition: Definition,
  registry: Registry,
  call: Call,
  seed: string,
): Promise<ResourceRecord> {
  const values: ResourceRecord = {};
  for (const field of Object.values(definition.fields)) {
    if (field.system || field.readOnly || field.virtual || field.type === 'inverse') continue;
    if (field.type === 'relation' || field.type === 'relations') {
      if (!field.requiredInForm || field.to === definition.name) continue;
      const id = await choose(definition, field, registry, call, values, seed);
      values[field.name] = field.type === 'relations' ? [id] : id;
    } else {
      values[field.name] = sampleValue(field, seed);
    }
  }
  return values;
}

async function choose(
  definition: Definition,
  field: Field,
  registry: Registry,
  call: Call,
  values: ResourceRecord,
  seed: string,
): Promise<number> {
  const parents = Object.values(field.choices ?? {})
    .filter((value): value is string => typeof value === 'string' && value.startsWith('$form.'))
    .map((value) => value.slice('$form.'.length));
  const query = parents.map((name) => `${name}=${String(values[name])}`).join('&');
  const found = await call<{ data: { id: number }[] }>('GET', `/${definition.name}/choices/${field.name}?${query}`);
  if (found.body.data?.[0]) return found.body.data.at(-1)!.id;
  const target = registry.need(field.to!);
  const made = await call<{ id: number; data?: { id: number } }>(
    'POST',
    `/${target.name}`,
    await sampleRecord(target, registry, call, `${seed}x`),
  );
  return made.body.data?.id ?? made.body.id;
}

/** One valid value for a field that is no relation; `seed` makes texts differ. */
export function sampleValue(field: Field, seed: string): unknown {
  const letters = seed.replace(/[^A-Za-z0-9]/g, '').slice(-8) || 'A';
  switch (field.type) {
    case 'number':
      return Math.max(field.min ?? 3, 3);
    case 'boolean':
      return true;
    case 'date':
      return '2026-11-16';
    case 'time':
      return '14:30';
    case 'datetime':
      return '2026-11-16T14:30:00.000Z';
    case 'email':
      return `sample.${letters.toLowerCase()}@example.test`;
    case 'url':
      return 'https://example.test/page';
    case 'phone':
      return '+49 30 1234567';
    case 'password':
      return 'Sample@1234';
    case 'select':
      return field.options![0]!.value;
    case 'icon':
      return 'folder';
    case 'json':
      return { sample: true };
    case 'permissions':
      return [];
    case 'richText':
      return `<p>Sample ${letters}</p>`;
    default:
      return field.pattern ? `S${letters}` : `Sample ${letters}`.slice(0, field.maxLength);
  }
}
