import { comparedFields } from '../conditions/variables-in';
import type { Definition, Field, RequestDefinition, ResourceRecord, Rule } from '../definitions/definition';
import { fieldTypeOf } from '../field-types';
import { parentFieldsOf } from './dependent-fields';
import type { FieldState } from './field-states';

const neverVisible = { '$actor.level': 0 };

/**
 * A definition for the dialog of a request, so that it renders and validates like any other form: the fields that the
 * request sets, and those of the record that it adds.
 *
 * @example requestFormDefinition(tasks, tasks.requests.comment, registry.get('task-comments'));
 */
export function requestFormDefinition(
  definition: Definition,
  request: RequestDefinition,
  addedDefinition: Definition | undefined,
): Definition {
  const addedNames = request.adds?.fields ?? [];
  const sets = request.sets.flatMap((name) => definition.fields[name] ?? []);
  const addedFields = addedNames.flatMap((name) => addedDefinition?.fields[name] ?? []);
  const formFields = [...sets, ...addedFields].map((field) => requestField(field, request));
  // The fields that their choices and conditions depend on are included, but hidden: conditions are about the record with
  // the values of the dialog, as on the server.
  const conditions = [
    ...Object.values(request.visible),
    ...sets.flatMap(({ visible, readOnlyWhen }) =>
      [visible, readOnlyWhen].filter((condition) => condition !== undefined),
    ),
  ];
  const neededNames = [...formFields.flatMap(parentFieldsOf), ...conditions.flatMap(comparedFields)];
  const hiddenNames = [...new Set(neededNames)].filter((name) => !formFields.some((field) => field.name === name));
  const hiddenFields = hiddenNames
    .flatMap((name) => definition.fields[name] ?? [])
    .map((field) => ({ ...field, visible: neverVisible }));
  const fields = [...formFields, ...hiddenFields];
  const names = fields.map(({ name }) => name);
  return {
    ...definition,
    fields: Object.fromEntries(fields.map((field) => [field.name, field])),
    form: { sections: [{ label: request.label, fields: names }], tabs: [], redirects: [] },
    rules: definition.rules.map((rule) => withAddedFields(rule, addedNames)),
  };
}

function requestField(field: Field, { required: requiredNames, visible, constants }: RequestDefinition): Field {
  const isRequired = requiredNames.includes(field.name);
  // A value that is asked for beside fixed ones is needed with them: whether the field shows before does not matter, as
  // for the reason of a state that the record is about to get.
  const isAsked = Object.keys(constants).length > 0;
  const visibleCondition = visible[field.name] ?? (isAsked ? undefined : field.visible);
  const { visible: _visible, requiredWhen: _requiredWhen, ...rest } = field;
  return {
    ...rest,
    required: isRequired,
    requiredInForm: isRequired,
    width: 'full',
    ...(visibleCondition && { visible: visibleCondition }),
  };
}

/** Permission to change the record is enough to add what the request adds. */
function withAddedFields(rule: Rule, names: readonly string[]): Rule {
  return {
    ...withoutFieldLimits(rule),
    ...(rule.fields && { fields: [...rule.fields, ...names] }),
    ...(rule.exceptFields && { exceptFields: rule.exceptFields.filter((name) => !names.includes(name)) }),
  };
}

function withoutFieldLimits({ fields: _fields, exceptFields: _except, ...unlimitedRule }: Rule): Rule {
  return unlimitedRule;
}

/**
 * The body of a request: all visible and writable values.
 *
 * @example requestBody(form, states, { comment: 'Done', status_id: 3 }); // { comment: 'Done', status_id: 3 }
 */
export function requestBody(
  form: Definition,
  states: Readonly<Record<string, FieldState>>,
  values: ResourceRecord,
): ResourceRecord {
  const writableFields = Object.values(form.fields).filter(
    ({ name }) => states[name]?.visible && !states[name].readOnly,
  );
  return Object.fromEntries(
    writableFields.map((field) => [field.name, fieldTypeOf(field).parse(values[field.name] ?? null, field)]),
  );
}
