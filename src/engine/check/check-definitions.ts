import { checkAccess } from './check-access';
import { checkAutomations } from './check-automations';
import { checkComments } from './check-comments';
import { checkCycles } from './check-cycles';
import { checkExistence } from './check-existence';
import { checkExports } from './check-exports';
import { checkFields } from './check-fields';
import { checkForm } from './check-form';
import { checkImport } from './check-import';
import { checkList } from './check-list';
import { checkNames } from './check-names';
import { checkOverlap } from './check-overlap';
import { checkPage } from './check-page';
import { checkPrint } from './check-print';
import { checkPublic } from './check-public';
import { checkRequests } from './check-requests';
import { checkMenu } from './check-menu';
import { checkSwitcher } from './check-switcher';
import { checkTimer } from './check-timer';
import { checkUnique } from './check-unique';
import { checkValidate } from './check-validate';
import type { CheckSubject } from './check-context';
import type { Definition } from '../definitions/definition';
import type { Problem } from '../definitions/problems';
import { createRegistry, type Registry } from '../registry/registry';
import type { Source } from '../language/source';

/** A source definition (which passed the schemas) and its normalised form. */
export interface CheckedDefinition {
  readonly source: Source;
  readonly definition: Definition;
}

/**
 * Checks definitions against each other: every name must refer to something in its own or a referenced definition.
 * Returns the problems by definition name; definitions without problems are left out. `unread` lists resources with
 * broken files.
 */
export function checkReferences(
  definitions: readonly CheckedDefinition[],
  unread: ReadonlySet<string> = new Set(),
): Map<string, Problem[]> {
  const registry = createRegistry(definitions.map(({ definition }) => definition));
  const problems = new Map<string, Problem[]>();
  for (const checked of definitions) {
    const faults = checkDefinition(checked, registry, unread);
    if (faults.length > 0) problems.set(checked.definition.name, faults);
  }
  return problems;
}

/** Checks one definition against all definitions, including itself. */
export function checkDefinition(
  { source, definition }: CheckedDefinition,
  registry: Registry,
  unread: ReadonlySet<string> = new Set(),
): Problem[] {
  // As the registry has it: with the types of lookups and rollups.
  const subject: CheckSubject = {
    source,
    definition: registry.get(definition.name) ?? definition,
    registry,
    brokenResources: unread,
    problems: [],
  };
  for (const check of [
    checkNames,
    checkFields,
    checkList,
    checkForm,
    checkRequests,
    checkImport,
    checkExports,
    checkAccess,
    checkUnique,
    checkOverlap,
    checkValidate,
    checkAutomations,
    checkComments,
    checkPage,
    checkPrint,
    checkPublic,
    checkMenu,
    checkSwitcher,
    checkTimer,
    checkExistence,
  ])
    check(subject);
  return [...subject.problems, ...checkCycles(definition, registry)];
}
