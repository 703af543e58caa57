import fc from 'fast-check';
import { isVariable } from '../../src/engine/conditions/grammar';
import type { Definition, Field, ResourceRecord } from '../../src/engine/definitions/definition';
import { fieldTypeOf } from '../../src/engine/field-types';
import type { Registry } from '../../src/engine/registry/registry';
import { writableFields } from '../../src/engine/validation/record-schema';
import type { Client } from './program';

/** The content of a response's envelope, if the definition has one. */
export function unwrap<T = ResourceRecord & { id: number }>(definition: Definition, body: unknown): T {
  return (definition.envelope ? (body as { data: unknown }).data : body) as T;
}

/**
 * Valid values for a new record, generated from the definition: every field of the form, with related records chosen from
 * `choices` (created first if there are none). Fields of many relations are filled too, because the choices of other
 * records often depend on them. `seed` makes texts differ; `given` is what the record has
 * already, such as its company.
 */
export async function sampleRecord(
  definition: Definition,
  registry: Registry,
  call: Client,
  seed: string,
  given: ResourceRecord = {},
): Promise<ResourceRecord> {
  const values: ResourceRecord = { ...given };
  for (const field of writableFields(definition)) {
    if (field.system) continue;
    if (!field.to)
      values[field.name] = isAddressList(field) ? await fetchOwnAddress(call) : sampleValue(field, seed, values);
    else if ((field.requiredInForm || field.type === 'relations') && field.to !== definition.name) {
      const id = await choose(definition, field, registry, call, values, seed);
      values[field.name] = field.type === 'relations' ? [id] : id;
    }
  }
  // A view is of a list that there is, and keeps what that list has.
  if (definition.name === 'pages') return { ...values, tiles: [{ id: 'users', kind: 'number', module: 'users' }] };
  // One of a company is the default, and its zone exists.
  if (definition.name === 'calendars') return { ...values, is_default: false, time_zone: 'Europe/Berlin' };
  if (definition.name === 'snippets') return { ...values, modules: 'users' };
  return definition.name === 'views' ? { ...values, module: 'users', settings: {} } : values;
}

/** Whether a text field is a list of email addresses: the program requires that they are confirmed. */
function isAddressList({ type, pattern }: Field): boolean {
  const rule = type === 'text' && pattern !== undefined ? new RegExp(pattern, 'u') : undefined;
  return rule !== undefined && rule.test('a@example.test') && !rule.test('a');
}

async function fetchOwnAddress(call: Client): Promise<string> {
  return (await call<{ data: { user: { email: string } } }>('GET', '/me')).body.data.user.email;
}

async function choose(
  definition: Definition,
  field: Field,
  registry: Registry,
  call: Client,
  values: ResourceRecord,
  seed: string,
): Promise<number> {
  const parents = Array.from(JSON.stringify(field.choices ?? {}).matchAll(/"\$form\.(\w+)"/g), (match) => match[1]!);
  const given = parents.map((name) => [name, String(values[name] ?? '')]);
  if (values.site_id !== undefined) given.push(['site_id', String(values.site_id)]);
  const query = new URLSearchParams(given).toString();
  const found = await call<{ data?: { id: number }[] }>('GET', `/${definition.name}/choices/${field.name}?${query}`);
  if (found.body.data?.[0]) return found.body.data.at(-1)!.id;
  const target = registry.getOrThrow(field.to!);
  const made = await call('POST', `/${target.name}`, await sampleRecord(target, registry, call, `${seed}x`));
  return unwrap(target, made.body).id;
}

/** A valid value of a field that is not a relation; `values`: the record so far, which the value may depend on. */
export function sampleValue(field: Field, seed: string, values: ResourceRecord = {}): unknown {
  const letters = seed.replace(/[^A-Za-z0-9]/g, '').slice(-8);
  switch (field.type) {
    case 'number':
      return Math.min(Math.max(field.min ?? 3, 3), field.max ?? 3);
    case 'boolean':
      return true;
    case 'date':
      return field.maxDate === undefined ? '2026-11-16' : '2024-02-29';
    case 'time': {
      const time = field.laterThan !== undefined && values[field.laterThan] !== undefined ? '15:45' : '14:30';
      return field.dateField === undefined ? time : `${String(values[field.dateField])} ${time}`;
    }
    case 'datetime':
      return '2026-11-16T14:30:00.000Z';
    case 'email':
      return `sample.${letters.toLowerCase()}@example.test`;
    case 'url':
      return 'https://example.test/page';
    case 'phone':
      return '+49 30 1234567';
    case 'password':
      return 'Quiet#Sample7river';
    case 'select':
      return field.default !== undefined && !isVariable(field.default) ? field.default : field.options!.at(-1)!.value;
    case 'icon':
      return 'folder';
    case 'json':
      return { sample: true };
    case 'image':
    case 'files':
      return null;
    case 'permissions':
      return [];
    case 'rows':
      return [sampleRow(field, seed)];
    case 'richText':
      return `<p>Sample ${letters}</p>`;
    default:
      return sampleText(field, letters);
  }
}

function sampleRow(field: Field, seed: string): ResourceRecord {
  const columns = Object.values(field.columns ?? {}).filter((column) => !column.to && !fieldTypeOf(column).isDerived);
  const row: ResourceRecord = {};
  for (const column of columns) row[column.name] = sampleValue(column, seed, row);
  return row;
}

function sampleText({ pattern, minLength = 0, maxLength = 255, default: usually }: Field, letters: string): string {
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength && text === text.trim();
  if (pattern === undefined) return `Sample ${letters}`.slice(-maxLength).trim().padEnd(minLength, 'x');
  const rule = new RegExp(pattern, 'u');
  // A default value is valid even if hooks have rules that the definition does not express.
  if (typeof usually === 'string') return usually;
  const usual = [
    `Sample ${letters}`,
    `S${letters}`,
    letters.toLowerCase(),
    letters.replace(/\d/g, 'x'),
    `s${letters}@example.test`,
  ];
  const found = usual.find((text) => rule.test(text) && fits(text));
  if (found !== undefined) return found;
  const printable = fc.stringMatching(rule).filter((text) => fits(text) && /^[ -~]+$/.test(text));
  return fc.sample(printable, { numRuns: 1, seed: letters.length })[0]!;
}

/** An invalid value of a field; undefined for a field that accepts everything. */
export function wrongValue(field: Field): unknown {
  return field.type === 'json' ? undefined : { not: { a: 'value' } };
}
