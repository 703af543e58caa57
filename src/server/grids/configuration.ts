import { closest } from '../../engine/definitions/paths';
import type { Registry } from '../../engine/definitions/registry';
import { unknownMessage } from '../../engine/validation/messages';
import { BadRequest, Invalid } from '../errors/errors';

/** A user's choice for a column of a grid. */
export interface ChosenColumn {
  readonly field: string;
  readonly visibility: boolean;
  readonly filter: boolean;
}

/** The columns that a user chose for a grid; the grid's name is that of its definition. */
export interface GridConfiguration {
  readonly name: string;
  readonly configuration: readonly ChosenColumn[];
}

const atMost = 300;

/** Reads and validates a configuration. Throws BadRequest or Invalid with a message for the user. */
export function readGridConfiguration(registry: Registry, body: unknown): GridConfiguration {
  if (!isObject(body)) throw new BadRequest('The body must be a JSON object.');
  const errors: Record<string, string> = {};
  for (const name of Object.keys(body)) {
    if (name !== 'name' && name !== 'configuration') errors[name] = unknownMessage(name);
  }
  const name = gridName(registry, body.name);
  if (!name.ok) errors.name = name.message;
  const wrong = faultOf(body.configuration) ?? (name.ok ? columnFault(registry, name.name, body) : undefined);
  if (wrong) errors.configuration = wrong;
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  return { name: body.name as string, configuration: body.configuration as ChosenColumn[] };
}

/** Checks the name of a grid, with a message if it is unknown. */
export function gridName(
  registry: Registry,
  name: unknown,
): { ok: true; name: string } | { ok: false; message: string } {
  if (typeof name !== 'string' || name === '') return { ok: false, message: 'Name is required.' };
  if (registry.get(name)) return { ok: true, name };
  const meant = closest(name.slice(0, 100), registry.definitions.keys());
  const hint = meant ? ` Did you mean ${meant}?` : '';
  return { ok: false, message: `There is no grid named ${name.slice(0, 100)}.${hint}` };
}

function faultOf(configuration: unknown): string | undefined {
  if (!Array.isArray(configuration)) return 'Configuration must be a list of columns.';
  if (configuration.length > atMost) return `Configuration must have at most ${atMost} columns.`;
  const seen = new Set<string>();
  for (const column of configuration) {
    if (!isColumn(column))
      return 'Each column is { "field": text, "visibility": true or false, "filter": true or false }.';
    if (seen.has(column.field)) return `Column ${column.field} is listed twice.`;
    seen.add(column.field);
  }
  return configuration.some((column: ChosenColumn) => column.visibility)
    ? undefined
    : 'Please select at least one column.';
}

function columnFault(registry: Registry, name: string, body: Record<string, unknown>): string | undefined {
  for (const column of registry.need(name).list.columns) {
    const chosen = (body.configuration as ChosenColumn[]).find(({ field }) => field === column.field);
    if (column.fixed && chosen?.visibility === false) return `Column ${column.label} cannot be hidden.`;
  }
  return undefined;
}

function isColumn(value: unknown): value is ChosenColumn {
  if (!isObject(value) || Object.keys(value).length !== 3) return false;
  const { field, visibility, filter } = value;
  const named = typeof field === 'string' && /^[A-Za-z_][\w.]{0,126}$/.test(field);
  return named && typeof visibility === 'boolean' && typeof filter === 'boolean';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
