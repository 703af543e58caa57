import type { Source } from '../language/source';
import { isExpressionObject } from '../conditions/computed-kind';
import { isJsonObject, type JsonObject } from '../formats/json';
import type { Reference } from '../language/key';
import { partsAround, Scopes } from './scopes';
import { keyReferencesOf, placesBelow, referencesOf, rootPlaces, schemasAt, type Place } from './walk';
import { lastOf, getOrThrow, requireValue } from '../values/lookups';

/** The changes of the names of fields in a definition. */
export interface NameChanges {
  /** The names that change: what has none of them is not looked at. */
  readonly names: Iterable<string>;
  /**
   * The present name of a field; null if it was removed.
   *
   * @param scope The resource, or `resource.rows` for the columns of a field with rows.
   * @param isEmbed The name is that of an embed at the head of a path, which may be called like a field.
   */
  readonly nameOf: (scope: string, name: string, isEmbed: boolean) => string | null;
  /** Called with the steps to each value that lost a name. */
  readonly onRemoved?: (steps: readonly string[]) => void;
  /** Called with the steps to each value that still has a removed name, since only its author knows what it should mean now. */
  readonly onUnresolved?: (steps: readonly string[]) => void;
}

/**
 * A definition with the present names of fields wherever the language knows that a name stands, and without the removed
 * ones: an entry of a list, a key, or the part that needs it goes (`onRemoval` of the key).
 *
 * @example
 *   const nameOf = (_: string, name: string) => (name === 'due' ? 'due_on' : name);
 *   replaceNames(source, { names: ['due'], nameOf }).list!.sort; // '-due_on'
 */
export function replaceNames(source: Source, changes: NameChanges): Source {
  return new NameReplacer(source, changes).replaceAll();
}

const removedValue = Symbol('removed');
/** The object or list that has the value goes with it. */
const removedWithHolder = Symbol('removed with its holder');

/** A value of the definition with what the language says of it. */
interface Visit {
  readonly value: unknown;
  readonly schemaPlaces: readonly Place[];
  readonly steps: readonly string[];
  /** The objects and lists around it, the innermost last. */
  readonly holders: readonly unknown[];
  /** A part of the definition around it keeps what was removed, and reports it. */
  readonly isReported: boolean;
  /** It is an entry of a record, such as a filter, which says something even without keys. */
  readonly isEntry?: boolean;
}

class NameReplacer {
  private readonly scopes: Scopes;
  private readonly names: Set<string>;
  /** The present names of parameters; null for those that lost what they filter by. */
  private readonly parameterNames: ReadonlyMap<string, string | null>;

  constructor(
    private readonly source: Source,
    private readonly changes: NameChanges,
  ) {
    this.scopes = new Scopes(source);
    this.names = new Set(changes.names);
    this.parameterNames = new Map();
    this.parameterNames = this.findParameterNames();
    for (const [name, next] of this.parameterNames) if (next !== name) this.names.add(name);
  }

  replaceAll(): Source {
    return this.replace(this.root()) as Source;
  }

  private root(): Visit {
    return { value: this.source, schemaPlaces: rootPlaces(this.source), steps: [], holders: [], isReported: false };
  }

  private findParameterNames(): ReadonlyMap<string, string | null> {
    const { parameters = {} } = this.source;
    if (Object.keys(parameters).length === 0) return this.parameterNames;
    const part = visitBelow(this.root(), 'parameters', parameters);
    const reference = lastOf(keyReferencesOf(part.schemaPlaces));
    return new Map(
      Object.entries(parameters).map(([key, parameter]) => {
        const visit = visitBelow(part, key, parameter);
        const isRemoved = typeof this.replace(visit) === 'symbol';
        return [key, isRemoved ? null : this.keyName(visit, key, reference)];
      }),
    );
  }

  private replace(visit: Visit): unknown {
    const { value, schemaPlaces } = visit;
    if (typeof value !== 'string' && !this.mentionsNames(value)) return value;
    const policy = policyOf(schemaPlaces);
    const inner = policy === 'report' ? { ...visit, isReported: true } : visit;
    const reference = referencesOf(schemaPlaces).at(-1);
    if (typeof value === 'string') return reference ? this.replaceText(inner, value, reference, policy) : value;
    if (Array.isArray(value)) return this.replaceList(inner, value, policy);
    if (!isJsonObject(value)) return value;
    if (reference?.kind === 'condition') return this.replaceWholeCondition(inner, value, reference, policy);
    if (reference?.kind === 'expression') return this.replaceWholeExpression(inner, value);
    return this.replaceObject(inner, value, policy);
  }

