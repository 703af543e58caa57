import { matchesOnScreen } from '../conditions/match-on-screen';
import type { EvaluationContext } from '../conditions/variables';
import type { Definition, ResourceRecord } from '../definitions/definition';
import { fillTemplate } from '../definitions/labels';
import { createsRecord, type FormMode } from './form-fields';

/**
 * Where to go after saving: the first redirect of the definition with a matching condition; undefined for the list.
 *
 * @example redirectAfterSave(definition, 'create', record, evaluationContext); // '/projects/7'
 */
export function redirectAfterSave(
  definition: Definition,
  mode: FormMode,
  record: ResourceRecord,
  evaluationContext: EvaluationContext,
): string | undefined {
  const moment = createsRecord(mode) ? 'create' : 'edit';
  const redirect = definition.form.redirects.find(
    ({ mode: redirectMode, where: condition }) =>
      (redirectMode === 'both' || redirectMode === moment) &&
      (!condition || matchesOnScreen(definition, condition, record, evaluationContext)),
  );
  return redirect && fillTemplate(redirect.to, record);
}
