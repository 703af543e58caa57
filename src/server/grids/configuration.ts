import { closestName } from '../../engine/definitions/problems';
import type { Registry } from '../../engine/registry/registry';
import type { FieldErrors } from '../../engine/validation/validate-values';
import { Invalid } from '../errors/errors';
import type { GridConfiguration } from './calls';

/** Throws Invalid for an unknown grid, for columns listed twice, and if no column or a fixed one not is shown. */
export function assertValidConfiguration(registry: Registry, { name, configuration }: GridConfiguration): void {
  const errors: FieldErrors = {};
  const nameProblem = gridNameProblem(registry, name);
  if (nameProblem !== undefined) errors.name = nameProblem;
  const columnsProblem = configurationProblem(registry, { name, configuration });
  if (columnsProblem !== undefined) errors.configuration = columnsProblem;
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
}

/** The message for the name of an unknown grid. */
export function gridNameProblem(registry: Registry, name: string): string | undefined {
  if (registry.get(name)) return undefined;
  const closestResource = closestName(name.slice(0, 100), registry.definitions.keys());
  const hint = closestResource ? ` Did you mean ${closestResource}?` : '';
  return `There is no grid named ${name.slice(0, 100)}.${hint}`;
}

function configurationProblem(registry: Registry, { name, configuration }: GridConfiguration): string | undefined {
  const seenFields = new Set<string>();
  for (const { field } of configuration) {
    if (seenFields.has(field)) return `Column ${field} is listed twice.`;
    seenFields.add(field);
  }
  if (!configuration.some(({ visibility }) => visibility)) return 'Please select at least one column.';
  const hidden = new Set(configuration.filter(({ visibility }) => !visibility).map(({ field }) => field));
  const fixedColumn = registry.get(name)?.list.columns.find((column) => column.fixed && hidden.has(column.field));
  return fixedColumn && `Column ${fixedColumn.label} cannot be hidden.`;
}
