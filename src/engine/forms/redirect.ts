import { holds } from '../conditions/evaluate';
import type { Surroundings } from '../conditions/variables';
import type { Definition, ResourceRecord } from '../definitions/definition';
import { fillTemplate } from '../definitions/labels';
import { isNew, type FormMode } from './form-fields';

/** Where to go after saving: the first redirect of the definition with a matching condition; undefined for the list. */
export function redirectAfter(
  definition: Definition,
  mode: FormMode,
  record: ResourceRecord,
  surroundings: Surroundings,
): string | undefined {
  const moment = isNew(mode) ? 'create' : 'edit';
  const redirect = definition.form.redirects.find(
    ({ after, when }) => (after === 'both' || after === moment) && (!when || holds(when, record, surroundings)),
  );
  return redirect && fillTemplate(redirect.to, record);
}
