import type { Definition, Field, RequestDefinition, ResourceRecord, Rule } from '../definitions/definition';
import { typeOf } from '../field-types';
import { parentsOf } from './dependents';
import type { FieldState } from './field-states';

const nobody = { '$actor.level': 0 };

/**
 * The small form of a request as a definition of its own, so that it is drawn and checked like any other form: the
 * record's fields that the request sets, and those of the record that it adds.
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
  // What their choices depend on is there too, unseen.
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

/** Whoever may change the record may add what the request adds. */
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

/** What a request sends: the value of everything that is shown and may be changed. */
export function requestBody(
  form: Definition,
  states: Readonly<Record<string, FieldState>>,
  values: ResourceRecord,
): ResourceRecord {
  const sent = Object.values(form.fields).filter(({ name }) => states[name]?.visible && !states[name].readOnly);
  return Object.fromEntries(sent.map((field) => [field.name, typeOf(field).parse(values[field.name] ?? null, field)]));
}
