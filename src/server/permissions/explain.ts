import { decide, isGranted } from '../../engine/access/decide';
import { conditionsOf } from '../../engine/access/rule-words';
import type { Definition } from '../../engine/definitions/definition';
import { mustBeGranted } from '../access/reach';
import type { RequestContext } from '../access/request-context';
import { Steps, type Explanation, type Question, type StepKind } from './explanation';
import { grantId } from './grants';
import { refusalOfGuards } from './guards';
import { factsOf } from './record-facts';
import { fieldText, refusalOfField, rowText, words } from './rule-texts';
import { refusalOf, testRecord } from './test-record';

export type { Explanation, Question } from './explanation';

/**
 * Explains a decision for the context's actor with the role `roleName`, in the same steps as for every request. Throws
 * NotFound.
 */
export async function explain(
  context: RequestContext,
  definition: Definition,
  question: Question,
  roleName: string,
): Promise<Explanation> {
  const { actor } = context;
  const { action, id, field } = question;
  const grant = isGranted(actor, definition.name, action) ? grantId(definition.name, action) : null;
  const steps = new Steps();
  const answer = (allowed: boolean, reason: string, rule: string | null): Explanation => ({
    allowed,
    reason,
    grant,
    rule,
    steps: steps.all(),
  });
  const denied = (kind: StepKind, reason: string, rule: string | null = null, text = reason, condition?: string) => {
    steps.fail(kind, text, condition);
    return answer(false, reason, rule);
  };

  const role = `Role ${roleName}, level ${actor.level}`;
  const decision = decide(actor, definition, action);
  if (!grant && !decision.allowed) return denied('grant', decision.reason, null, `${role}, does not hold it.`);
  steps.pass('grant', actor.level === 1 ? `${role}, holds every permission.` : role);
  if (!decision.allowed) return denied('company', decision.reason);
  const refusal = refusalOf(() => mustBeGranted(context, definition, action));
  if (refusal) return denied('company', refusal);

  const { rules } = decision;
  let holding = rules;
  if (id === undefined) {
    steps.pass('row', rowText(rules, actor.level), conditionsOf(rules));
  } else {
    const record = await testRecord(context, definition, question, rules, id);
    if (record.foreign) return denied('company', record.foreign);
    steps.pass('company', record.ownership);
    const facts = await factsOf(context, definition, record.failing ?? rules, id);
    if (record.failing) {
      const reason = `Allowed is ${words(record.failing)}.`;
      const text = `${rowText(record.failing, actor.level)} ${facts.text}`.trim();
      return denied('row', reason, words(record.failing), text, conditionsOf(record.failing));
    }
    holding = record.holding;
    steps.pass('row', `${rowText(rules, actor.level)} ${facts.text}`.trim(), conditionsOf(rules));
    if (record.archived) return denied('archive', record.archived, words(holding));
  }

  const rule = words(holding);
  const fieldRefusal = field === undefined ? undefined : refusalOfField(definition, action, field, rules, holding);
  if (fieldRefusal !== undefined) return denied('field', fieldRefusal.reason, rule, fieldRefusal.text);
  steps.pass('field', fieldText(definition, holding, actor.level));
  const guarded = await refusalOfGuards(context, definition, question);
  if (guarded !== undefined) return denied('guard', guarded, rule);
  const by = actor.level === 1 ? 'Level 1 holds every permission' : `The role grants ${grant}`;
  return answer(true, rule ? `${by}, ${rule}.` : `${by}.`, rule);
}
