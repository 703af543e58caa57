import type { Draft } from '../draft';
import { formatCount } from '../formatCount';
import { errorsInOtherModules, draftErrors } from '../draftPlaces';
import { firstOf } from '../../../engine/values/lookups';

/** A summary of the plan: `3 steps, reversible, no rows lost`. `alarming`: whether it needs attention. */
export function planSummary(draft: Draft): { text: string; alarming: boolean } {
  const { plan, planError, planning, unreadable, changes, purge } = draft;
  const calm = (text: string) => ({ text, alarming: false });
  const waits = (condition: string) => calm(`of the last valid draft; Publish waits until ${condition} fixed`);
  if (unreadable) return waits(`line ${unreadable.line} is`);
  if (planError) return { text: `The plan could not be made: ${planError}`, alarming: true };
  const [errors, otherErrorCount] = [draftErrors(draft), errorsInOtherModules(draft).length];
  if (errors.length > 0 && otherErrorCount > 0)
    return waits(`${formatCount(errors.length, 'error')} here and ${otherErrorCount} in other modules are`);
  if (errors.length > 0)
    return waits(errors.length === 1 ? `${errorSubject(firstOf(errors).path)} is` : `${errors.length} errors are`);
  if (otherErrorCount > 0) return { text: 'Other modules would break: fix them first', alarming: true };
  if (changes.length === 0 && purge.length === 0) return calm('No changes');
  if (!plan) return calm(planning ? 'Loading the plan…' : '');
  const { steps } = plan;
  const forbidden = steps.filter((step) => step.forbidden);
  const lossCount = steps.filter(
    ({ destructive, keeps: keptColumn, forbidden }) => destructive && keptColumn === undefined && !forbidden,
  ).length;
  const countedSteps = steps.filter(({ uncounted }) => !uncounted);
  const misfits = countedSteps.reduce(
    (sum, { keeps: keptColumn, rows }) => sum + (keptColumn === undefined ? 0 : rows),
    0,
  );
  const brokenRules = steps.filter(({ kind, rows }) => kind === 'rule' && rows > 0);
  if (steps.length === 0) return calm('No changes to tables, only to screens');
  const count = formatCount(steps.length, 'step');
  if (forbidden.length > 0) {
    const rows = forbidden.reduce((sum, step) => sum + step.rows, 0);
    return {
      text: `${count}, not possible: ${rows} record${rows === 1 ? ' violates' : 's violate'} it`,
      alarming: true,
    };
  }
  if (lossCount > 0)
    return { text: `${count}, ${lossCount === 1 ? 'one' : lossCount} cannot be undone`, alarming: true };
  if (misfits > 0) {
    const fit =
      misfits === 1 ? 'does not fit its new type; its column is' : 'do not fit their new type; their columns are';
    return { text: `${count}, ${formatCount(misfits, 'value')} ${fit} kept`, alarming: true };
  }
  if (countedSteps.length < steps.length)
    return { text: `${count}, values that do not fit could not be counted; their columns are kept`, alarming: true };
  if (brokenRules.length > 0) {
    const rows = brokenRules.reduce((sum, step) => sum + step.rows, 0);
    return { text: `${count}, ${rows} record${rows === 1 ? ' breaks' : 's break'} a new rule`, alarming: true };
  }
  return calm(`${count}, reversible, no rows lost`);
}

/** The field or key of an error's path: `/fields/build_url/maxLenght` → `build_url`. */
function errorSubject(path: string): string {
  const [, part = 'the definition', name] = path.split('/');
  return part === 'fields' && name ? name : part;
}
