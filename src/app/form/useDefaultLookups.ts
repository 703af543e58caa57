import { useEffect } from 'react';
import type { Definition } from '../../engine/definitions/definition';
import { defaultLookup } from '../../engine/field-types/relation';
import { createsRecord } from '../../engine/forms/form-fields';
import { isEmpty } from '../../engine/validation/is-empty';
import { loadChoices } from '../choices/loadChoices';
import type { ApiClient } from '../session/apiClient';
import type { FormModel } from './useFormModel';
import type { FormTitles } from './useFormTitles';
import type { FormValues } from './useFormValues';

/**
 * Fills the empty relations of a new record whose default is looked up. What was chosen meanwhile stays; without an answer
 * the server looks it up when the record is stored.
 */
export function useDefaultLookups(
  definition: Definition,
  { fields, mode }: FormModel,
  form: FormValues,
  titles: FormTitles,
  ask: ApiClient,
): void {
  useEffect(() => {
    const open = createsRecord(mode)
      ? fields.filter((field) => defaultLookup(field) && isEmpty(form.current()[field.name]))
      : [];
    const controller = new AbortController();
    for (const field of open)
      loadChoices({ resource: definition.name, field: field.name, isDefault: true }, controller.signal, ask).then(
        ([choice]) => {
          if (!choice || controller.signal.aborted || !isEmpty(form.current()[field.name])) return;
          titles.add(field, [choice]);
          form.begin({ [field.name]: choice.id });
        },
        () => {},
      );
    return () => controller.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- a form begins once
  }, []);
}
