import type { Definition, Field } from '../../engine/definitions/definition';
import { isEmpty } from '../../engine/values/is-empty';
import { loadChoices } from '../fields/choices/loadChoices';
import type { ApiClient } from '../session/apiClient';
import type { FormTitles } from './useFormTitles';
import type { FormValues } from './useFormValues';

/**
 * Fills these empty relations of a new record with the records that their defaults mean. A value that was chosen meanwhile stays;
 * without an answer the server looks them up when the record is stored.
 */
export function lookUpDefaults(
  { name: resource }: Definition,
  fields: readonly Field[],
  form: FormValues,
  titles: FormTitles,
  { signal, ask }: { readonly signal: AbortSignal; readonly ask: ApiClient },
): void {
  for (const field of fields)
    loadChoices({ resource, field: field.name, parents: { default: 1 } }, signal, ask).then(
      ([choice]) => {
        if (!choice || signal.aborted || !isEmpty(form.current()[field.name])) return;
        titles.add(field, [choice]);
        form.begin({ [field.name]: choice.id });
      },
      () => {},
    );
}
