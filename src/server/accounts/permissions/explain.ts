import { Level } from '../../../engine/definitions/level';
import { decideAccess, isGranted } from '../../../engine/access/access-decision';
import { describeConditions } from '../../../engine/access/describe-rules';
import { joinNames } from '../../../engine/formats/join-names';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import { conditionNeeds } from '../../../engine/expressions/condition-needs';
import { transitionChoices } from '../../../engine/validation/transitions';
import { assertGranted, scopeRefusal } from '../../access/access-filter';
import type { RecordScope } from '../../access/record-scope';
import { Steps, type Explanation, type Question, type StepKind } from './explanation';
import { grantId } from './grants';
import { guardRefusal } from './guard-refusal';
import { loadRecordFacts } from './record-facts';
import { fieldText, explainFieldRefusal, rowText, joinReasons } from './rule-texts';
import { catchRefusal, checkRecord } from './check-record';
import { formContext } from '../../records/write/input';
import { readRowUnlocked } from '../../records/write/stored-row';
import { relatedStates } from '../../records/write/states';
import { idOf } from '../../../engine/definitions/accessors';

export type { Explanation, Question } from './explanation';

/**
 * Explains a decision for the context's actor with the role `roleName`, in the same steps as for every request. Throws
 * NotFound.
 */
export async function explain(
  { context, definition }: RecordScope,
  question: Question,
  roleName: string,
): Promise<Explanation> {
  const { actor } = context;
  const { action, id, field } = question;
  const grant = isGranted(actor, definition.name, action) ? grantId(definition.name, action) : null;
  const steps = new Steps();
  const answer = (isAllowed: boolean, reason: string, rule: string | null): Explanation => ({
    allowed: isAllowed,
    reason,
    grant,
    rule,
    steps: steps.all(),
  });
  const denyAt = (kind: StepKind, reason: string, rule: string | null = null, text = reason, condition?: string) => {
    steps.fail(kind, text, condition);
    return answer(false, reason, rule);
  };

  const role = `Role ${roleName}`;
  const decision = decideAccess(actor, definition, action);
  const scope = scopeRefusal(actor, definition, action);
  if (scope !== undefined) return denyAt('grant', scope, null, `${role}, holds it. ${scope}`);
  if (!grant && !decision.allowed) return denyAt('grant', decision.reason, null, `${role}, does not hold it.`);
  steps.pass('grant', actor.level === Level.Installation ? `${role}, holds every permission.` : role);
  if (!decision.allowed) return denyAt('company', decision.reason);
  const refusal = catchRefusal(() => assertGranted(context, definition, action));
  if (refusal) return denyAt('company', refusal);

  const { rules } = decision;
  let decidingRules = rules;
  let storedRow: ResourceRecord | undefined;
  if (id === undefined) {
    steps.pass('row', rowText(rules, roleName), describeConditions(rules));
  } else {
    const record = await checkRecord({ context, definition }, question, rules, id);
    if (record.foreign) return denyAt('company', record.foreign);
    steps.pass('company', record.ownership);
    const facts = await loadRecordFacts({ context, definition }, record.failing ?? rules, id);
    if (record.failing) {
      const reason = `Allowed is ${joinReasons(record.failing)}.`;
      const text = `${rowText(record.failing, roleName)} ${facts.text}`.trim();
      return denyAt('row', reason, joinReasons(record.failing), text, describeConditions(record.failing));
    }
    decidingRules = record.holding;
    ({ stored: storedRow } = record);
    steps.pass('row', `${rowText(rules, roleName)} ${facts.text}`.trim(), describeConditions(rules));
    if (record.archived) return denyAt('archive', record.archived, joinReasons(decidingRules));
  }

  const rule = joinReasons(decidingRules);
  const fieldRefusal =
    field === undefined ? undefined : explainFieldRefusal(definition, action, field, rules, decidingRules);
  if (fieldRefusal !== undefined) return denyAt('field', fieldRefusal.reason, rule, fieldRefusal.text);
  steps.pass('field', fieldText(definition, decidingRules, roleName));
  const checkedField = field === undefined ? undefined : definition.fields[field];
  if (storedRow && action === 'edit' && checkedField?.transitions) {
    const { kysely } = context.program.database;
    const conditionInputs = conditionNeeds(
      definition,
      checkedField.transitions.map(({ where: condition }) => condition),
    );
    const isPlain = conditionInputs.tests.length + conditionInputs.computed.length === 0;
    // Rows are not in the table of the record.
    const transitionRow = isPlain ? storedRow : (await readRowUnlocked(context, definition, idOf({ id }))).values;
    const {
      from: currentValue,
      open,
      closed: unreachable,
    } = transitionChoices(definition.fields, checkedField, {
      ...(await formContext({ context, definition, queries: kysely }, conditionInputs, {
        values: transitionRow,
        before: transitionRow,
      })),
      record: transitionRow,
      states: await relatedStates({ context, definition, queries: kysely }, [storedRow]),
    });
    const unreachableText = unreachable.join(' ');
    if (open.length === 0) return denyAt('transition', unreachableText || `${currentValue} is final.`, rule);
    steps.pass(
      'transition',
      `From ${currentValue} it can change to ${joinNames(open, 'or')}. ${unreachableText}`.trim(),
    );
  }
  const guardMessage = await guardRefusal(context, definition, question);
  if (guardMessage !== undefined) return denyAt('guard', guardMessage, rule);
  const grantText =
    actor.level === Level.Installation
      ? 'Administrators of the installation hold every permission'
      : `The role grants ${grant}`;
  return answer(true, rule ? `${grantText}, ${rule}.` : `${grantText}.`, rule);
}
