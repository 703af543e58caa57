import { decideAccess, isGranted } from '../../../engine/access/access-decision';
import { describeConditions } from '../../../engine/access/describe-rules';
import { joinNames } from '../../../engine/formats/join-names';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { conditionNeeds } from '../../../engine/expressions/condition-needs';
import { transitionChoices } from '../../../engine/validation/transitions';
import { assertGranted, scopeRefusal } from '../../access/access-filter';
import type { RequestContext } from '../../access/request-context';
import { Steps, type Explanation, type Question, type StepKind } from './explanation';
import { grantId } from './grants';
import { guardRefusal } from './guard-refusal';
import { loadRecordFacts } from './record-facts';
import { fieldText, explainFieldRefusal, rowText, joinReasons } from './rule-texts';
import { catchRefusal, checkRecord } from './check-record';
import { formContext } from '../../records/write/input';
import { readRowUnlocked } from '../../records/write/stored-row';
import { relatedStates } from '../../records/write/states';

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

  const role = `Role ${roleName}`;
  const decision = decideAccess(actor, definition, action);
  const scope = scopeRefusal(actor, definition, action);
  if (scope !== undefined) return denied('grant', scope, null, `${role}, holds it. ${scope}`);
  if (!grant && !decision.allowed) return denied('grant', decision.reason, null, `${role}, does not hold it.`);
  steps.pass('grant', actor.level === 1 ? `${role}, holds every permission.` : role);
  if (!decision.allowed) return denied('company', decision.reason);
  const refusal = catchRefusal(() => assertGranted(context, definition, action));
  if (refusal) return denied('company', refusal);

  const { rules } = decision;
  let holding = rules;
  let stored: ResourceRecord | undefined;
  if (id === undefined) {
    steps.pass('row', rowText(rules, roleName), describeConditions(rules));
  } else {
    const record = await checkRecord(context, definition, question, rules, id);
    if (record.foreign) return denied('company', record.foreign);
    steps.pass('company', record.ownership);
    const facts = await loadRecordFacts(context, definition, record.failing ?? rules, id);
    if (record.failing) {
      const reason = `Allowed is ${joinReasons(record.failing)}.`;
      const text = `${rowText(record.failing, roleName)} ${facts.text}`.trim();
      return denied('row', reason, joinReasons(record.failing), text, describeConditions(record.failing));
    }
    holding = record.holding;
    ({ stored } = record);
    steps.pass('row', `${rowText(rules, roleName)} ${facts.text}`.trim(), describeConditions(rules));
    if (record.archived) return denied('archive', record.archived, joinReasons(holding));
  }

  const rule = joinReasons(holding);
  const fieldRefusal = field === undefined ? undefined : explainFieldRefusal(definition, action, field, rules, holding);
  if (fieldRefusal !== undefined) return denied('field', fieldRefusal.reason, rule, fieldRefusal.text);
  steps.pass('field', fieldText(definition, holding, roleName));
  const asked = field === undefined ? undefined : definition.fields[field];
  if (stored && action === 'edit' && asked?.transitions) {
    const { kysely } = context.program.database;
    const needs = conditionNeeds(
      definition,
      asked.transitions.map(({ where }) => where),
    );
    const isPlain = needs.tests.length + needs.computed.length === 0;
    // Rows are not in the table of the record.
    const before = isPlain ? stored : (await readRowUnlocked(context, definition, id!)).values;
    const { from, open, closed } = transitionChoices(definition.fields, asked, {
      ...(await formContext(context, definition, needs, { values: before, before }, kysely)),
      record: before,
      states: await relatedStates(context, definition, [stored], kysely),
    });
    const why = closed.join(' ');
    if (open.length === 0) return denied('transition', why || `${from} is final.`, rule);
    steps.pass('transition', `From ${from} it can change to ${joinNames(open, 'or')}. ${why}`.trim());
  }
  const guarded = await guardRefusal(context, definition, question);
  if (guarded !== undefined) return denied('guard', guarded, rule);
  const by =
    actor.level === 1 ? 'Administrators of the installation hold every permission' : `The role grants ${grant}`;
  return answer(true, rule ? `${by}, ${rule}.` : `${by}.`, rule);
}
