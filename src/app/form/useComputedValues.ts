import { useEffect, useMemo, useState } from 'react';
import type { Field, ResourceRecord } from '../../engine/definitions/definition';
import { formComparedFields } from '../../engine/conditions/related-tests';
import { computedKind } from '../../engine/conditions/computed-kind';
import { rollupOf } from '../../engine/expressions/derivations';
import type { computeValues, followsTyping } from '../../engine/expressions/evaluate';
import { parseFormValues } from '../../engine/forms/form-values';
import { localTimeZone } from '../../engine/formats/time-zone';
import type { FormModel } from './useFormModel';
import { useLookupValues } from './useLookupValues';

/**
 * The values of fields that are computed by expressions or from rows, from the values as they are typed, and of lookups: of
 * those that the form shows, and those that its conditions compare.
 * What computes them is loaded by forms that have such fields; until then they have their stored values.
 */
export function useComputedValues(model: FormModel, record: ResourceRecord, values: ResourceRecord): ResourceRecord {
  const { definition, fields, evaluationContext } = model;
  const names = useMemo(() => {
    const compared = [...formComparedFields(definition)].flatMap((name) => definition.fields[name] ?? []);
    return [...new Set([...fields, ...compared])].filter(isComputedHere).map(({ name }) => name);
  }, [definition, fields]);
  const lookups = useLookupValues(model, record, values);
  const [compute, setCompute] = useState<{
    readonly values: typeof computeValues;
    readonly follows: typeof followsTyping;
  }>();
  const needed = names.length > 0;
  useEffect(() => {
    if (!needed) return;
    let wanted = true;
    import('../../engine/expressions/evaluate').then(
      (loaded) => wanted && setCompute({ values: loaded.computeValues, follows: loaded.followsTyping }),
      // Offline: the stored values stay.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [needed]);
  return useMemo(() => {
    if (!compute || !needed) return lookups;
    const typed = { ...record, ...parseFormValues(fields, values), ...lookups };
    const computed = compute.values(definition, typed, { timeZone: localTimeZone(), ...evaluationContext });
    return {
      ...lookups,
      ...Object.fromEntries(
        names
          .filter((name) => compute.follows(definition, definition.fields[name]!))
          .map((name) => [name, computed[name] ?? undefined]),
      ),
    };
  }, [compute, needed, definition, fields, record, values, evaluationContext, names, lookups]);
}

function isComputedHere(field: Field): boolean {
  const kind = computedKind(field);
  return kind === 'expression' || (kind === 'rollup' && rollupOf(field).rows !== undefined);
}