  private mentionsNames(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false;
    const text = JSON.stringify(value);
    return [...this.names].some((name) => text.includes(name));
  }

  private replaceText(visit: Visit, text: string, reference: Reference, policy: string | undefined): unknown {
    const name = this.nameInText(visit, text, reference);
    if (name !== null) return name;
    if (!visit.isReported) return policy === 'removeHolder' ? removedWithHolder : removedValue;
    this.changes.onUnresolved?.(visit.steps);
    return text;
  }

  private nameInText(visit: Visit, text: string, reference: Reference): string | null {
    if (reference.words?.includes(text) || isNamedOtherwise(reference, visit.holders.findLast(isJsonObject)))
      return text;
    const scope = this.scopes.scopeOf(reference, visit.steps, visit.holders);
    switch (reference.kind) {
      case 'field':
      case 'path':
      case 'sort':
        return this.nameInMarks(scope, text, reference, visit);
      case 'relation':
        return this.relationName(scope, text);
      case 'template':
        return this.template(visit, scope, text, reference);
      case 'value':
        return this.valueName(visit, text, reference);
      default:
        return text;
    }
  }

  /** A name with what may stand around it: `-due`, `name*!`, `due:month`. */
  private nameInMarks(scope: string | undefined, text: string, reference: Reference, visit: Visit): string | null {
    const [, prefix, path, suffix] = /^(-?)([a-z]\w*(?:\.[a-z]\w*)*)([*!]*|:[a-z]+)$/i.exec(text) ?? [];
    if (path === undefined) return text;
    const next = reference.listedIn
      ? this.listedName(scope, path, reference, visit.holders)
      : this.path(scope, path.split('.'), reference.through ?? (reference.kind === 'path' ? 'embeds' : 'relations'));
    return next === null ? null : `${prefix}${next}${suffix}`;
  }

  /** A name that is one of the definition only where another key of the same part lists it. */
  private listedName(
    scope: string | undefined,
    name: string,
    reference: Reference,
    holders: readonly unknown[],
  ): string | null {
    const parts = partsAround(reference, holders);
    const requests = parts.flatMap(({ request }) => this.source.requests?.[String(request)] ?? []);
    const isListed = [...parts, ...(requests as JsonObject[])].some((part) =>
      requireValue(reference.listedIn, 'the lists of a reference').some((key) => {
        const list = part[key];
        return Array.isArray(list) ? list.includes(name) : isJsonObject(list) && Object.hasOwn(list, name);
      }),
    );
    return isListed ? this.path(scope, [name]) : name;
  }

  /** `resource.field`, `resource.rows.column`, or a field of the definition. */
  private relationName(scope: string | undefined, text: string): string | null {
    const [resource, ...path] = text.split('.') as [string, ...string[]];
    if (path.length === 0) return this.path(scope, [resource]);
    const rest = this.path(resource, path);
    return rest === null ? null : `${resource}.${rest}`;
  }

