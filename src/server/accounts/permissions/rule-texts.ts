import { describeFieldRule, describeRule } from '../../../engine/access/describe-rules';
import type { Action, Definition, Rule } from '../../../engine/definitions/definition';
import { ruledName } from '../../../engine/expressions/derivations';
import { writableFields } from '../../../engine/validation/record-schema';
import { ruleAllowsField } from '../../access/access-filter';
import { fieldOf } from '../../../engine/definitions/accessors';

/** Why a field is not accessible: because of a rule, or because nobody can read or write it. */
export function explainFieldRefusal(
  definition: Definition,
  action: Action,
  name: string,
  rules: readonly Rule[],
  grantingRules: readonly Rule[],
): { reason: string; text: string } | undefined {
  const field = fieldOf(definition, name);
  const sentence = (reason: string) => ({ reason, text: reason });
  if (rules.length > 0 && !grantingRules.some((rule) => ruleAllowsField(rule, ruledName(field)))) {
    const text = grantingRules.flatMap((rule) => describeFieldRule(rule, definition) ?? []).join('. ');
    return {
      reason: `${field.label} is denied: ${joinReasons(grantingRules)}.`,
      text: `${text || `Without ${field.label}`}.`,
    };
  }
  if (action === 'list' || action === 'view') {
    return field.secret ? sentence(`${field.label} never leaves the server.`) : undefined;
  }
  const isWritten = writableFields(definition).some((field) => field.name === name);
  return isWritten || action === 'delete' ? undefined : sentence(`${field.label} is written only by the program.`);
}

/** Row rules as text. */
export function rowText(rules: readonly Rule[], roleName: string): string {
  const conditionalRules = rules.filter(({ where: condition }) => condition);
  const effectiveRules = rules.every(({ where: condition }) => condition) ? conditionalRules : [];
  return effectiveRules.length > 0
    ? effectiveRules.map((rule) => describeRule(rule, roleName)).join(' ')
    : `No row rule for ${roleName}.`;
}

/** Field rules as text. */
export function fieldText(definition: Definition, rules: readonly Rule[], roleName: string): string {
  const texts = rules.map((rule) => describeFieldRule(rule, definition));
  // A rule without fields allows all of them.
  return texts.length === 0 || texts.includes(undefined) ? `No field rule for ${roleName}.` : `${texts.join('. ')}.`;
}

/** The reasons of rules, as written in the definition. */
export function joinReasons(rules: readonly Rule[]): string | null {
  return rules.length === 0 ? null : [...new Set(rules.map(({ reason }) => reason))].join(', or ');
}
