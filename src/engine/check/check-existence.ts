import { isRows } from '../field-types/rows';
import { menuActions } from '../language/row-actions';
import { namesIn, type NameInSource } from '../references/names-in';
import { Scopes } from '../references/scopes';
import { isJsonObject } from '../formats/json';
import { reportProblem, type CheckSubject } from './check-context';
import type { Definition } from '../definitions/definition';
import { joinPointer, unknownNameMessage } from '../definitions/problems';
import { rowDefinition } from '../field-types/row-definition';

/**
 * Reports each name of something that does not exist, wherever the language says that a name stands. Names with rules of
 * their own, such as paths, are resolved by the checks of these rules: what they reported is not reported again.
 */
export function checkExistence(subject: CheckSubject): void {
  const reportedPaths = subject.problems.map(({ path }) => path);
  const scopes = new Scopes(subject.source);
  for (const mention of namesIn(subject.source)) {
    const candidates = candidatesOf(subject, mention, scopes);
    if (!candidates || candidates.names.includes(mention.name)) continue;
    const path = joinPointer('', ...mention.steps);
    if (reportedPaths.some((reportedPath) => reportedPath === path || reportedPath.startsWith(`${path}/`))) continue;
    const { kind, names, suffix = '' } = candidates;
    reportProblem(subject, path, unknownNameMessage(kind, mention.name, names).replace('.', `${suffix}.`));
  }
}

/** The names that exist of a kind. */
interface Candidates {
  readonly kind: string;
  readonly names: readonly string[];
  /** Where they exist, if not in the definition: ` in users`. */
  readonly suffix?: string;
}

/** The names of which one must stand at a place; undefined if another check knows them. */
function candidatesOf(subject: CheckSubject, mention: NameInSource, scopes: Scopes): Candidates | undefined {
  const { definition, registry, brokenResources } = subject;
  if (isNamedOtherwise(mention)) return undefined;
  switch (mention.reference.kind) {
    case 'field':
      return fieldsOf(subject, mention, scopes);
    case 'resource':
      return { kind: 'resource', names: [...registry.definitions.keys(), ...brokenResources] };
    case 'request':
      return { kind: 'request', names: Object.keys(definition.requests) };
    case 'action':
      return { kind: 'row action', names: [...definition.list.actions.map((action) => action.name), ...menuActions] };
    case 'tab':
      return { kind: 'tab', names: definition.list.tabs.map((tab) => tab.name) };
    default:
      return undefined;
  }
}

/** Whether a value stands for itself, or a key beside it says what it names instead. */
function isNamedOtherwise({ name, reference: { words, unless }, holders }: NameInSource): boolean {
  const holder = holders.findLast(isJsonObject);
  return words?.includes(name) === true || (unless !== undefined && holder?.[unless] !== undefined);
}

function fieldsOf(subject: CheckSubject, mention: NameInSource, scopes: Scopes): Candidates | undefined {
  const { name, reference, steps, holders } = mention;
  // A period (`due:month`), a range (`due_from`), the code of a currency, and names of requests have checks of their own.
  const { orParameter, orTab, listedIn } = reference;
  if (!/^[a-z][A-Za-z0-9_]*$/.test(name) || orParameter || orTab || listedIn) return undefined;
  // A field of the system does not say there what it points to.
  const target = reference.in === 'to' ? subject.definition.fields[steps[1] ?? '']?.to : undefined;
  const definition = definitionOf(subject, scopes.scopeOf(reference, steps, holders) ?? target);
  if (!definition) return undefined;
  const names = Object.keys(definition.fields);
  if (definition === subject.definition) return { kind: 'field', names };
  // Queries of other lists take parameters too, and what is shown of other records embeds: their checks know which.
  const embeds = Object.values(definition.fields).flatMap(({ embed }) => embed ?? []);
  const otherNames = [...Object.keys(definition.parameters), ...embeds];
  return { kind: 'field', names: [...names, ...otherNames], suffix: ` in ${definition.name}` };
}

/** A resource, or the rows of a field. */
function definitionOf({ definition, registry }: CheckSubject, scope = ''): Definition | undefined {
  if (scope === definition.name) return definition;
  const rows = scope.startsWith(`${definition.name}.`)
    ? definition.fields[scope.slice(definition.name.length + 1)]
    : undefined;
  return rows && isRows(rows) ? rowDefinition(definition, rows) : registry.get(scope);
}