  /** A text with names in braces, and perhaps `#`, `^` or `/` before them; null if nothing is left of it, or if it must not lose one. */
  private template(visit: Visit, scope: string | undefined, text: string, reference: Reference): string | null {
    let isCut = false;
    const next = text.replace(/\{([#^/]?)([A-Za-z_][A-Za-z0-9_.]*)\}/g, (match, sign: string, path: string) => {
      if (reference.words?.includes(path)) return match;
      const name = this.path(scope, path.split('.'), reference.through ?? 'embeds');
      isCut ||= name === null;
      return name === null ? '' : `{${sign}${name}}`;
    });
    if (!isCut) return next;
    if (visit.isReported || !/\{[A-Za-z_]/.test(next)) return null;
    this.changes.onRemoved?.(visit.steps);
    return next.replace(/ {2,}/g, ' ').trim();
  }

  /** A value that may be taken from a record: `$record.due`, `$each.due`, or a text with names in braces. */
  private valueName(visit: Visit, text: string, reference: Reference): string | null {
    const [, root, name = ''] = /^\$(record|form|each)\.(\w+)$/.exec(text) ?? [];
    if (root === undefined)
      return reference.withTemplate && !text.startsWith('$')
        ? this.template(visit, this.source.name, text, { ...reference, through: 'relations' })
        : text;
    const loop = visit.holders.findLast((holder) => isJsonObject(holder) && typeof holder.forEach === 'string');
    const scope =
      root === 'each' ? this.scopes.targetOf(this.source.name, String((loop as JsonObject)?.forEach)) : undefined;
    const next = this.path(root === 'each' ? scope : this.source.name, [name]);
    return next === null ? null : `$${root}.${next}`;
  }

  private replaceList(visit: Visit, list: readonly unknown[], policy: string | undefined): unknown {
    const entries = list.map((value, index) => this.replace(visitBelow(visit, String(index), value)));
    if (entries.includes(removedWithHolder)) return removeValue(policy);
    const isChanged = (entry: unknown, index: number) => JSON.stringify(entry) !== JSON.stringify(list[index]);
    // An entry that lost a name may now say the same as another entry.
    const isRepeated = (entry: unknown, index: number) =>
      Array.isArray(entry) &&
      isChanged(entry, index) &&
      entry.length < (list[index] as unknown[]).length &&
      entries.findIndex((candidate) => JSON.stringify(candidate) === JSON.stringify(entry)) < index;
    const left = entries.filter((entry, index) => entry !== removedValue && !isRepeated(entry, index));
    if (left.length === list.length) return entries;
    const minimum = Math.max(1, ...schemasAt(visit.schemaPlaces).map(({ minItems = 0 }) => minItems));
    const isTooShort = left.length < minimum && list.length >= minimum;
    if (isTooShort && policy === 'reportLast') {
      this.changes.onUnresolved?.(visit.steps);
      return list;
    }
    this.changes.onRemoved?.(visit.steps);
    return isTooShort && policy !== 'leaveEmpty' ? removeValue(policy) : left;
  }

  private replaceObject(visit: Visit, object: JsonObject, policy: string | undefined): unknown {
    const schemas = schemasAt(visit.schemaPlaces);
    const keyReference = keyReferencesOf(visit.schemaPlaces).at(-1);
    const keyPolicy = schemas.findLast(({ propertyNames }) => propertyNames?.onRemoval)?.propertyNames?.onRemoval;
    const requiredKeys = schemas.flatMap((schema) => schema.required ?? []);
    const isKey = (key: string) => schemas.some(({ properties }) => properties && Object.hasOwn(properties, key));
    const entries: [string, unknown][] = [];
    for (const [key, value] of Object.entries(object)) {
      const inner = { ...visitBelow(visit, key, value), isEntry: !isKey(key) };
      const name = keyReference && !isKey(key) ? this.keyName(inner, key, keyReference) : key;
      const next = name === null ? removeValue(keyPolicy) : this.replace(inner);
      if (next === removedWithHolder || (next === removedValue && requiredKeys.includes(key)))
        return removeValue(policy);
      if (next === removedValue) this.changes.onRemoved?.(inner.steps);
      else entries.push([name!, next]);
    }
    const isEmptied = entries.length === 0 && Object.keys(object).length > 0;
    if (isEmptied && !visit.isEntry && policy !== 'leaveEmpty') return removeValue(policy);
    return Object.fromEntries(entries);
  }

  /** The name of an entry that is called like a field; null if that was removed. */
  private keyName(visit: Visit, key: string, reference: Reference): string | null {
    if (isNamedOtherwise(reference, visit.value)) return key;
    if (reference.orParameter && this.parameterNames.has(key)) return getOrThrow(this.parameterNames, key);
    if (reference.namesakeOf !== undefined && !isNamesake(visit.value, reference.namesakeOf, key)) return key;
    const scope = this.scopes.scopeOf(reference, visit.steps, visit.holders);
    const name = reference.listedIn
      ? this.listedName(scope, key, reference, visit.holders)
      : this.queryName(scope, key);
    if (name !== null || !visit.isReported) return name;
    this.changes.onUnresolved?.(visit.steps);
    return key;
  }

  /** A field, or the start or end of its range in a query: `due_from`. */
  private queryName(scope: string | undefined, key: string): string | null {
    const [, field, end] = /^(.+)(_from|_to)$/.exec(key) ?? [];
    const fields = scope === undefined ? {} : this.scopes.fieldsOf(scope);
    if (field === undefined || Object.hasOwn(fields, key) || !Object.hasOwn(fields, field))
      return this.path(scope, key.split('.'), 'embeds');
    const name = this.path(scope, [field]);
    return name === null ? null : `${name}${end}`;
  }

  private replaceWholeCondition(
    visit: Visit,
    condition: JsonObject,
    reference: Reference,
    policy: string | undefined,
  ): unknown {
    const variables = variablesOf(this, visit, reference);
    const replacement = this.condition(
      condition,
      this.scopes.scopeOf(reference, visit.steps, visit.holders),
      variables,
    );
    if (!replacement.isCut) return replacement.value;
    if (visit.isReported) {
      this.changes.onUnresolved?.(visit.steps);
      return condition;
    }
    if (policy === 'removeHolder') return removedWithHolder;
    if (replacement.value === undefined) return removedValue;
    this.changes.onRemoved?.(visit.steps);
    return replacement.value;
  }

  /** A condition without the comparisons that name something removed; undefined if none is left. */
  private condition(condition: JsonObject, scope: string | undefined, variables: Variables): Replaced<JsonObject> {
    let isCut = false;
    const entries: [string, unknown][] = [];
    for (const [left, right] of Object.entries(condition)) {
      const clause = this.clause(left, right, scope, variables);
      isCut ||= clause.isCut;
      if (clause.value !== undefined) entries.push(clause.value);
    }
    const isEmpty = entries.length === 0 && Object.keys(condition).length > 0;
    return { isCut, value: isEmpty ? undefined : Object.fromEntries(entries) };
  }

  private clause(
    left: string,
    right: unknown,
    scope: string | undefined,
    variables: Variables,
  ): Replaced<[string, unknown]> {
    if (left === '$not' && isJsonObject(right)) {
      const { isCut, value } = this.condition(right, scope, variables);
      return { isCut, value: value && [left, value] };
    }
    if (['$and', '$or', '$nor'].includes(left) && Array.isArray(right)) {
      const parts = right.map((clause) =>
        isJsonObject(clause) ? this.condition(clause, scope, variables) : { isCut: false, value: clause as unknown },
      );
      const values = parts.flatMap(({ value }) => (value === undefined ? [] : [value]));
      const isEmpty = values.length === 0 && right.length > 0;
      return { isCut: parts.some(({ isCut }) => isCut), value: isEmpty ? undefined : [left, values] };
    }
    const path = left.split('.');
    const key = left.startsWith('$') ? variables(left) : this.path(scope, path);
    const target = left.startsWith('$') ? undefined : this.targetOfPath(scope, path);
    const operand = this.operand(right, target, variables);
    return key === null || operand === null ? { isCut: true } : { isCut: false, value: [key, operand.value] };
  }

  /** The right side of a comparison; null if it names something removed. */
  private operand(right: unknown, target: string | undefined, variables: Variables): { value: unknown } | null {
    if (typeof right === 'string') {
      const value = variables(right);
      return value === null ? null : { value };
    }
    if (Array.isArray(right)) {
      const values = right.map((member) => this.operand(member, target, variables));
      return values.includes(null) ? null : { value: values.map((operand) => operand?.value) };
    }
    if (!isJsonObject(right)) return { value: right };
    const entries: [string, unknown][] = [];
    for (const [operator, value] of Object.entries(right)) {
      const next =
        operator === '$some' && isJsonObject(value)
          ? this.condition(value, target, variables)
          : this.operand(value, target, variables);
      if (next === null || ('isCut' in next && next.isCut)) return null;
      entries.push([operator, next.value]);
    }
    return { value: Object.fromEntries(entries) };
  }

  private replaceWholeExpression(visit: Visit, expression: JsonObject): unknown {
    const scope = this.scopes.scopeOf({ kind: 'expression' }, visit.steps, visit.holders);
    let isCut = false;
    const replaceWithin = (value: unknown): unknown => {
      if (typeof value === 'string') {
        const name = /^\$record\.(\w+)$/.exec(value)?.[1];
        const next = name === undefined ? undefined : this.path(scope, [name]);
        isCut ||= next === null;
        return next == null ? value : `$record.${next}`;
      }
      if (Array.isArray(value)) return value.map(replaceWithin);
      if (!isJsonObject(value)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, part]) => {
          if (key === '$literal') return [key, part];
          if (key !== 'condition' || !isJsonObject(part) || isExpressionObject(part)) return [key, replaceWithin(part)];
          const replacement = this.condition(part, scope, this.recordVariables);
          isCut ||= replacement.isCut;
          return [key, replacement.value ?? part];
        }),
      );
    };
    const next = replaceWithin(expression);
    if (!isCut) return next;
    this.changes.onUnresolved?.(visit.steps);
    return expression;
  }

