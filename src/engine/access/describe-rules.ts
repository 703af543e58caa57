import type { Action, Definition, Rule } from '../definitions/definition';
import { rulesFor } from './access-decision';
import type { RoleHolder } from './audience';
import { joinNames } from '../formats/join-names';
import { describeCondition } from '../conditions/describe-condition';

/**
 * The permission that a rule gives a role: `Developer deletes only tasks that they created.`
 *
 * @example describeRule(definition.rules[0], 'Developer'); // 'Developer deletes only tasks that they created.'
 */
export function describeRule(rule: Rule, roleName: string): string {
  return `${roleName} ${joinNames(rule.actions.map(toThirdPersonVerb))} ${toThirdPerson(rule.reason)}.`;
}

/**
 * The permission that a rule gives one of its roles: `Deletes only tasks that they created`.
 *
 * @example describeRuleForRole(definition.rules[0]); // 'Deletes only tasks that they created'
 */
export function describeRuleForRole(rule: Rule): string {
  return `${capitalize(joinNames(rule.actions.map(toThirdPersonVerb)))} ${toThirdPerson(rule.reason)}`;
}

/**
 * The limits that a rule sets on fields: `Never sets Status or Assignee`; undefined if it names none.
 *
 * @example describeFieldRule(definition.rules[1], definition); // 'Never sets Status or Assignee'
 */
export function describeFieldRule(rule: Rule, definition: Definition): string | undefined {
  const label = (name: string) => definition.fields[name]?.label ?? name;
  const verb = rule.actions.some(isWriting) ? 'sets' : 'sees';
  if (rule.exceptFields?.length) return `Never ${verb} ${joinNames(rule.exceptFields.map(label), 'or')}`;
  if (rule.fields) return `${capitalize(verb)} only ${joinNames(rule.fields.map(label))}`;
  return undefined;
}

/**
 * The distinct conditions of rules, as alternatives; undefined if no rule has one.
 *
 * @example describeConditions(rules); // 'created_by = me'
 */
export function describeConditions(rules: readonly Rule[]): string | undefined {
  const texts = [
    ...new Set(rules.flatMap(({ where: condition }) => (condition ? [describeCondition(condition)] : []))),
  ];
  return texts.length > 0 ? texts.join(' or ') : undefined;
}

/**
 * The rules of a role on an action, and whether they leave only some of the records.
 *
 * @example rulesForRole(definition, { level: 4, role: 'developer' }, 'delete').rows; // true: only some of the records
 */
export function rulesForRole(
  definition: Definition,
  holder: RoleHolder,
  action: Action,
): { rules: readonly Rule[]; rows: boolean } {
  const rules = rulesFor(holder, definition, action);
  return { rules, rows: rules.length > 0 && rules.every((rule) => rule.where) };
}

const isWriting = (action: Action) => action !== 'list' && action !== 'view';
const toThirdPersonVerb = (action: Action) => `${action}s`;
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Reasons address the user who is refused, in the second person. */
function toThirdPerson(reason: string): string {
  return reason.replace(/\byours?\b/g, (word) => (word === 'your' ? 'their' : 'theirs')).replace(/\byou\b/g, 'they');
}
