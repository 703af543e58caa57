import type { Definition, Field, RequestDefinition, ResourceRecord, Rule } from '../definitions/definition';
import { typeOf } from '../field-types';
import { parentsOf } from './dependents';
import type { FieldState } from './field-states';

const nobody = { '$actor.level': 0 };

/**
 * A definition for the dialog of a request, so that it renders and validates like any other form: the fields that the
 * request sets, and those of the record that it adds.
 */
export function requestForm(
  definition: Definition,
  request: RequestDefinition,
  added: Definition | undefined,
): Definition {
  const adds = request.adds?.fields ?? [];
  const sets = request.sets.flatMap((name) => definition.fields[name] ?? []);
  const others = adds.flatMap((name) => added?.fields[name] ?? []);
  const own = [...sets, ...others].map((field) => asked(field, request));
  // The fields that their choices depend on are included, but hidden.
  const above = [...new Set(own.flatMap(parentsOf))].filter((name) => !own.some((field) => field.name === name));
  const unseen = above.flatMap((name) => definition.fields[name] ?? []).map((field) => ({ ...field, visible: nobody }));
  const fields = [...own, ...unseen];
  const names = fields.map(({ name }) => name);
  return {
    ...definition,
    fields: Object.fromEntries(fields.map((field) => [field.name, field])),
    form: { sections: [{ label: request.label, fields: names }], tabs: [], redirects: [] },
    rules: definition.rules.map((rule) => open(rule, adds)),
  };
}

function asked(field: Field, { required, visible }: RequestDefinition): Field {
  const must = required.includes(field.name);
  const shown = visible[field.name] ?? field.visible;
  const { visible: _visible, requiredWhen: _requiredWhen, ...rest } = field;
  return { ...rest, required: must, requiredInForm: must, width: 'full', ...(shown && { visible: shown }) };
}

/** Permission to change the record is enough to add what the request adds. */
function open(rule: Rule, names: readonly string[]): Rule {
  return {
    ...rest(rule),
    ...(rule.fields && { fields: [...rule.fields, ...names] }),
    ...(rule.except && { except: rule.except.filter((name) => !names.includes(name)) }),
  };
}

function rest({ fields: _fields, except: _except, ...others }: Rule): Rule {
  return others;
}

/** The body of a request: all visible and writable values. */
export function requestBody(
  form: Definition,
  states: Readonly<Record<string, FieldState>>,
  values: ResourceRecord,
): ResourceRecord {
  const sent = Object.values(form.fields).filter(({ name }) => states[name]?.visible && !states[name].readOnly);
  return Object.fromEntries(sent.map((field) => [field.name, typeOf(field).parse(values[field.name] ?? null, field)]));
}
