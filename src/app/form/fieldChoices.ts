import type { EvaluationContext } from '../../engine/conditions/variables';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { isRelation } from '../../engine/field-types/relation';
import type { Registry } from '../../engine/registry/registry';
import { parentFieldsOf } from '../../engine/forms/dependent-fields';
import { relevanceOf } from '../../engine/lists/relevance';
import { reachableStates } from '../../engine/validation/transitions';
import { isEmpty } from '../../engine/values/is-empty';
import { fieldOf } from '../../engine/definitions/accessors';
import type { ChoiceSource } from '../fields/choices/choice';
import type { ApiClient } from '../session/apiClient';
import { nearHeadings, withArticle } from '../fields/choices/choiceTexts';
import { loadChoices, optionSource } from '../fields/choices/loadChoices';
import { recentlyChosen, rememberChosen } from '../fields/choices/recentChoices';
import type { FormTitles } from './useFormTitles';

/**
 * The values of the fields that a field's choices depend on, or the first of those fields that is empty. If the form
 * has a company field, all other choices are limited to that company.
 */
export function parentValues(
  definition: Definition,
  field: Field,
  values: ResourceRecord,
): { values: Record<string, unknown>; missingParent?: Field } {
  const scopeValues: Record<string, unknown> = {};
  for (const name of parentFieldsOf(field)) {
    const parent = definition.fields[name];
    if (isEmpty(values[name])) return { values: scopeValues, missingParent: parent };
    scopeValues[name] = values[name];
  }
  if (!isEmpty(values.site_id) && field.name !== 'site_id') scopeValues.site_id = values.site_id;
  return { values: scopeValues };
}

/** The field whose record limits a field's choices most, such as the project of a module. */
export function narrowingParent(definition: Definition, field: Field): Field | undefined {
  const name = parentFieldsOf(field).at(-1);
  return name === undefined ? undefined : definition.fields[name];
}

/** The title of the record that limits a field's choices. */
export function parentTitle(
  definition: Definition,
  field: Field,
  values: ResourceRecord,
  titles: FormTitles,
): string | undefined {
  const parent = narrowingParent(definition, field);
  return parent && titles.titleOf(parent, values[parent.name]);
}

/** The choices of a relation field, or of a field with transitions, for the form's current values. */
export function fieldChoices(
  definition: Definition,
  registry: Registry,
  field: Field,
  values: ResourceRecord,
  titles: FormTitles,
  { ask, person, evaluationContext }: { ask: ApiClient; person: number; evaluationContext: EvaluationContext },
): ChoiceSource | undefined {
  const { to: targetName } = field;
  const reachable = reachableStates(definition.fields, field, values, evaluationContext);
  if (reachable && field.options) return optionSource(field.options.filter(({ value }) => reachable.has(value)));
  if (targetName === undefined) return undefined;
  const target = registry.get(targetName);
  const parents = parentValues(definition, field, values);
  const record = targetName === definition.name && isRelation(field) ? values.id : undefined;
  const relevance = target && relevanceOf(registry, target, { definition, field });
  const shares = (relevance?.shared ?? []).flatMap(({ own: names }) => names).filter((name) => !isEmpty(values[name]));
  const sharedValues = Object.fromEntries(shares.map((name) => [name, values[name]]));
  const query = {
    resource: definition.name,
    field: field.name,
    parents: { ...sharedValues, ...parents.values },
    record,
    ...(reachable && { states: [...reachable].map(String) }),
  };
  const title = parentTitle(definition, field, values, titles);
  return {
    key: [definition.name, field.name, query.parents, record, query.states],
    load: (text, signal) => {
      const recent = relevance && !Object.hasOwn(definition.fields, 'near') ? recentlyChosen(person, targetName) : [];
      return loadChoices({ ...query, text, recentIds: recent }, signal, ask);
    },
    find: (ids, signal) => loadChoices({ ...query, ids }, signal, ask),
    knownChoices: titles.choicesOf(field),
    target,
    ...(relevance && {
      groups: nearHeadings(
        target,
        shares.map((name) => fieldOf(definition, name)),
      ),
    }),
    ...(parents.missingParent && { blocked: `Choose ${withArticle(parents.missingParent.label)} first` }),
    ...(title && { heading: `In ${title}` }),
    onChosen: (choices, addedChoice) => {
      titles.add(field, choices);
      if (relevance) rememberChosen(person, targetName, addedChoice);
    },
  };
}