  /** `$record.due` and `$form.due` of the definition; every other value as it is. */
  readonly recordVariables: Variables = (text) => {
    const [, root, name = ''] = /^\$(record|form)\.(\w+)$/.exec(text) ?? [];
    if (root === undefined) return text;
    const next = this.path(this.source.name, [name]);
    return next === null ? null : `$${root}.${next}`;
  };

  /** The name of a filter of the list, which a condition on its choices takes as `$form.name`. */
  filterName(name: string): string | null {
    const filter = this.source.list?.filters?.[name];
    if (filter?.field !== undefined) return name;
    return this.parameterNames.has(name) ? getOrThrow(this.parameterNames, name) : this.path(this.source.name, [name]);
  }

  /** A path through relations, or through the embeds that they are shown as. */
  private path(scope: string | undefined, path: readonly string[], pathKind = 'relations'): string | null {
    const [head, ...rest] = path as [string, ...string[]];
    if (scope === undefined) return path.join('.');
    const embedding =
      pathKind === 'embeds' && rest.length > 0
        ? Object.entries(this.scopes.fieldsOf(scope)).find(([, { embed }]) => embed === head)?.[0]
        : undefined;
    const isEmbed = pathKind === 'embeds' && rest.length > 0;
    const field = this.changes.nameOf(scope, embedding ?? head, isEmbed && embedding === undefined);
    const name = embedding === undefined ? field : field && this.changes.nameOf(scope, head, true) && head;
    if (name === null || rest.length === 0) return name;
    const innerPath = this.path(this.scopes.targetOf(scope, embedding ?? head), rest, pathKind);
    return innerPath === null ? null : `${name}.${innerPath}`;
  }

