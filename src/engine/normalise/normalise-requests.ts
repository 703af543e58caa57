import type { Field, RequestDefinition, Transition } from '../definitions/definition';
import type { RequestSource, Source } from '../language/source';

/** A request as written, or one that makes a transition. */
type WrittenRequest = RequestSource & Pick<RequestDefinition, 'from' | 'effect'>;

/** The requests of a definition with every default filled in, and those that make the transitions of its fields. */
export function normaliseRequests(
  source: Source,
  fields: Readonly<Record<string, Field>>,
): Record<string, RequestDefinition> {
  const requests: Record<string, WrittenRequest> = {};
  for (const [name, request] of Object.entries(source.requests ?? {}))
    requests[name] = { ...actionAudience(source, name, request), ...request };
  for (const field of Object.values(fields)) {
    for (const transition of field.transitions ?? []) {
      for (const target of transition.to) {
        const name = freeName(`${field.name}_${toName(target)}`, requests);
        requests[name] = transitionRequest(field, transition, target);
      }
    }
  }
  return Object.fromEntries(
    Object.entries(requests).map(([name, request]) => [name, normaliseRequest(source, name, request)]),
  );
}

/** Who may make a request that does not say so itself: those whom its row action is for. */
function actionAudience({ list }: Source, name: string, { levels, roles }: RequestSource) {
  if (levels || roles) return {};
  const action = list?.actions?.find((entry) => typeof entry !== 'string' && entry.name === name);
  if (typeof action !== 'object') return {};
  return { ...(action.levels && { levels: action.levels }), ...(action.roles && { roles: action.roles }) };
}

/** A transition as a request: a button that sets the value and asks for what the transition needs. */
function transitionRequest(field: Field, transition: Transition, target: string | number): WrittenRequest {
  const { from: states, label, icon, effect, levels, roles, where: condition, requiredFields } = transition;
  const option = field.options?.find(({ value }) => value === target)?.label ?? String(target);
  const text = label === undefined ? option : transition.to.length === 1 ? label : `${label}: ${option}`;
  return {
    label: text,
    sets: { [field.name]: target },
    asks: [...requiredFields],
    ...(field.to === undefined
      ? { where: { [field.name]: { $in: states }, ...(condition && { $and: [condition] }) } }
      : { from: { field: field.name, states }, ...(condition && { where: condition }) }),
    ...(icon && { icon }),
    ...(effect && { effect }),
    ...(levels && { levels: [...levels] }),
    ...(roles && { roles: [...roles] }),
  };
}

function toName(value: string | number): string {
  return (
    String(value)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '') || 'value'
  );
}

/** The name, or with a number the first that is not taken. */
function freeName(name: string, usedNames: object): string {
  if (!Object.hasOwn(usedNames, name)) return name;
  for (let number = 2; ; number++) if (!Object.hasOwn(usedNames, `${name}_${number}`)) return `${name}_${number}`;
}

function normaliseRequest(
  source: Source,
  name: string,
  { sets = [], asks: askedFields = [], ...request }: WrittenRequest,
): RequestDefinition {
  const hasConstants = !Array.isArray(sets);
  return {
    icon: 'chevron-right',
    title: request.label,
    path: `${source.name}-${toPath(name)}/{id}`,
    width: hasConstants ? 480 : '80%',
    toast: 'Saved Successfully',
    required: hasConstants ? askedFields : [],
    ignoredNames: [],
    visible: {},
    ...request,
    name,
    sets: hasConstants ? askedFields : sets,
    constants: hasConstants ? sets : {},
    adds: request.adds ?? null,
    list: request.list ? { filter: {}, ...request.list } : null,
  };
}

/** `checkOut` and `check_out` as part of a path: `check-out`. */
function toPath(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').replaceAll('_', '-');
  return words.toLowerCase().replace(/-+/g, '-').replace(/-$/, '');
}
