import { useMemo, useState } from 'react';
import type { Surroundings } from '../../engine/conditions/variables';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { formAccess, type FormAccess } from '../../engine/forms/form-access';
import { formSections, type FormMode, type FormSection } from '../../engine/forms/form-fields';
import { formSchema, formUiSchema, type FormSchema, type FormUiSchema } from '../../engine/forms/form-schema';
import { useDefinitions } from '../admin/DefinitionsContext';
import { useMe } from '../admin/DefinitionsProvider';
import { localToday } from '../fields/localTime';

/** What a form is made of, before anybody types. */
export interface FormModel {
  readonly definition: Definition;
  readonly mode: FormMode;
  readonly sections: readonly FormSection[];
  readonly fields: readonly Field[];
  readonly access: FormAccess;
  readonly surroundings: Surroundings;
  readonly schema: FormSchema;
  readonly uiSchema: FormUiSchema;
}

/** Derives the form of a definition for the signed-in actor. `record` is the stored one, where there is one; `locked` fields are given. */
export function useFormModel(
  definition: Definition,
  mode: FormMode,
  record: ResourceRecord | undefined,
  locked: readonly string[],
): FormModel {
  const { actor } = useDefinitions();
  const me = useMe();
  const [now] = useState(() => new Date().toISOString());
  const sections = useMemo(() => formSections(definition, mode, actor), [definition, mode, actor]);
  const fields = useMemo(() => sections.flatMap((section) => section.fields), [sections]);
  const surroundings = useMemo<Surroundings>(
    // The totals that came with the actor may decide where saving leads.
    () => ({ actor: { ...me, ...actor }, record, today: localToday(), now }),
    [me, actor, record, now],
  );
  const access = useMemo(() => {
    const { fields: open, ...access } = formAccess(definition, mode, actor, record, surroundings);
    return { ...access, fields: new Set([...open].filter((name) => !locked.includes(name))) };
  }, [definition, mode, actor, record, surroundings, locked]);
  const schema = useMemo(() => formSchema(fields), [fields]);
  const uiSchema = useMemo(() => formUiSchema(fields), [fields]);
  return { definition, mode, sections, fields, access, surroundings, schema, uiSchema };
}
