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
  added: Definition | undefined,
): Definition {
  const adds = request.adds?.fields ?? [];
  const sets = request.sets.flatMap((name) => definition.fields[name] ?? []);
  const others = adds.flatMap((name) => added?.fields[name] ?? []);
  const own = [...sets, ...others].map((field) => requestField(field, request));
  // The fields that their choices and conditions depend on are included, but hidden: conditions are about the record with
  // the values of the dialog, as on the server.
  const conditions = [
    ...Object.values(request.visible),
    ...sets.flatMap(({ visible, readOnlyWhen }) => [visible, readOnlyWhen].filter((one) => one !== undefined)),
  ];
  const needed = [...own.flatMap(parentFieldsOf), ...conditions.flatMap(comparedFields)];
  const above = [...new Set(needed)].filter((name) => !own.some((field) => field.name === name));
  const unseen = above
    .flatMap((name) => definition.fields[name] ?? [])
    .map((field) => ({ ...field, visible: neverVisible }));
  const fields = [...own, ...unseen];
  const names = fields.map(({ name }) => name);
  return {
    ...definition,
    fields: Object.fromEntries(fields.map((field) => [field.name, field])),
    form: { sections: [{ label: request.label, fields: names }], tabs: [], redirects: [] },
    rules: definition.rules.map((rule) => withAddedFields(rule, adds)),
  };
}

function requestField(field: Field, { required, visible, constants }: RequestDefinition): Field {
  const must = required.includes(field.name);
  // A value that is asked for beside fixed ones is needed with them: whether the field shows before does not matter, as
  // for the reason of a state that the record is about to get.
  const isAsked = Object.keys(constants).length > 0;
  const shown = visible[field.name] ?? (isAsked ? undefined : field.visible);
  const { visible: _visible, requiredWhen: _requiredWhen, ...rest } = field;
  return { ...rest, required: must, requiredInForm: must, width: 'full', ...(shown && { visible: shown }) };
}

/** Permission to change the record is enough to add what the request adds. */
function withAddedFields(rule: Rule, names: readonly string[]): Rule {
  return {
    ...withoutFieldLimits(rule),
    ...(rule.fields && { fields: [...rule.fields, ...names] }),
    ...(rule.exceptFields && { exceptFields: rule.exceptFields.filter((name) => !names.includes(name)) }),
  };
}

function withoutFieldLimits({ fields: _fields, exceptFields: _except, ...others }: Rule): Rule {
  return others;
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
  const sent = Object.values(form.fields).filter(({ name }) => states[name]?.visible && !states[name].readOnly);
  return Object.fromEntries(
    sent.map((field) => [field.name, fieldTypeOf(field).parse(values[field.name] ?? null, field)]),
  );
}
