import { useMemo, useState } from 'react';
import type { EvaluationContext } from '../../engine/conditions/variables';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { formAccess, type FormAccess } from '../../engine/forms/form-access';
import { formSections, type FormMode, type FormSection } from '../../engine/forms/form-fields';
import { formSchema, formUiSchema, type FormSchema, type FormUiSchema } from '../../engine/forms/form-schema';
import { useDefinitions } from '../data/DefinitionsContext';
import { useMe } from '../data/DefinitionsProvider';
import { localToday } from '../data/localTime';

/** The parts of a form that do not depend on its values. */
export interface FormModel {
  readonly definition: Definition;
  readonly mode: FormMode;
  readonly sections: readonly FormSection[];
  readonly fields: readonly Field[];
  readonly access: FormAccess;
  readonly evaluationContext: EvaluationContext;
  readonly schema: FormSchema;
  readonly uiSchema: FormUiSchema;
}

/**
 * Derives the form of a definition for the signed-in user. `record` is the stored one, if any; `lockedNames` lists
 * fields with fixed values.
 */
export function useFormModel(
  definition: Definition,
  mode: FormMode,
  record: ResourceRecord | undefined,
  lockedNames: readonly string[],
): FormModel {
  const { actor } = useDefinitions();
  const me = useMe();
  const [now] = useState(() => new Date().toISOString());
  const sections = useMemo(() => formSections(definition, mode, actor), [definition, mode, actor]);
  const fields = useMemo(() => sections.flatMap((section) => section.fields), [sections]);
  const evaluationContext = useMemo<EvaluationContext>(
    // Redirects after saving may depend on the user's totals.
    () => ({ actor: { ...me, role: undefined, ...actor }, record, today: localToday(), now }),
    [me, actor, record, now],
  );
  const access = useMemo(() => {
    const { fields: open, ...access } = formAccess(definition, mode, actor, record, evaluationContext);
    return { ...access, fields: new Set([...open].filter((name) => !lockedNames.includes(name))) };
  }, [definition, mode, actor, record, evaluationContext, lockedNames]);
  const schema = useMemo(() => formSchema(fields), [fields]);
  const uiSchema = useMemo(() => formUiSchema(sections), [sections]);
  return { definition, mode, sections, fields, access, evaluationContext, schema, uiSchema };
}
