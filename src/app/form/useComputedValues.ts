import { useEffect, useMemo, useState } from 'react';
import type { Field, ResourceRecord } from '../../engine/definitions/definition';
import { formComparedFields } from '../../engine/conditions/related-tests';
import { computedKind } from '../../engine/conditions/computed-kind';
import { rollupOf } from '../../engine/expressions/derivations';
import type { computeValues, followsTyping } from '../../engine/expressions/evaluate';
import { parseFormValues } from '../../engine/forms/form-values';
import { localTimeZone } from '../../engine/formats/time-zone';
import { fieldOf } from '../../engine/definitions/accessors';
import type { FormModel } from './useFormModel';
import { useLookupValues } from './useLookupValues';

/**
 * The values of fields that are computed by expressions or from rows, from the values as they are typed, and of lookups: of
 * those that the form shows, and those that its conditions compare.
 * Their code is loaded by forms that have such fields; until then they have their stored values.
 */
export function useComputedValues(model: FormModel, record: ResourceRecord, values: ResourceRecord): ResourceRecord {
  const { definition, fields, evaluationContext } = model;
  const names = useMemo(() => {
    const comparedFields = [...formComparedFields(definition)].flatMap((name) => definition.fields[name] ?? []);
    return [...new Set([...fields, ...comparedFields])].filter(isComputedHere).map(({ name }) => name);
  }, [definition, fields]);
  const lookups = useLookupValues(model, record, values);
  const [compute, setCompute] = useState<{
    readonly values: typeof computeValues;
    readonly followsTyping: typeof followsTyping;
  }>();
  const isNeeded = names.length > 0;
  useEffect(() => {
    if (!isNeeded) return;
    let isMounted = true;
    import('../../engine/expressions/evaluate').then(
      (module) => isMounted && setCompute({ values: module.computeValues, followsTyping: module.followsTyping }),
      // Offline: the stored values stay.
      () => undefined,
    );
    return () => {
      isMounted = false;
    };
  }, [isNeeded]);
  return useMemo(() => {
    if (!compute || !isNeeded) return lookups;
    const typedValues = { ...record, ...parseFormValues(fields, values), ...lookups };
    const computedValues = compute.values(definition, typedValues, { timeZone: localTimeZone(), ...evaluationContext });
    return {
      ...lookups,
      ...Object.fromEntries(
        names
          .filter((name) => compute.followsTyping(definition, fieldOf(definition, name)))
          .map((name) => [name, computedValues[name] ?? undefined]),
      ),
    };
  }, [compute, isNeeded, definition, fields, record, values, evaluationContext, names, lookups]);
}

function isComputedHere(field: Field): boolean {
  const kind = computedKind(field);
  return kind === 'expression' || (kind === 'rollup' && rollupOf(field).rows !== undefined);
}
