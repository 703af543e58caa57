import { actions, levels, type Action, type Condition, type Level } from '../definitions/definition';
import type { RuleSource, Source } from '../definitions/source';
import { isSameJson } from './json';
import { updateObject, setAtPath } from './set-at-path';

/** A rule as the visual editor shows it. */
export interface RuleView {
  readonly levels: readonly Level[];
  readonly actions: readonly Action[];
  readonly where?: Condition;
  readonly fields?: readonly string[];
  readonly except?: readonly string[];
  readonly reason?: string;
  /** Its place among the rules as they are written; undefined for a new one. */
  readonly of?: number;
}

/** The rules that narrow grants. */
export function readRules(source: Source): RuleView[] {
  return (source.rules ?? []).map(({ action, ...rest }, index) => ({ ...rest, actions: [action].flat(), of: index }));
}

/** The definition with these rules; a single action stays as written, alone or in a list. */
export function writeRules(source: Source, rules: readonly RuleView[]): Source {
  const written = rules.map(({ of, actions: [first, ...more], levels, where, fields, except, reason }) => {
    const old = of === undefined ? undefined : source.rules?.[of];
    const list = first === undefined ? [] : [first, ...more];
    const action = Array.isArray(old?.action) || list.length !== 1 ? list : first;
    return updateObject(old as Readonly<Record<string, unknown>> | undefined, {
      levels,
      action,
      where,
      fields,
      except,
      reason,
    }) as unknown as RuleSource;
  });
  if (written.length === 0 && source.rules?.length === 0) return source;
  return setAtPath(source, ['rules'], written.length === 0 ? undefined : written);
}

/** The grants of each level when the module is new. */
export type GrantsView = Readonly<Record<Level, readonly Action[]>>;

const grantKeywords = { all: actions, read: ['list', 'view'], none: [] } as const;

/** The grants of each level when the module is new. Level 1 always has all of them. */
export function readGrants(source: Source): GrantsView {
  return Object.fromEntries(
    levels.map((level) => [level, level === 1 ? actions : actionsOfGrant(source.grants?.[level], level)]),
  ) as unknown as GrantsView;
}

/** The definition with these grants: as a keyword if there is one, and unchanged if they mean the same. */
export function writeGrants(source: Source, grants: GrantsView): Source {
  return levels.slice(1).reduce((so, level) => {
    const old = source.grants?.[level];
    const wanted = actions.filter((action) => grants[level].includes(action));
    if (
      isSameJson(new Set(actionsOfGrant(old, level)).size, wanted.length) &&
      wanted.every((one) => actionsOfGrant(old, level).includes(one))
    )
      return so;
    const word = (Object.keys(grantKeywords) as (keyof typeof grantKeywords)[]).find((key) =>
      isSameJson(grantKeywords[key], wanted),
    );
    return setAtPath(so, ['grants', String(level)], word ?? wanted);
  }, source);
}

function actionsOfGrant(written: NonNullable<Source['grants']>[Level], level: Level): readonly Action[] {
  const given = written ?? (level <= 3 ? 'all' : 'none');
  return typeof given === 'string' ? grantKeywords[given] : given;
}
