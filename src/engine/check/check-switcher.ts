import { joinPointer } from '../definitions/problems';
import type { SwitcherCount } from '../definitions/definition';
import { countedRelation } from '../lists/list-scope';
import { isRelation } from '../field-types/relation';
import { checkCondition } from './check-conditions';
import { reportProblem, resolveReadableField, resolveResource, type CheckSubject } from './check-context';

/** Checks the switcher: one resource has it, and its counts are of records that point to its own. */
export function checkSwitcher(subject: CheckSubject): void {
  const { definition, registry } = subject;
  const switcher = definition.menu?.switcher;
  if (!switcher) return;
  const rival = [...registry.definitions.values()].find(
    ({ name, menu }) => name !== definition.name && menu?.switcher !== undefined,
  );
  if (rival)
    reportProblem(
      subject,
      '/menu/switcher',
      `"${rival.name}" has a switcher, and lists are narrowed to one record. Remove one of both.`,
    );
  switcher.counts.forEach((count, index) => checkCount(subject, joinPointer('/menu/switcher/counts', index), count));
}

function checkCount(subject: CheckSubject, path: string, count: SwitcherCount): void {
  const { resource, relation } = countedRelation(count);
  const sourcePath = joinPointer(path, 'source');
  const source = resolveResource(subject, sourcePath, resource);
  const side = source && resolveReadableField(subject, sourcePath, relation, source);
  if (!source || !side) return;
  const target = subject.definition.name;
  if (side.to !== target || !isRelation(side))
    reportProblem(
      subject,
      sourcePath,
      `"${count.source}" is no relation to one record of ${target}. Name one, as "resource.field".`,
    );
  checkCondition(subject, joinPointer(path, 'where'), count.where, { definition: source });
}
