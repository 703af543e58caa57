import { closestName } from '../../engine/definitions/problems';
import type { Registry } from '../../engine/definitions/registry';
import { unknownPropertyMessage } from '../../engine/validation/messages';
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

const maxColumns = 300;

/** Reads and validates a configuration. Throws BadRequest or Invalid with a message for the user. */
export function parseGridConfiguration(registry: Registry, body: unknown): GridConfiguration {
  if (!isObject(body)) throw new BadRequest('The body must be a JSON object.');
  const errors: Record<string, string> = {};
  for (const name of Object.keys(body)) {
    if (name !== 'name' && name !== 'configuration') errors[name] = unknownPropertyMessage(name);
  }
  const name = validateGridName(registry, body.name);
  if (!name.ok) errors.name = name.message;
  const wrong =
    configurationProblem(body.configuration) ?? (name.ok ? columnProblem(registry, name.name, body) : undefined);
  if (wrong) errors.configuration = wrong;
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  return { name: body.name as string, configuration: body.configuration as ChosenColumn[] };
}

/** Checks the name of a grid, with a message if it is unknown. */
export function validateGridName(
  registry: Registry,
  name: unknown,
): { ok: true; name: string } | { ok: false; message: string } {
  if (typeof name !== 'string' || name === '') return { ok: false, message: 'Name is required.' };
  if (registry.get(name)) return { ok: true, name };
  const meant = closestName(name.slice(0, 100), registry.definitions.keys());
  const hint = meant ? ` Did you mean ${meant}?` : '';
  return { ok: false, message: `There is no grid named ${name.slice(0, 100)}.${hint}` };
}

function configurationProblem(configuration: unknown): string | undefined {
  if (!Array.isArray(configuration)) return 'Configuration must be a list of columns.';
  if (configuration.length > maxColumns) return `Configuration must have at most ${maxColumns} columns.`;
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

function columnProblem(registry: Registry, name: string, body: Record<string, unknown>): string | undefined {
  for (const column of registry.getOrThrow(name).list.columns) {
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