  private targetOfPath(scope: string | undefined, path: readonly string[]): string | undefined {
    return path.reduce<string | undefined>((owner, step) => this.scopes.targetOf(owner, step), scope);
  }
}

/** The present name of a variable of a condition; null if it names something removed. */
type Variables = (text: string) => string | null;

/** A value without the removed names; undefined if nothing is left of it. */
interface Replaced<Value> {
  /** It named something removed. */
  readonly isCut: boolean;
  readonly value?: Value | undefined;
}

function variablesOf(replacer: NameReplacer, { steps }: Visit, reference: Reference): Variables {
  if (reference.formOf !== 'filters') return steps[2] === 'fields' ? (text) => text : replacer.recordVariables;
  return (text) => {
    const name = /^\$form\.(\w+)$/.exec(text)?.[1];
    if (name === undefined) return text;
    const next = replacer.filterName(name);
    return next === null ? null : `$form.${next}`;
  };
}

/** Whether an entry is called like the field that one of its keys names. */
const isNamesake = (entry: unknown, key: string, name: string) => isJsonObject(entry) && entry[key] === name;

function visitBelow(visit: Visit, step: string, value: unknown): Visit {
  return {
    value,
    schemaPlaces: placesBelow(visit.schemaPlaces, step, value),
    steps: [...visit.steps, step],
    holders: [...visit.holders, visit.value],
    isReported: visit.isReported,
  };
}

const policyOf = (schemaPlaces: readonly Place[]) =>
  schemasAt(schemaPlaces).findLast(({ onRemoval }) => onRemoval)?.onRemoval;

const removeValue = (policy: string | undefined) => (policy === 'removeHolder' ? removedWithHolder : removedValue);

/** Whether a key beside a name says what it names instead. */
const isNamedOtherwise = ({ unless }: Reference, holder: unknown) =>
  unless !== undefined && isJsonObject(holder) && holder[unless] !== undefined;

/**
 * A definition with other names for its fields, wherever it names them.
 *
 * @example renameFields(source, new Map([['due', 'due_on']])).fields.due_on; // that was `due`
 */
export function renameFields(source: Source, names: ReadonlyMap<string, string>): Source {
  if (names.size === 0) return source;
  const nameOf = (scope: string, name: string) => (scope === source.name && names.get(name)) || name;
  return replaceNames(source, { names: names.keys(), nameOf });
}
